// SPDX-License-Identifier: MIT
#include "codegen/harness/weakened.h"

#include <string>
#include <utility>
#include <vector>

#include "litmus/visit.h"

namespace weakspot::codegen {
namespace {

using namespace litmus;

// A sequentially consistent access is a release if it writes and an acquire if it reads.
void drop_release(Instruction& instruction) {
  if (auto* store = std::get_if<Store>(&instruction.operation)) {
    if (is_release(store->access.order)) store->access.order = Order::relaxed;
  } else if (auto* rmw = std::get_if<Rmw>(&instruction.operation)) {
    Order& order = rmw->access.order;
    if (is_release(order)) order = is_acquire(order) ? Order::acquire : Order::relaxed;
  }
}

void drop_acquire(Instruction& instruction) {
  auto acquires = [](Order order) { return is_acquire(order) || order == Order::consume; };
  if (auto* load = std::get_if<Load>(&instruction.operation)) {
    if (acquires(load->access.order)) load->access.order = Order::relaxed;
  } else if (auto* rmw = std::get_if<Rmw>(&instruction.operation)) {
    Order& order = rmw->access.order;
    if (acquires(order)) order = is_release(order) ? Order::release : Order::relaxed;
    rmw->failure_order = Order::relaxed;
  }
}

Scope narrowed(Scope scope) {
  switch (scope) {
    case Scope::thread:
    case Scope::subgroup:
      return scope;
    default:
      return Scope::workgroup;
  }
}

// One read-modify-write as the load and the store that a careless compiler would make of it.
class Split {
 public:
  Split(Thread& thread, std::vector<Instruction>& out, const Rmw& rmw, const std::optional<Guard>& guard)
      : thread_(thread), out_(out), rmw_(rmw), guard_(guard), type_(rmw.access.type), old_(make(type_)) {}

  void write() {
    Access from = rmw_.access;
    from.order =
        is_acquire(from.order) || from.order == Order::consume ? half(from.order, Order::acquire) : Order::relaxed;
    put(Load{old_, from});
    std::optional<Guard> guard = guard_;
    if (rmw_.op == RmwOp::cas) guard = Guard{compared(), false};
    Access to = rmw_.access;
    to.order = is_release(to.order) ? half(to.order, Order::release) : Order::relaxed;
    const Operand value = result();
    out_.push_back({Store{to, value, std::nullopt}, guard, {}});
    if (rmw_.success) put(Compute{ComputeOp::mov, *rmw_.success, guard->predicate, std::nullopt});
    if (rmw_.target) put(Compute{ComputeOp::mov, *rmw_.target, old_, std::nullopt});
  }

 private:
  static Order half(Order order, Order side) { return order == Order::seq_cst ? Order::seq_cst : side; }

  RegisterId make(Type type) {
    const auto id = static_cast<std::uint32_t>(thread_.registers.size());
    thread_.registers.push_back({"split" + std::to_string(id), type, {}});
    return {id};
  }

  void put(Operation operation) { out_.push_back({std::move(operation), guard_, {}}); }

  RegisterId compute(ComputeOp op, Type type, const Operand& left, const Operand& right) {
    const RegisterId to = make(type);
    put(Compute{op, to, left, right});
    return to;
  }

  RegisterId select(CompareOp op, const Operand& right, const Operand& yes, const Operand& no) {
    const RegisterId to = make(type_);
    put(Select{to, {op, old_, right}, yes, no});
    return to;
  }

  // True if a compare-and-swap writes: the old value is the expected one, and the instruction's own guard holds.
  RegisterId compared() {
    const RegisterId holds = compute(ComputeOp::eq, Type::s32, old_, *rmw_.expected);
    if (!guard_) return holds;
    const RegisterId both = make(Type::s32);
    const ComputeOp op = guard_->negated ? ComputeOp::eq : ComputeOp::ne;
    out_.push_back({Compute{op, both, guard_->predicate, integer(0)}, std::nullopt, {}});
    out_.push_back({Compute{ComputeOp::and_, both, both, holds}, std::nullopt, {}});
    return both;
  }

