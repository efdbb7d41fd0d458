// SPDX-License-Identifier: MIT
// Builds a test while its text is read: names become numbers at their first mention.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "litmus/instruction.h"
#include "litmus/test.h"

namespace weakspot::litmus {

// Numbers names in the order in which they are added. Most tests have a handful of names, for which a walk is quicker
// than a search.
class NameTable {
 public:
  std::optional<std::uint32_t> find(std::string_view name) const;
  // The name must be new.
  std::uint32_t add(std::string_view name);

 private:
  static constexpr std::size_t kWalked = 16;

  std::vector<std::string> names_;
  std::map<std::string, std::uint32_t, std::less<>> later_;  // names beyond the first kWalked
};

class TestBuilder {
 public:
  LitmusTest test;

  // The location of that name; made, with defaults, at its first mention.
  LocationId location(std::string_view name);
  std::optional<LocationId> find_location(std::string_view name) const;
  Location& operator[](LocationId id) { return test.locations[id.index]; }
  // Makes the elements of an array and gives the first; nullopt if the name was mentioned before.
  std::optional<LocationId> array(std::string_view name, std::uint32_t elements);

  // The register of that name in the thread; made at its first mention.
  RegisterId reg(ThreadId thread, std::string_view name);
  std::optional<RegisterId> find_register(ThreadId thread, std::string_view name) const;
  Register& operator[](ObservedRegister id) { return test.threads[id.thread.index].registers[id.reg.index]; }

  // Makes threads 0 .. count-1 if they do not exist.
  void ensure_threads(std::size_t count);

  // Marks a location or register as declared in the initial state; false if it already was.
  bool declare(LocationId id);
  bool declare(ObservedRegister id);
  // Sets the type that the text gives, for all elements of an array, so that it is not inferred. has_given_type() tells
  // whether it was set.
  void give_type(LocationId id, Type type);
  bool has_given_type(LocationId id) const;
  void give_space(LocationId id, Space space);

  Instruction& emit(ThreadId thread, Operation operation, base::Span span);

  // The place that the text gives to each thread; empty if it gives none.
  std::vector<PartialPlacement> placements;
  PartialPlacement& placement(ThreadId thread);
  std::vector<std::pair<ThreadId, ThreadId>> system_synchronizes;
  std::vector<std::pair<ThreadId, ThreadId>> launches;

 private:
  NameTable locations_;
  std::vector<NameTable> registers_;  // by thread
  std::vector<bool> declared_locations_;
  std::vector<bool> typed_locations_;
  std::map<ObservedRegister, bool> declared_registers_;
};

}  // namespace weakspot::litmus
