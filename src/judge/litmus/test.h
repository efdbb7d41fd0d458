// SPDX-License-Identifier: MIT
// The litmus test as a value. Every reader produces it, everything else consumes it.
//
// A LitmusTest is always in normal form (see normalize.h): two texts of the same test, in any dialects, give equal
// values if their registers and locations have the same names.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/span.h"
#include "litmus/condition.h"
#include "litmus/scope_tree.h"
#include "litmus/value.h"
#include "litmus/vocabulary.h"

namespace weakspot::litmus {

struct Instruction;  // instruction.h

struct Location {
  std::string name;
  Type type = Type::s32;
  Space space = Space::none;  // none: the text does not say, so global memory
  Value initial;
  // Another name (a virtual address) for the same memory, reached through `proxy`.
  std::optional<LocationId> alias_of;
  Proxy proxy = Proxy::generic;
  // An array is a row of locations, its elements, which follow each other here as in memory. The first has the name of
  // the array. Addresses name the first alone, with an offset; observables name each.
  std::uint32_t elements = 1;  // the length of the array, the same in each element
  std::uint32_t element = 0;   // the index of this element
  base::Span span;             // its declaration or first mention

  bool is_array() const { return elements > 1; }
  friend bool operator==(const Location&, const Location&) = default;
};

struct Register {
  std::string name;
  Type type = Type::s32;
  Value initial;
  friend bool operator==(const Register&, const Register&) = default;
};

// The special members are out of line: a test can be passed on without the types of its instructions.
struct Thread {
  std::vector<Register> registers;
  std::vector<Instruction> instructions;

  Thread();
  ~Thread();
  Thread(const Thread&);
  Thread(Thread&&) noexcept;
  Thread& operator=(const Thread&);
  Thread& operator=(Thread&&) noexcept;
  friend bool operator==(const Thread&, const Thread&);
};

// The way a test was written. It does not belong to the meaning of the test, so all spellings compare equal.
struct Spelling {
  bool canonical = false;  // in the canonical form, whatever the architecture
  friend bool operator==(const Spelling&, const Spelling&) { return true; }
};

struct LitmusTest {
  std::string name;
  std::string description;  // the point of the test in a sentence; may be empty
  Arch arch = Arch::generic;
  std::vector<Location> locations;
  std::vector<Thread> threads;
  std::optional<ScopeTree> scopes;  // none: the text does not place its threads
  Condition condition;
  std::optional<Proposition> filter;                      // final states that do not satisfy it are ignored
  std::vector<Observable> also_observed;                  // beyond those of the condition; sorted
  std::map<std::string, Expectation> expectations;        // by model: can the proposition be reached?
  std::vector<std::pair<std::string, std::string>> info;  // provenance and the like, in the order given
  base::Span span;
  Spelling spelling;

  friend bool operator==(const LitmusTest&, const LitmusTest&) = default;

  // The registers and locations an Outcome holds, in its order: registers by thread, then locations; those of
  // the condition, the filter and also_observed.
  std::vector<Observable> observed() const;

  // `scopes`, or the default placement.
  ScopeTree scope_tree() const;

  std::optional<LocationId> find_location(std::string_view location) const;
  std::optional<RegisterId> find_register(ThreadId thread, std::string_view reg) const;
  const Location& operator[](LocationId id) const { return locations[id.index]; }
  const Thread& operator[](ThreadId id) const { return threads[id.index]; }
  const Register& operator[](ObservedRegister id) const { return threads[id.thread.index].registers[id.reg.index]; }
  // "1:r0", "x" or "x[1]".
  std::string name_of(const Observable& observable) const;
};

// The location that `location` is another name of, through all steps of aliases, or the first element of its array;
// itself if it is neither.
LocationId physical_location(const LitmusTest& test, LocationId location);

// The most elements that an array can have.
inline constexpr std::uint32_t kMostElements = 1024;

// The bytes of the location, or of the whole array that it is an element of.
std::int64_t extent_in_bytes(const Location& location);

}  // namespace weakspot::litmus
