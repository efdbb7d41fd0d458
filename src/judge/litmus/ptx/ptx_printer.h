// SPDX-License-Identifier: MIT
// The common part of adapting tests to the two PTX dialects and of printing them.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "litmus/instruction.h"
#include "litmus/ptx/ptx_words.h"
#include "litmus/test.h"

namespace weakspot::litmus {

// The levels, outermost first, with which the dialect places the threads just as the tree does; nullopt if it cannot.
std::optional<std::vector<Scope>> ptx_levels(const ScopeTree& tree, PtxEdition edition);

// Gives out stem0, stem1, ... in this order, without the names that are taken.
class FreshNames {
 public:
  FreshNames(std::string_view stem, std::set<std::string> taken) : stem_(stem), taken_(std::move(taken)) {}
  std::string next();

 private:
  std::string stem_;
  std::set<std::string> taken_;
  std::size_t count_ = 0;
};

// Writes the parts that both editions have in common; lives for one test.
class PtxPrinter {
 public:
  PtxPrinter(const LitmusTest& test, PtxEdition edition);
  virtual ~PtxPrinter() = default;

  std::string print();

 protected:
  // Called before the cells of a thread are written.
  virtual void start_thread() {}
  // Called after the cells of a thread: returns the items of its registers in the initial state. May put cells before
  // the others.
  virtual std::vector<std::string> end_thread(std::uint32_t thread, std::vector<std::string>& first_cells) = 0;
  virtual std::string thread_name(std::uint32_t thread) const = 0;
  // The text between the program and the condition.
  virtual std::string tail() const { return {}; }
  virtual bool spaces_in_map() const { return false; }

  // address() and stored() may give out registers, in the order of the calls.
  virtual std::string address(const Address& address) = 0;
  virtual std::string stored(const Operand& value, Type) { return operand_text(value); }
  virtual std::string order(const Access& access) const = 0;
  virtual std::string type(const Access& access) const = 0;
  virtual std::string compute_text(const Compute& compute) const = 0;
  virtual std::string branch_text(const Branch& branch) const = 0;
  virtual std::string fence_text(const Fence& fence) const;

  const std::string& name(RegisterId id) const { return thread_->registers[id.index].name; }
  std::string operand_text(const Operand& operand) const;
  std::string operands(const Compute& compute) const;
  // [x+r2+4]
  std::string sum(const Address& address) const;
  // Whether the initial state must say the location's type for the reader to know it.
  bool is_typed(LocationId id) const { return test_[id].type != inferred_[id.index]; }

  const LitmusTest& test_;
  const Thread* thread_ = nullptr;  // the thread being written

 private:
  std::string location_item(LocationId id) const;
  std::string cell(const Instruction& instruction);
  std::string suffixes(const Access& access, std::string_view operation = {}) const;
  std::string text(const Load& load);
  std::string text(const Store& store);
  std::string text(const Rmw& rmw);
  std::string text(const Fence& fence) const { return fence_text(fence); }
  std::string text(const Barrier& barrier) const;
  std::string text(const Compute& compute) const { return compute_text(compute); }
  std::string text(const Select&) const { return {}; }  // refused
  std::string text(const Branch& branch) const { return branch_text(branch); }
  std::string text(const Label& label) const { return label.name + ":"; }
  // print_ptx_async.cpp
  std::string text(const AsyncCopy& copy);
  std::string text(const Mbarrier& mbarrier) const;
  std::string text(const AsyncControl& control) const;

  PtxEdition edition_;
  std::vector<Type> inferred_;  // by location: the type that the reader infers if the text gives none
};

}  // namespace weakspot::litmus
