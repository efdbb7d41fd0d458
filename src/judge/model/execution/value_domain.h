// SPDX-License-Identifier: MIT
// The values that each location can hold in any execution under any memory model: the least set that contains the
// initial value and everything that a write of any path can store when its thread's reads return values of the set,
// even if the thread would then take another path.
//
// It decides which paths can be taken at all, which locations a computed address can name, and which values are tried
// where reads depend on each other in a cycle (r0 = x; y = r0 beside r1 = y; x = r1). Any value in such a cycle
// justifies itself. Only values of the set are tried, and those that the test asks for: the program cannot make others.
// The set may be infinite (x = x + 1). It is built in as many rounds as an execution has writes, which is as far as
// values travel without a cycle.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "litmus/test.h"
#include "model/execution/path.h"

namespace weakspot::model {

// A range of bytes of a physical location.
struct Bytes {
  litmus::LocationId physical;
  std::int64_t offset = 0;
  int size = 0;

  bool contains(const Bytes& other) const;
  bool overlaps(const Bytes& other) const;
  friend auto operator<=>(const Bytes&, const Bytes&) = default;
};

// The number of `size` bytes, without a sign. An address stays what it is.
litmus::Value bits(const litmus::Value& value, int size);
// The bytes of `value`, stored at `outer`, that are at `inner`: the value itself if that is all of them, else a number
// without a sign. None if they are a part of an address. `outer` contains `inner`.
std::optional<litmus::Value> part_of(const litmus::Value& value, const Bytes& outer, const Bytes& inner);

class ValueDomain {
 public:
  // The allowance must outlive the domain. When it is used up, the domain has overflowed.
  ValueDomain(const litmus::LitmusTest& test, const std::vector<std::vector<Path>>& paths, Allowance& allowance);

  // True if the sets were too large to build; the other answers then mean nothing.
  bool overflowed() const { return overflowed_; }
  std::size_t held() const { return stored_.size() * sizeof(Stored); }  // bytes, roughly
  // The values that a read of these bytes may return, sorted.
  std::vector<litmus::Value> readable(const Bytes& bytes, litmus::Type type) const;
  // Whether each constraint of the path can be met on its own.
  bool is_feasible(litmus::ThreadId thread, const Path& path) const;
  // The values the expression can have on the path, sorted. Reads return values that meet the path's constraints.
  std::vector<litmus::Value> possible(litmus::ThreadId thread, const Path& path, ExprId expression) const;

 private:
  struct Stored {
    Bytes bytes;
    litmus::Value value;
    friend auto operator<=>(const Stored&, const Stored&) = default;
  };
  using Choices = std::vector<std::vector<litmus::Value>>;  // by event: what a read may return

  void add_mbarriers(const std::vector<std::vector<Path>>& paths);
  bool round(const std::vector<std::vector<Path>>& paths);
  bool add_cuts(litmus::ThreadId thread, const Path& path, Choices& values);
  void add_cut(const Bytes& bytes);
  // The parts of the bytes that accesses cover or do not touch.
  std::vector<Bytes> parts_of(const Bytes& bytes) const;
  void add_assembled(const std::vector<Bytes>& parts, litmus::Type type, std::vector<litmus::Value>& values) const;
  void add_readable(const Bytes& bytes, litmus::Type type, std::vector<litmus::Value>& values) const;
  Choices choices(litmus::ThreadId thread, const Path& path, bool meeting_constraints) const;
  template <typename Visit>
  void for_each_assignment(const Path& path, const Choices& choices, std::vector<std::uint32_t> leaves,
                           const Visit& visit) const;
  void refine(const Path& path, Choices& choices, std::uint32_t read) const;

  const litmus::LitmusTest& test_;
  Allowance& allowance_;
  std::vector<Stored> stored_;    // sorted
  bool mbarriers_known_ = false;  // `stored_` has all their states
  // Places within a location where some access begins or ends, sorted.
  std::vector<std::pair<litmus::LocationId, std::int64_t>> cuts_;
  mutable std::uint64_t work_ = 0;
  mutable bool overflowed_ = false;
};

// The bytes an access at `address` touches; none if that is not within a location or an array.
std::optional<Bytes> bytes_at(const litmus::LitmusTest& test, const litmus::Value& address, litmus::Type type);
// The bytes of a location that is not an alias: its own, if it is an element of an array.
Bytes bytes_of(const litmus::LitmusTest& test, litmus::LocationId element);
// The location, or the element of an array, in which the bytes begin.
litmus::LocationId element_at(const litmus::LitmusTest& test, const Bytes& bytes);

}  // namespace weakspot::model
