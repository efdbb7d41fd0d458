// SPDX-License-Identifier: MIT
// The registers of a thread's residue: each belongs to an instruction and a part of its value, or to a place in private
// memory, each time the same.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "race_jit/residual/values.h"
#include "residual/residual.h"

namespace weakspot::race_jit {

class RegisterNames {
 public:
  // `widths` is that of the thread, which grows.
  explicit RegisterNames(std::vector<std::uint8_t>& widths) : widths_(widths) {}

  std::uint32_t fresh(unsigned bits) {
    widths_.push_back(static_cast<std::uint8_t>(bits));
    return static_cast<std::uint32_t>(widths_.size() - 1);
  }
  std::uint32_t of(unsigned instruction, std::uint64_t part, unsigned bits) {
    const auto known = values_.find({instruction, part});
    return known != values_.end() ? known->second : values_[{instruction, part}] = fresh(bits);
  }
  std::uint32_t of_cell(std::uint64_t address, std::uint64_t size) {
    const auto known = cells_.find({address, size});
    return known != cells_.end() ? known->second : cells_[{address, size}] = fresh(static_cast<unsigned>(8 * size));
  }

 private:
  std::vector<std::uint8_t>& widths_;
  std::map<std::pair<unsigned, std::uint64_t>, std::uint32_t> values_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint32_t> cells_;
};

inline residual::Operand as_operand(const PartialValue& value) {
  return {value.kind == PartialValue::Kind::known, value.bits};
}

}  // namespace weakspot::race_jit
