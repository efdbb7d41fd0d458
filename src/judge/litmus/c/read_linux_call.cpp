// SPDX-License-Identifier: MIT
// Calls in tests of the Linux kernel's memory model.
#include <fmt/format.h>

#include "litmus/c/c_function.h"
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

// A read-modify-write whose value is the old one.
CExpression linux_rmw(CFunction& f, RmwOp op, const Access& access, const Operand& operand,
                      const std::optional<Operand>& expected) {
  Rmw rmw;
  rmw.op = op;
  rmw.access = access;
  rmw.operand = operand;
  rmw.expected = expected;
  CExpression result;
  result.type = f.pointee;
  result.pending = rmw;
  return result;
}

// READ_ONCE(*x), smp_load_acquire(x), WRITE_ONCE(*x, 1), ...
std::optional<CExpression> linux_access(CFunction& f, const Token& name, const LinuxAccess& word) {
  std::optional<Access> access;
  if (word.pointer) {
    access = read_c_atomic_access(f);
  } else {
    std::optional<CExpression> object = read_c_expression(f);
    if (!object) return std::nullopt;
    const auto* load = std::get_if<Load>(&object->pending);
    if (load == nullptr) {
      f.cursor.mistake(object->span, fmt::format("{} takes an object in memory such as *x", describe(name)));
      return std::nullopt;
    }
    access = load->access;
    f.pointee = object->type;
  }
  if (!access) return std::nullopt;
  access->order = word.order;
  access->tags.erase(Tag::volatile_);
  if (!word.store) {
    if (!f.cursor.expect(")", "after the argument")) return std::nullopt;
    CExpression result;
    result.type = f.pointee;
    result.pending = Load{{}, *access};
    return result;
  }
  std::optional<Operand> stored = read_c_argument(f);
  if (!stored || !f.cursor.expect(")", "after the arguments")) return std::nullopt;
  f.emit(Store{*access, *stored, std::nullopt}, {f.start, f.cursor.last_end()});
  if (word.fenced) f.emit(fence_named(FenceName::linux_mb), {f.start, f.cursor.last_end()});
  return CExpression{};
}

// A lock is free at 0. Taking it waits until it is; trying reports whether it was.
std::optional<CExpression> linux_lock(CFunction& f, std::string_view name) {
  std::optional<Access> access = read_c_atomic_access(f);
  if (!access || !f.cursor.expect(")", "after the lock")) return std::nullopt;
  access->order = name == "spin_unlock" ? Order::release : Order::acquire;
  access->tags.insert(Tag::lock);
  const base::Span span{f.start, f.cursor.last_end()};
  if (name == "spin_unlock") {
    f.emit(Store{*access, integer(0), std::nullopt}, span);
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
    f.emit(rmw, span);
  }
  return result;
}

std::optional<CExpression> linux_exchange(CFunction& f, bool compares, Order order) {
  std::optional<Access> access = read_c_atomic_access(f);
  if (!access) return std::nullopt;
  access->order = order;
  std::optional<Operand> expected;
  if (compares) {
    expected = read_c_argument(f);
    if (!expected) return std::nullopt;
  }
  std::optional<Operand> stored = read_c_argument(f);
  if (!stored || !f.cursor.expect(")", "after the arguments")) return std::nullopt;
  return linux_rmw(f, compares ? RmwOp::cas : RmwOp::exch, *access, *stored, expected);
}

}  // namespace

std::optional<CExpression> read_linux_call(CFunction& f, const Token& name) {
  std::string_view text = name.text;
  if (std::optional<FenceName> fence = base::value_of(kLinuxFences, text)) {
    f.cursor.next();
    if (!f.cursor.expect(")", "after the fence")) return std::nullopt;
    f.emit(fence_named(*fence), {f.start, f.cursor.last_end()});
    return CExpression{};
  }
  if (std::optional<LinuxAccess> access = base::value_of(kLinuxAccesses, text)) {
    f.cursor.next();
    return linux_access(f, name, *access);
  }
  if (text == "spin_lock" || text == "spin_unlock" || text == "spin_trylock") {
    f.cursor.next();
    return linux_lock(f, text);
  }
  if (std::optional<LinuxRmw> rmw = rmw_named(text)) {
    f.cursor.next();
    std::optional<Operand> operand = integer(1);
    if (!rmw->by_one) {
      std::optional<CExpression> given = read_c_expression(f);
      if (!given) return std::nullopt;
      operand = f.value(std::move(*given));
      if (!operand || !f.cursor.expect(",", "and the pointer")) return std::nullopt;
    }
    std::optional<Access> access = read_c_atomic_access(f);
    if (!access || !f.cursor.expect(")", "after the arguments")) return std::nullopt;
    access->order = rmw->order;
    if (rmw->result == LinuxRmw::Result::none) {
      Rmw operation;
      operation.op = rmw->op;
      operation.access = *access;
      operation.operand = *operand;
      f.emit(operation, {f.start, f.cursor.last_end()});
      return CExpression{};
    }
    CExpression old = linux_rmw(f, rmw->op, *access, *operand, std::nullopt);
    if (rmw->result == LinuxRmw::Result::old_value) return old;
    CExpression updated;
    updated.type = old.type;
    std::optional<Operand> before = f.value(std::move(old));
    if (!before) return std::nullopt;
    updated.pending = Compute{*compute_op_named(to_string(rmw->op)), {}, *before, *operand};
    if (rmw->result == LinuxRmw::Result::new_value) return updated;
    std::optional<Operand> result = f.value(std::move(updated));
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
      f.cursor.next();
      return linux_exchange(f, compares, *order);
    }
  }
  if (is_not_modelled(name.text)) {
    f.cursor.mistake(name.span, fmt::format("{} is not modelled", describe(name)));
    return std::nullopt;
  }
  f.cursor.mistake(name.span,
                   fmt::format("unknown function {}; expected one of the Linux kernel's such as READ_ONCE or "
                               "smp_mb",
                               describe(name)));
  return std::nullopt;
}

}  // namespace weakspot::litmus
