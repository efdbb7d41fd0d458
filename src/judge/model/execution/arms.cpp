// SPDX-License-Identifier: MIT
#include "model/execution/arms.h"

#include <string_view>
#include <variant>
#include <vector>

#include "litmus/instruction.h"

namespace weakspot::model {
namespace {

class Flow {
 public:
  explicit Flow(const litmus::Thread& thread) : code_(thread.instructions) {
    for (std::size_t i = 0; i < code_.size(); ++i) {
      if (const auto* label = std::get_if<litmus::Label>(&code_[i].operation)) labels_[label->name] = i;
    }
  }

  ArmsMeet all() const {
    ArmsMeet meet;
    for (std::size_t i = 0; i < code_.size(); ++i) {
      const litmus::Branch* branch = branch_at(i);
      if (branch != nullptr && has_choice(i, *branch)) meet[i] = meet_of(i, labels_.at(branch->label));
    }
    return meet;
  }

 private:
  const litmus::Branch* branch_at(std::size_t index) const {
    return std::get_if<litmus::Branch>(&code_[index].operation);
  }

  bool has_choice(std::size_t index, const litmus::Branch& branch) const {
    return branch.condition || code_[index].guard;
  }

  // Whether control can go from one instruction to another without `avoided`; the end is behind the last instruction.
  bool reaches(std::size_t from, std::size_t to, std::size_t avoided) const {
    std::vector<bool> seen(code_.size() + 1, false);
    std::vector<std::size_t> open{from};
    while (!open.empty()) {
      const std::size_t at = open.back();
      open.pop_back();
      if (at == avoided || seen[at]) continue;
      if (at == to) return true;
      seen[at] = true;
      if (at == code_.size()) continue;
      const litmus::Branch* branch = branch_at(at);
      if (branch != nullptr) open.push_back(labels_.at(branch->label));
      if (branch == nullptr || has_choice(at, *branch)) open.push_back(at + 1);
    }
    return false;
  }

  std::optional<std::size_t> meet_of(std::size_t branch, std::size_t label) const {
    for (std::size_t at = branch + 1; at < code_.size(); ++at) {
      if (reaches(branch + 1, code_.size(), at) || reaches(label, code_.size(), at)) continue;
      const bool loops = reaches(branch + 1, branch, at) || reaches(label, branch, at);
      return loops ? std::nullopt : std::optional(at);
    }
    return std::nullopt;
  }

  const std::vector<litmus::Instruction>& code_;
  std::map<std::string_view, std::size_t> labels_;
};

}  // namespace

ArmsMeet where_arms_meet(const litmus::Thread& thread) { return Flow(thread).all(); }

}  // namespace weakspot::model
