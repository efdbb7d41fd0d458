// SPDX-License-Identifier: MIT
// Classes of a test's numbers. A location, the registers loaded from it and the constants stored to it or compared with
// it form a class. If numbers of a class are only moved and compared for equality, they serve only to be told apart and
// may be renamed.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "litmus/instruction.h"
#include "litmus/test.h"

namespace weakspot::gen {

class ValueClasses {
 public:
  explicit ValueClasses(const litmus::LitmusTest& test);

  std::size_t of(litmus::LocationId location) const { return leader_[location.index]; }
  std::size_t of(litmus::ThreadId thread, litmus::RegisterId reg) const {
    return leader_[first_register_[thread.index] + reg.index];
  }
  std::size_t of(const litmus::Observable& observable) const;
  std::size_t count() const { return leader_.size(); }

  // Whether numbers of the class matter beyond being equal or not.
  bool rigid(std::size_t value_class) const { return rigid_[value_class]; }
  // The numbers that keep their value under renaming: 0 and the initial values.
  const std::set<std::int64_t>& fixed(std::size_t value_class) const { return fixed_[value_class]; }
  // Whether the register always holds 0, computed from another (and r, 128). Adding a constant to it only moves the
  // constant.
  bool is_zero(litmus::ThreadId thread, litmus::RegisterId reg) const {
    return zero_[first_register_[thread.index] + reg.index];
  }

 private:
  void look_at(const litmus::LitmusTest& test, litmus::ThreadId thread, const litmus::Instruction& instruction);
  void look_at(litmus::ThreadId thread, const litmus::Comparison& condition);
  void look_at(const litmus::LitmusTest& test, const litmus::Proposition& proposition);
  void find_zeros(const litmus::LitmusTest& test, std::uint32_t thread);
  void join(std::size_t a, std::size_t b);
  void join(std::size_t node, litmus::ThreadId thread, const litmus::Operand& operand);
  void stiffen(std::size_t node) { rigid_[leader_[node]] = true; }
  void stiffen(litmus::ThreadId thread, const litmus::Operand& operand);
  std::size_t node(litmus::ThreadId thread, litmus::RegisterId reg) const {
    return first_register_[thread.index] + reg.index;
  }
  std::size_t node(const litmus::Observable& observable) const;

  std::vector<std::size_t> first_register_;  // by thread
  std::vector<std::size_t> leader_;          // by node: locations, then registers
  std::vector<bool> rigid_;
  std::vector<bool> zero_;
  std::vector<std::set<std::int64_t>> fixed_;
};

}  // namespace weakspot::gen
