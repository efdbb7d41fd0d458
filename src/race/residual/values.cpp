// SPDX-License-Identifier: MIT
#include <algorithm>

#include "residual/residual.h"

namespace weakspot::residual {
namespace {

std::uint64_t cut(std::uint64_t value, unsigned bits) {
  return bits >= 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
}

std::int64_t as_signed(std::uint64_t value, unsigned bits) {
  if (bits >= 64) return static_cast<std::int64_t>(value);
  const std::uint64_t sign = std::uint64_t{1} << (bits - 1);
  return static_cast<std::int64_t>((cut(value, bits) ^ sign) - sign);
}

void add_values(Values& to, const Values& from) {
  if (!to) return;
  if (!from) return to.reset();
  to->insert(from->begin(), from->end());
  if (to->size() > kMostValues) to.reset();
}

class ValueFlow {
 public:
  ValueFlow(const Thread& thread, const Domains& memory)
      : thread_(thread), memory_(memory), registers_(thread.widths.size(), std::set<std::uint64_t>()) {}

  std::vector<Values> run() {
    bool changed = true;
    while (changed) {
      changed = false;
      for (const Instruction& one : thread_.code) {
        if (!one.target) continue;
        Values& known = registers_[*one.target];
        const std::size_t before = known ? known->size() : 0;
        const bool was_known = known.has_value();
        add_values(known, result_of(one));
        changed = changed || was_known != known.has_value() || (known && known->size() != before);
      }
    }
    return std::move(registers_);
  }

 private:
  Values operand(const Operand& one) const {
    if (one.known) return std::set<std::uint64_t>{one.bits};
    return registers_[one.bits];
  }

  Values result_of(const Instruction& one) const {
    if (one.kind == Kind::load || one.kind == Kind::update) {
      const auto found = memory_.find({one.address, one.size});
      return found == memory_.end() ? Values() : found->second;
    }
    const unsigned bits = thread_.widths[*one.target];
    if (one.op == Op::select) {
      Values both = operand(one.operands[1]);
      add_values(both, operand(one.operands[2]));
      return both;
    }
    const Values left = operand(one.operands[0]);
    const Values right = one.operands.size() > 1 ? operand(one.operands[1]) : Values(std::set<std::uint64_t>{0});
    if (!left || !right) return std::nullopt;
    unsigned width = bits;  // comparisons and extensions work on that of their operand
    if (!one.operands[0].known) width = thread_.widths[one.operands[0].bits];
    if (one.operands[0].known && one.operands.size() > 1 && !one.operands[1].known) {
      width = thread_.widths[one.operands[1].bits];
    }
    std::set<std::uint64_t> all;
    for (const std::uint64_t a : *left) {
      for (const std::uint64_t b : *right) {
        all.insert(cut(result_of_op(one.op, width, a, b), bits));
        if (all.size() > kMostValues) return std::nullopt;
      }
    }
    return all;
  }

  const Thread& thread_;
  const Domains& memory_;
  std::vector<Values> registers_;
};

bool grows(Op op) {
  return op != Op::exchange && op != Op::cas && op != Op::min && op != Op::max && op != Op::min_signed &&
         op != Op::max_signed;
}

}  // namespace

std::uint64_t result_of_op(Op op, unsigned bits, std::uint64_t left, std::uint64_t right) {
  const std::uint64_t a = cut(left, bits), b = cut(right, bits);
  const std::int64_t sa = as_signed(left, bits), sb = as_signed(right, bits);
  const bool far = b >= bits;
  switch (op) {
    case Op::mov:
      return a;
    case Op::add:
      return cut(a + b, bits);
    case Op::sub:
      return cut(a - b, bits);
    case Op::mul:
      return cut(a * b, bits);
    case Op::and_:
      return a & b;
    case Op::or_:
      return a | b;
    case Op::xor_:
      return a ^ b;
    case Op::shl:
      return far ? 0 : cut(a << b, bits);
    case Op::shift_right:
      return far ? 0 : a >> b;
    case Op::shift_right_signed:
      return cut(static_cast<std::uint64_t>(sa >> (far ? bits - 1 : b)), bits);
    case Op::sign_extend:
      return static_cast<std::uint64_t>(sa);
    case Op::eq:
      return a == b;
    case Op::ne:
      return a != b;
    case Op::less:
      return a < b;
    case Op::less_equal:
      return a <= b;
    case Op::less_signed:
      return sa < sb;
    case Op::less_equal_signed:
      return sa <= sb;
    case Op::select:
      return a;  // has three operands: not asked
    case Op::exchange:
    case Op::cas:
      return b;
    case Op::min:
      return std::min(a, b);
    case Op::max:
      return std::max(a, b);
    case Op::min_signed:
      return cut(static_cast<std::uint64_t>(std::min(sa, sb)), bits);
    case Op::max_signed:
      return cut(static_cast<std::uint64_t>(std::max(sa, sb)), bits);
    case Op::increment:
      return a >= b ? 0 : a + 1;
    case Op::decrement:
      return a == 0 || a > b ? b : a - 1;
  }
  return 0;
}

std::vector<Values> register_values(const Thread& thread, const Domains& memory) {
  return ValueFlow(thread, memory).run();
}

// The sums of a counter have no end: each update is counted once for each place of it in the code. Threads stop where
// they meet a value that this leaves out, so that an answer does not depend on it.
Domains memory_values(const std::vector<Thread>& threads, const Domains& initial) {
  Domains domains = initial;
  std::map<std::pair<std::uint64_t, std::uint8_t>, std::size_t> updates;
  for (const Thread& thread : threads) {
    for (const Instruction& one : thread.code) {
      if (one.kind == Kind::update && grows(one.op)) ++updates[{one.address, one.size}];
    }
  }
  std::size_t most_rounds = 4;
  for (const auto& [where, count] : updates) most_rounds += count;
  most_rounds = std::min(most_rounds, kMostValues);
  for (std::size_t round = 0; round < most_rounds; ++round) {
    Domains next = domains;
    for (const Thread& thread : threads) {
      const std::vector<Values> registers = register_values(thread, domains);
      auto values_of = [&](const Operand& operand) {
        return operand.known ? Values(std::set<std::uint64_t>{operand.bits}) : registers[operand.bits];
      };
      for (const Instruction& one : thread.code) {
        if (one.kind != Kind::store && one.kind != Kind::update) continue;
        const std::pair<std::uint64_t, std::uint8_t> where{one.address, one.size};
        const unsigned bits = one.size * 8u;
        Values& domain = next.try_emplace(where, std::set<std::uint64_t>()).first->second;
        const Values given = values_of(one.operands[0]);
        const Values old = domains.contains(where) ? domains.at(where) : Values();
        if (one.kind == Kind::store || one.op == Op::exchange || one.op == Op::cas) {
          add_values(domain, given);
        } else if (!given || !old) {
          domain.reset();
        } else if (round < updates[where] || !grows(one.op)) {
          for (const std::uint64_t a : *old) {
            for (const std::uint64_t b : *given) {
              add_values(domain, std::set<std::uint64_t>{result_of_op(one.op, bits, a, b)});
            }
          }
        }
      }
    }
    if (next == domains) break;
    domains = std::move(next);
  }
  return domains;
}

}  // namespace weakspot::residual
