// SPDX-License-Identifier: MIT
// Copies of registers followed back to their sources, and results that nobody reads left out. Nothing that touches
// memory is moved or changed.
#include <algorithm>
#include <optional>

#include "residual/residual.h"

namespace weakspot::residual {
namespace {

using Registers = std::vector<bool>;

bool is_pure(const Instruction& one) { return one.kind == Kind::compute; }

bool leaves(Kind kind) { return kind == Kind::jump || kind == Kind::stop || kind == Kind::end; }

class Tidying {
 public:
  explicit Tidying(Thread& thread) : thread_(thread) {}

  void run() {
    for (bool changed = true; changed;) {
      changed = forward_jumps();
      changed = follow_copies() || changed;
      changed = fuse_conditions() || changed;
      changed = drop_dead() || changed;
    }
    number_again();
  }

 private:
  std::map<std::uint32_t, std::size_t> labels() const {
    std::map<std::uint32_t, std::size_t> found;
    for (std::size_t i = 0; i < thread_.code.size(); ++i) {
      if (thread_.code[i].kind == Kind::label) found[thread_.code[i].label] = i;
    }
    return found;
  }

  // Jumps to jumps, jumps to the next line, labels that nobody names, and code that nobody reaches.
  bool forward_jumps() {
    std::vector<Instruction>& code = thread_.code;
    const std::map<std::uint32_t, std::size_t> at = labels();
    bool changed = false;
    for (Instruction& one : code) {
      if (one.kind != Kind::jump && one.kind != Kind::branch) continue;
      std::size_t target = at.at(one.label);
      for (int steps = 0; steps < 64; ++steps) {
        std::size_t next = target;
        while (next < code.size() && code[next].kind == Kind::label) ++next;
        if (next >= code.size() || code[next].kind != Kind::jump) break;
        target = at.at(code[next].label);
      }
      if (code[target].label == one.label) continue;
      one.label = code[target].label;
      changed = true;
    }
    std::set<std::uint32_t> named;
    for (const Instruction& one : code) {
      if (one.kind == Kind::jump || one.kind == Kind::branch) named.insert(one.label);
    }
    std::vector<Instruction> kept;
    bool reached = true;
    for (std::size_t i = 0; i < code.size(); ++i) {
      const Instruction& one = code[i];
      if (one.kind == Kind::label && !named.contains(one.label)) continue;
      if (one.kind == Kind::label) reached = true;
      if (!reached) continue;
      if (one.kind == Kind::jump && leads_on(i)) continue;
      reached = !leaves(one.kind);
      kept.push_back(one);
    }
    changed = changed || kept.size() != code.size();
    code = std::move(kept);
    return changed;
  }

  // Only labels stand between the jump and its target.
  bool leads_on(std::size_t jump) const {
    for (std::size_t i = jump + 1; i < thread_.code.size() && thread_.code[i].kind == Kind::label; ++i) {
      if (thread_.code[i].label == thread_.code[jump].label) return true;
    }
    return false;
  }

  // Within straight code: a register that holds a copy is read where it was copied from.
  bool follow_copies() {
    std::map<std::uint64_t, Operand> copies;
    bool changed = false;
    for (Instruction& one : thread_.code) {
      if (one.kind == Kind::label) copies.clear();
      for (Operand& operand : one.operands) {
        const auto copy = operand.known ? copies.end() : copies.find(operand.bits);
        if (copy == copies.end()) continue;
        // An extension needs to know the width that it starts from.
        if (one.op == Op::sign_extend && copy->second.known) continue;
        if (!copy->second.known && thread_.widths[copy->second.bits] != thread_.widths[operand.bits] &&
            !is_cut_back(one, copy->second.bits)) {
          continue;
        }
        operand = copy->second;
        changed = true;
      }
      if (!one.target) continue;
      const std::uint64_t target = *one.target;
      copies.erase(target);
      std::erase_if(copies, [&](const auto& copy) { return !copy.second.known && copy.second.bits == target; });
      if (one.kind != Kind::compute || one.op != Op::mov) continue;
      const Operand from = one.operands[0];
      const bool fits = from.known || (from.bits != target && thread_.widths[from.bits] <= thread_.widths[target]);
      if (fits) copies[target] = from;
    }
    return changed;
  }

