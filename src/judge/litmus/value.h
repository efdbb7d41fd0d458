// SPDX-License-Identifier: MIT
// Names of things inside a test, and values. Identifiers are indices with a type of their own, so that a
// register is never taken for a location.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>

namespace weakspot::litmus {

struct LocationId {
  std::uint32_t index = 0;
  friend auto operator<=>(const LocationId&, const LocationId&) = default;
};

struct ThreadId {
  std::uint32_t index = 0;
  friend auto operator<=>(const ThreadId&, const ThreadId&) = default;
};

// An index into the registers of one thread.
struct RegisterId {
  std::uint32_t index = 0;
  friend auto operator<=>(const RegisterId&, const RegisterId&) = default;
};

// A number, or the address of a location plus a number of bytes.
struct Value {
  std::int64_t number = 0;
  std::optional<LocationId> base;

  friend bool operator==(const Value&, const Value&) = default;
  friend auto operator<=>(const Value&, const Value&) = default;
};

// Wraps around, as addresses do.
inline std::int64_t wrapping_sum(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

inline Value integer(std::int64_t number) { return Value{number, std::nullopt}; }
inline Value address_of(LocationId location) { return Value{0, location}; }

}  // namespace weakspot::litmus