  Operand result() {
    const Operand& operand = rmw_.operand;
    switch (rmw_.op) {
      case RmwOp::exch:
      case RmwOp::cas:
        return operand;
      case RmwOp::add:
        return compute(ComputeOp::add, type_, old_, operand);
      case RmwOp::sub:
        return compute(ComputeOp::sub, type_, old_, operand);
      case RmwOp::and_:
        return compute(ComputeOp::and_, type_, old_, operand);
      case RmwOp::or_:
        return compute(ComputeOp::or_, type_, old_, operand);
      case RmwOp::xor_:
        return compute(ComputeOp::xor_, type_, old_, operand);
      case RmwOp::min:
        return select(CompareOp::lt, operand, old_, operand);
      case RmwOp::max:
        return select(CompareOp::gt, operand, old_, operand);
      case RmwOp::inc:
        return select(CompareOp::ge, operand, integer(0), compute(ComputeOp::add, type_, old_, integer(1)));
      case RmwOp::dec: {
        const RegisterId less = compute(ComputeOp::sub, type_, old_, integer(1));
        return select(CompareOp::eq, integer(0), operand, select(CompareOp::gt, operand, operand, less));
      }
    }
    return operand;
  }

  Thread& thread_;
  std::vector<Instruction>& out_;
  const Rmw& rmw_;
  const std::optional<Guard>& guard_;
  Type type_;
  RegisterId old_;
};

void split_rmws(Thread& thread) {
  std::vector<Instruction> out;
  for (const Instruction& instruction : std::exchange(thread.instructions, {})) {
    if (const auto* rmw = std::get_if<Rmw>(&instruction.operation)) {
      Split(thread, out, *rmw, instruction.guard).write();
    } else {
      out.push_back(instruction);
    }
  }
  thread.instructions = std::move(out);
}

bool uses_result_of(const Instruction& later, const Instruction& earlier) {
  bool uses = false;
  for_each_written(earlier, [&](RegisterId written) {
    for_each_register(later, [&](RegisterId named) { uses = uses || named == written; });
  });
  return uses;
}

void swap_accesses(Thread& thread) {
  std::vector<Instruction>& all = thread.instructions;
  for (std::size_t i = 0; i + 1 < all.size(); ++i) {
    if (access_of(all[i]) == nullptr || access_of(all[i + 1]) == nullptr) continue;
    if (uses_result_of(all[i + 1], all[i]) || uses_result_of(all[i], all[i + 1])) continue;
    std::swap(all[i], all[i + 1]);
    return;
  }
}

bool is_always_zero(const Compute& compute) {
  if (!std::holds_alternative<RegisterId>(compute.left) || !compute.right) return false;
  const bool same = *compute.right == compute.left;
  const bool zero = *compute.right == Operand(integer(0));
  return (same && (compute.op == ComputeOp::xor_ || compute.op == ComputeOp::sub)) ||
         (zero && (compute.op == ComputeOp::and_ || compute.op == ComputeOp::mul));
}

void cut_dependencies(Thread& thread) {
  for (Instruction& instruction : thread.instructions) {
    auto* compute = std::get_if<Compute>(&instruction.operation);
    if (compute == nullptr || !is_always_zero(*compute)) continue;
    *compute = Compute{ComputeOp::mov, compute->target, integer(0), std::nullopt};
  }
}

void narrow_scopes(Thread& thread) {
  for (Instruction& instruction : thread.instructions) {
    if (Access* access = access_of(instruction); access != nullptr && access->order != Order::plain) {
      access->scope = narrowed(access->scope);
    }
    if (auto* fence = std::get_if<Fence>(&instruction.operation)) fence->scope = narrowed(fence->scope);
  }
}

}  // namespace

LitmusTest weakened(LitmusTest test, Weaken weaken) {
  for (Thread& thread : test.threads) {
    switch (weaken) {
      case Weaken::none:
        break;
      case Weaken::release:
      case Weaken::acquire:
        for (Instruction& instruction : thread.instructions) {
          weaken == Weaken::release ? drop_release(instruction) : drop_acquire(instruction);
        }
        break;
      case Weaken::fence:
        std::erase_if(thread.instructions, [](const Instruction& instruction) {
          return std::holds_alternative<Fence>(instruction.operation);
        });
        break;
      case Weaken::scope:
        narrow_scopes(thread);
        break;
      case Weaken::rmw:
        split_rmws(thread);
        break;
      case Weaken::swap:
        swap_accesses(thread);
        break;
      case Weaken::dependency:
        cut_dependencies(thread);
        break;
    }
  }
  return test;
}

}  // namespace weakspot::codegen