  // A copy that is at most as wide as the register that its wider source was copied from.
  bool is_cut_back(const Instruction& one, std::uint64_t from) const {
    return one.kind == Kind::compute && one.op == Op::mov && thread_.widths[*one.target] <= thread_.widths[from];
  }

  // "t = a < b; if t != 0" becomes "if a < b".
  bool fuse_conditions() {
    bool changed = false;
    std::vector<Instruction>& code = thread_.code;
    for (std::size_t i = 1; i < code.size(); ++i) {
      Instruction& branch = code[i];
      if (branch.kind != Kind::branch || branch.op != Op::ne || branch.operands[0].known ||
          branch.operands[1] != known_operand(0)) {
        continue;
      }
      std::size_t at = i - 1;  // only computations and accesses stand between
      while (at > 0 && code[at].target != branch.operands[0].bits && code[at].kind != Kind::label) --at;
      const Instruction& test = code[at];
      if (test.target != branch.operands[0].bits || test.kind != Kind::compute || test.op < Op::eq ||
          test.op > Op::less_equal_signed) {
        continue;
      }
      const bool overwritten = std::any_of(
          code.begin() + static_cast<std::ptrdiff_t>(at), code.begin() + static_cast<std::ptrdiff_t>(i),
          [&](const auto& one) {
            return std::any_of(test.operands.begin(), test.operands.end(),
                               [&](const Operand& operand) { return !operand.known && one.target == operand.bits; });
          });
      if (overwritten) continue;
      branch.op = test.op;
      branch.operands = test.operands;
      changed = true;
    }
    return changed;
  }

  // Registers and labels in the order of their use: threads that do the same have the same code.
  void number_again() {
    std::map<std::uint64_t, std::uint32_t> registers;
    std::map<std::uint32_t, std::uint32_t> labels;
    std::vector<std::uint8_t> widths;
    auto number = [&](std::uint64_t old) {
      const auto [at, fresh] = registers.try_emplace(old, static_cast<std::uint32_t>(widths.size()));
      if (fresh) widths.push_back(thread_.widths[old]);
      return at->second;
    };
    for (Instruction& one : thread_.code) {
      for (Operand& operand : one.operands) {
        if (!operand.known) operand.bits = number(operand.bits);
      }
      if (one.target) one.target = number(*one.target);
      if (one.kind == Kind::label || one.kind == Kind::jump || one.kind == Kind::branch) {
        one.label = labels.try_emplace(one.label, static_cast<std::uint32_t>(labels.size())).first->second;
      }
    }
    thread_.widths = std::move(widths);
  }

  bool drop_dead() {
    std::vector<Instruction>& code = thread_.code;
    const std::map<std::uint32_t, std::size_t> at = labels();
    std::vector<Registers> live(code.size() + 1, Registers(thread_.widths.size()));
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = code.size(); i-- > 0;) {
        Registers now = leaves(code[i].kind) ? Registers(thread_.widths.size()) : live[i + 1];
        if (code[i].kind == Kind::jump || code[i].kind == Kind::branch) {
          const Registers& there = live[at.at(code[i].label)];
          for (std::size_t reg = 0; reg < now.size(); ++reg) now[reg] = now[reg] || there[reg];
        }
        const bool needed = !is_pure(code[i]) || now[*code[i].target];
        if (code[i].target) now[*code[i].target] = false;
        for (const Operand& operand : code[i].operands) {
          if (needed && !operand.known) now[operand.bits] = true;
        }
        if (now == live[i]) continue;
        live[i] = std::move(now);
        changed = true;
      }
    }
    std::vector<Instruction> kept;
    for (std::size_t i = 0; i < code.size(); ++i) {
      const bool itself = code[i].kind == Kind::compute && code[i].op == Op::mov &&
                          code[i].operands[0] == register_operand(*code[i].target);
      if (itself || (is_pure(code[i]) && !live[i + 1][*code[i].target])) continue;
      kept.push_back(code[i]);
    }
    const bool changed = kept.size() != code.size();
    code = std::move(kept);
    return changed;
  }

  Thread& thread_;
};

}  // namespace

void tidy(Thread& thread) { Tidying(thread).run(); }

}  // namespace weakspot::residual
