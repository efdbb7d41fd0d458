// SPDX-License-Identifier: MIT
// Outcomes as numbers: mixed radix over the values that each observed item can have. The device counts numbers, and the
// host decodes them. An outcome with an unexpected value has no number and is kept raw.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
#include "litmus/outcome.h"
#include "litmus/test.h"

namespace weakspot::codegen {

// The code of one observed item: its possible values are the digits 0, 1, 2, ...
struct ItemCode {
  litmus::Type type = litmus::Type::s32;
  std::vector<litmus::Value> values;  // empty: the value itself is the digit, 32 or 64 bits of it
  bool wide() const { return litmus::size_in_bytes(type) == 8; }
  bool raw() const { return values.empty(); }
};

class OutcomeEncoding {
 public:
  // Fails if the digits do not fit 63 bits.
  static base::Result<OutcomeEncoding> make(const litmus::LitmusTest& test);

  const std::vector<ItemCode>& items() const { return items_; }
  // The factor of each digit.
  const std::vector<std::uint64_t>& factors() const { return factors_; }
  // The bound of the numbers: all are smaller.
  std::uint64_t size() const { return size_; }
  // True if the numbers are few enough for a table with one counter each.
  bool has_table() const { return size_ <= kTableLimit; }

  static constexpr std::uint64_t kTableLimit = 4096;

  litmus::Outcome decode(std::uint64_t number) const;
  // The number of the outcome; nothing if a value does not have a digit.
  std::optional<std::uint64_t> encode(const litmus::Outcome& outcome) const;
  // A value from its bits, for outcomes that were kept raw.
  litmus::Value raw_value(std::size_t item, std::uint64_t bits) const;

 private:
  std::vector<ItemCode> items_;
  std::vector<std::uint64_t> factors_;
  std::uint64_t size_ = 1;
};

}  // namespace weakspot::codegen
