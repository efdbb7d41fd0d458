// SPDX-License-Identifier: MIT
// Calls in tests of the Linux kernel's memory model.
#include <fmt/format.h>

#include "litmus/c/c_reader.h"
#include "litmus/c/linux_words.h"

namespace weakspot::litmus {
namespace {

Fence fence_named(FenceName name) {
  Fence fence;
  fence.kind = FenceKind::named;
  fence.name = name;
  return fence;
}

// `atomic_fetch_add_relaxed` and the like, taken apart.
struct LinuxRmw {
  enum class Result : std::uint8_t { none, old_value, new_value, is_zero, is_negative };
  RmwOp op = RmwOp::add;
  Result result = Result::none;
  Order order = Order::relaxed;
  bool by_one = false;
};

bool take_prefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

std::optional<LinuxRmw> rmw_named(std::string_view name) {
  LinuxRmw rmw;
  if (!take_prefix(name, "atomic_")) return std::nullopt;
  const bool fetch = take_prefix(name, "fetch_");
  const base::Named<RmwOp>* found = nullptr;
  for (const auto& entry : kLinuxOps) {
    if (name.starts_with(entry.name)) found = &entry;
  }
  if (found == nullptr) return std::nullopt;
  rmw.op = found->value;
  rmw.by_one = found->name == "inc" || found->name == "dec";
  name.remove_prefix(found->name.size());
  if (fetch) {
    rmw.result = LinuxRmw::Result::old_value;
  } else if (take_prefix(name, "_return")) {
    rmw.result = LinuxRmw::Result::new_value;
  } else if (name.empty()) {
    return rmw;  // returns nothing and orders nothing
  } else if (name == "_and_test" || name == "_negative") {
    rmw.result = name == "_and_test" ? LinuxRmw::Result::is_zero : LinuxRmw::Result::is_negative;
    rmw.order = Order::seq_cst;
    return rmw;
  } else {
    return std::nullopt;
  }
  const std::optional<Order> order = base::value_of(kLinuxOrders, name);
  if (!order) return std::nullopt;
  rmw.order = *order;
  return rmw;
}

// Functions of the kernel that only the reader knows, to refuse them by name.
bool is_not_modelled(std::string_view name) {
  for (std::string_view stem :
       {"atomic64_", "atomic_long_", "refcount_", "kref_", "mutex_", "down_", "up_", "read_lock", "read_unlock",
        "write_lock", "write_unlock", "call_rcu", "rcu_barrier", "cond_"}) {
    if (name.starts_with(stem)) return true;
  }
  for (std::string_view part : {"srcu", "seqlock", "seqcount", "raw_spin_", "_irqsave", "_irqrestore", "_irq", "_bh"}) {
    if (name.find(part) != std::string_view::npos) return true;
  }
  for (std::string_view known : kLinuxNotModelled) {
    if (name == known) return true;
  }
  return false;
}

}  // namespace

std::optional<CExpression> CFunctionReader::linux_call(const Token& name) {
  std::string_view text = name.text;
  if (std::optional<FenceName> fence = base::value_of(kLinuxFences, text)) {
    cursor_.next();
    if (!cursor_.expect(")", "after the fence")) return std::nullopt;
    emit(fence_named(*fence), {start_, cursor_.last_end()});
    return CExpression{};
  }
  if (std::optional<LinuxAccess> access = base::value_of(kLinuxAccesses, text)) {
    cursor_.next();
    return linux_access(name, *access);
  }
  if (text == "spin_lock" || text == "spin_unlock" || text == "spin_trylock") {
    cursor_.next();
    return linux_lock(text);
  }
  if (std::optional<LinuxRmw> rmw = rmw_named(text)) {
    cursor_.next();
    std::optional<Operand> operand = integer(1);
    if (!rmw->by_one) {
      std::optional<CExpression> given = expression();
      if (!given) return std::nullopt;
      operand = value(std::move(*given));
      if (!operand || !cursor_.expect(",", "and the pointer")) return std::nullopt;
    }
    std::optional<Access> access = atomic_access();
    if (!access || !cursor_.expect(")", "after the arguments")) return std::nullopt;
    access->order = rmw->order;
    if (rmw->result == LinuxRmw::Result::none) {
      Rmw operation;
      operation.op = rmw->op;
      operation.access = *access;
      operation.operand = *operand;
      emit(operation, {start_, cursor_.last_end()});
      return CExpression{};
    }
    CExpression old = linux_rmw(rmw->op, *access, *operand, std::nullopt);
    if (rmw->result == LinuxRmw::Result::old_value) return old;
    CExpression updated;
    updated.type = old.type;
    std::optional<Operand> before = value(std::move(old));
    if (!before) return std::nullopt;
    updated.pending = Compute{*compute_op_named(to_string(rmw->op)), {}, *before, *operand};
    if (rmw->result == LinuxRmw::Result::new_value) return updated;
    std::optional<Operand> result = value(std::move(updated));
    if (!result) return std::nullopt;
    const ComputeOp test = rmw->result == LinuxRmw::Result::is_zero ? ComputeOp::eq : ComputeOp::lt;
    CExpression truth;
    truth.pending = Compute{test, {}, *result, Operand(integer(0))};
    return truth;
  }
  take_prefix(text, "atomic_");
  const bool compares = take_prefix(text, "cmpxchg");
  if (compares || take_prefix(text, "xchg")) {
    if (std::optional<Order> order = base::value_of(kLinuxOrders, text)) {
      cursor_.next();
      return linux_exchange(compares, *order);
    }
  }
  if (is_not_modelled(name.text)) {
    cursor_.mistake(name.span, fmt::format("{} is not modelled", describe(name)));
    return std::nullopt;
  }
  cursor_.mistake(name.span, fmt::format("unknown function {}; expected one of the Linux kernel's such as READ_ONCE or "
                                         "smp_mb",
                                         describe(name)));
  return std::nullopt;
}

// READ_ONCE(*x), smp_load_acquire(x), WRITE_ONCE(*x, 1), ...
std::optional<CExpression> CFunctionReader::linux_access(const Token& name, const LinuxAccess& word) {
  std::optional<Access> access;
  if (word.pointer) {
    access = atomic_access();
  } else {
    std::optional<CExpression> object = expression();
    if (!object) return std::nullopt;
    const auto* load = std::get_if<Load>(&object->pending);
    if (load == nullptr) {
      cursor_.mistake(object->span, fmt::format("{} takes an object in memory such as *x", describe(name)));
      return std::nullopt;
    }
    access = load->access;
    pointee_ = object->type;
  }
  if (!access) return std::nullopt;
  access->order = word.order;
  access->tags.erase(Tag::volatile_);
  if (!word.store) {
    if (!cursor_.expect(")", "after the argument")) return std::nullopt;
    CExpression result;
    result.type = pointee_;
    result.pending = Load{{}, *access};
    return result;
  }
  std::optional<Operand> stored = argument();
  if (!stored || !cursor_.expect(")", "after the arguments")) return std::nullopt;
  emit(Store{*access, *stored, std::nullopt}, {start_, cursor_.last_end()});
  if (word.fenced) emit(fence_named(FenceName::linux_mb), {start_, cursor_.last_end()});
  return CExpression{};
}

// A lock is free at 0. Taking it waits until it is; trying reports whether it was.
std::optional<CExpression> CFunctionReader::linux_lock(std::string_view name) {
  std::optional<Access> access = atomic_access();
  if (!access || !cursor_.expect(")", "after the lock")) return std::nullopt;
  access->order = name == "spin_unlock" ? Order::release : Order::acquire;
  access->tags.insert(Tag::lock);
  const base::Span span{start_, cursor_.last_end()};
  if (name == "spin_unlock") {
    emit(Store{*access, integer(0), std::nullopt}, span);
    return CExpression{};
  }
  Rmw rmw;
  rmw.op = RmwOp::cas;
  rmw.access = *access;
  rmw.expected = integer(0);
  rmw.operand = integer(1);
  CExpression result;
  if (name == "spin_trylock") {
    result.pending = rmw;
  } else {
    emit(rmw, span);
  }
  return result;
}

std::optional<CExpression> CFunctionReader::linux_exchange(bool compares, Order order) {
  std::optional<Access> access = atomic_access();
  if (!access) return std::nullopt;
  access->order = order;
  std::optional<Operand> expected;
  if (compares) {
    expected = argument();
    if (!expected) return std::nullopt;
  }
  std::optional<Operand> stored = argument();
  if (!stored || !cursor_.expect(")", "after the arguments")) return std::nullopt;
  return linux_rmw(compares ? RmwOp::cas : RmwOp::exch, *access, *stored, expected);
}

// The old value.
CExpression CFunctionReader::linux_rmw(RmwOp op, const Access& access, const Operand& operand,
                                       const std::optional<Operand>& expected) {
  Rmw rmw;
  rmw.op = op;
  rmw.access = access;
  rmw.operand = operand;
  rmw.expected = expected;
  CExpression result;
  result.type = pointee_;
  result.pending = rmw;
  return result;
}

}  // namespace weakspot::litmus
