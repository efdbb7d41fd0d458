// SPDX-License-Identifier: MIT
// The functions of <stdatomic.h> and of OpenCL C that a test may call.
#include <fmt/format.h>

#include "litmus/c/c_function.h"

namespace weakspot::litmus {
namespace {

CExpression no_value() { return CExpression{}; }

// ---- arguments ----

template <typename Enum, std::size_t N>
std::optional<Enum> constant(CFunction& f, const base::Named<Enum> (&names)[N], std::string_view what) {
  const Token word = f.cursor.peek();
  std::optional<Enum> given = base::value_of(names, word.text);
  if (given) {
    f.cursor.next();
  } else if (word.kind == Token::Kind::word) {
    f.cursor.mistake(word.span,
                     fmt::format("unknown {} {}; expected {}", what, describe(word), base::list_names(names)));
  } else {
    f.cursor.expected(fmt::format("a {} such as {}", what, names[0].name));
  }
  return given;
}

std::optional<Order> order(CFunction& f) {
  const base::Span span = f.cursor.peek().span;
  std::optional<Order> given = constant(f, kCOrders, "memory order");
  if (given == Order::consume && f.face == CFace::opencl) {
    f.cursor.mistake(span, "OpenCL has no memory_order_consume");
    return std::nullopt;
  }
  return given;
}

std::optional<Scope> scope(CFunction& f) { return constant(f, kCScopes, "memory scope"); }

std::optional<Spaces> flags(CFunction& f) {
  Spaces spaces;
  do {
    std::optional<Space> given = constant(f, kCFlags, "flag");
    if (!given) return std::nullopt;
    spaces.insert(*given);
  } while (f.cursor.accept("|"));
  return spaces;
}

bool orders_and_scope(CFunction& f, bool is_explicit, Access& access, Order* failure) {
  access.order = Order::seq_cst;
  if (is_explicit) {
    if (!f.cursor.expect(",", "and a memory order")) return false;
    std::optional<Order> given = order(f);
    if (!given) return false;
    access.order = *given;
    if (failure != nullptr) {
      if (!f.cursor.expect(",", "and the memory order of a failure")) return false;
      std::optional<Order> given_failure = order(f);
      if (!given_failure) return false;
      *failure = *given_failure;
    }
    if (f.cursor.peek().is(",")) {
      const Token comma = f.cursor.next();
      if (f.face != CFace::opencl) {
        f.cursor.mistake(comma.span, "C11 has no memory scopes; expected ')' after the order. Is this an OPENCL test?");
        return false;
      }
      std::optional<Scope> given_scope = scope(f);
      if (!given_scope) return false;
      access.scope = *given_scope;
    }
  }
  return f.cursor.expect(
      ")", is_explicit ? "after the arguments" : "after the arguments; the '_explicit' form takes an order");
}

// ---- functions ----

bool only_opencl(CFunction& f, const Token& word, std::string_view what) {
  if (f.face == CFace::opencl) return true;
  f.cursor.mistake(word.span, fmt::format("C11 has no {}; is this an OPENCL test?", what));
  return false;
}

std::optional<CExpression> atomic_load(CFunction& f, bool is_explicit) {
  const base::Span start = f.cursor.peek().span;
  std::optional<Access> access = read_c_atomic_access(f);
  if (!access || !orders_and_scope(f, is_explicit, *access, nullptr)) return std::nullopt;
  if (access->order == Order::release || access->order == Order::acq_rel) {
    f.cursor.mistake({start.begin, f.cursor.last_end()},
                     fmt::format("a load cannot be {}; expected relaxed, consume, acquire or seq_cst",
                                 base::name_of(kCOrders, access->order)));
    return std::nullopt;
  }
  CExpression result;
  result.type.base = access->type;
  result.pending = Load{{}, *access};
  return result;
}

std::optional<CExpression> atomic_store(CFunction& f, bool is_explicit) {
  const base::Span start = f.cursor.peek().span;
  Store store;
  std::optional<Access> access = read_c_atomic_access(f);
  if (!access) return std::nullopt;
  std::optional<Operand> stored = read_c_argument(f);
  if (!stored || !orders_and_scope(f, is_explicit, *access, nullptr)) return std::nullopt;
  if (access->order != Order::relaxed && access->order != Order::release && access->order != Order::seq_cst) {
    f.cursor.mistake({start.begin, f.cursor.last_end()},
                     fmt::format("a store cannot be {}; expected relaxed, release or seq_cst",
                                 base::name_of(kCOrders, access->order)));
    return std::nullopt;
  }
  store.access = *access;
  store.value = *stored;
  f.emit(store, {f.start, f.cursor.last_end()});
  return no_value();
}

std::optional<CExpression> atomic_fetch(CFunction& f, RmwOp op, bool is_explicit) {
  Rmw rmw;
  rmw.op = op;
  std::optional<Access> access = read_c_atomic_access(f);
  if (!access) return std::nullopt;
  std::optional<Operand> operand = read_c_argument(f);
  if (!operand || !orders_and_scope(f, is_explicit, *access, nullptr)) return std::nullopt;
  rmw.access = *access;
  rmw.operand = *operand;
  CExpression result;
  result.type.base = access->type;
  result.pending = rmw;
  return result;
}

// (object, &expected or a pointer, desired [, success, failure [, scope]])
std::optional<CExpression> compare_exchange(CFunction& f, bool weak, bool is_explicit) {
  Rmw rmw;
  rmw.op = RmwOp::cas;
  rmw.may_fail = weak;
  std::optional<Access> access = read_c_atomic_access(f);
  if (!access || !f.cursor.expect(",", "after the pointer")) return std::nullopt;
  std::optional<RegisterId> local;
  std::optional<Access> memory;
  if (f.cursor.accept("&")) {
    std::optional<Token> name = f.cursor.word("a local variable after '&'");
    const CFunction::Symbol* symbol = name ? f.find(*name) : nullptr;
    if (symbol == nullptr) return std::nullopt;
    if (symbol->parameter) {
      f.cursor.mistake(name->span, fmt::format("{} is a pointer already", describe(*name)));
      return std::nullopt;
    }
    local = symbol->reg;
  } else {
    std::optional<CExpression> pointer = read_c_expression(f);
    if (!pointer) return std::nullopt;
    const CType type = pointer->type;
    std::optional<Address> place = f.address(std::move(*pointer));
    if (!place) return std::nullopt;
    memory = f.plain_access(*place, type);
  }
  std::optional<Operand> desired = read_c_argument(f);
  rmw.failure_order = Order::seq_cst;
  if (!desired || !orders_and_scope(f, is_explicit, *access, &rmw.failure_order)) return std::nullopt;
  if (memory) {
    Load load;
    load.access = *memory;
    load.target = f.temporary(memory->type);
    local = load.target;
    f.emit(load, {f.start, f.cursor.last_end()});
  }
  rmw.access = *access;
  rmw.operand = *desired;
  rmw.target = local;
  rmw.expected = Operand(*local);
  CExpression result;
  result.pending = rmw;
  result.write_back = memory;
  return result;
}

std::optional<CExpression> fence(CFunction& f, std::string_view name) {
  Fence fence;
  if (name == "atomic_thread_fence") {
    std::optional<Order> given = order(f);
    if (!given) return std::nullopt;
    fence.order = *given;
    if (f.face == CFace::opencl) fence.semantics = {Space::global, Space::shared};
  } else {
    std::optional<Spaces> given = flags(f);
    if (!given) return std::nullopt;
    fence.semantics = *given;
    if (name == "atomic_work_item_fence") {
      if (!f.cursor.expect(",", "after the flags")) return std::nullopt;
      std::optional<Order> given_order = order(f);
      if (!given_order || !f.cursor.expect(",", "after the order")) return std::nullopt;
      std::optional<Scope> given_scope = scope(f);
      if (!given_scope) return std::nullopt;
      fence.order = *given_order;
      fence.scope = *given_scope;
    } else {
      // OpenCL 2.0, 6.13.8: the fences of OpenCL 1.x stand for these.
      fence.order = name == "mem_fence" ? Order::acq_rel : name == "read_mem_fence" ? Order::acquire : Order::release;
      fence.scope = Scope::workgroup;
    }
  }
  if (!f.cursor.expect(")", "after the fence's arguments")) return std::nullopt;
  f.emit(fence, {f.start, f.cursor.last_end()});
  return no_value();
}

// A barrier. Without a scope it orders memory for the threads that meet at it.
std::optional<CExpression> barrier(CFunction& f, std::string_view name) {
  Barrier barrier;
  if (name == "sub_group_barrier") barrier.scope = Scope::subgroup;
  barrier.memory_scope = barrier.scope;
  barrier.id = integer(std::exchange(f.barrier_id, 0));
  std::optional<Spaces> given = flags(f);
  if (!given) return std::nullopt;
  barrier.semantics = *given;
  if (f.cursor.accept(",")) {
    std::optional<Scope> memory = scope(f);
    if (!memory) return std::nullopt;
    barrier.memory_scope = *memory;
  }
  if (!f.cursor.expect(")", "after the barrier's arguments")) return std::nullopt;
  f.emit(barrier, {f.start, f.cursor.last_end()});
  return no_value();
}

}  // namespace

std::optional<CExpression> read_c_call(CFunction& f) {
  const Token name = f.cursor.next();
  if (f.face == CFace::linux_kernel) return read_linux_call(f, name);
  std::string_view text = name.text;
  const bool is_explicit = text.ends_with("_explicit");
  if (is_explicit) text.remove_suffix(std::string_view("_explicit").size());

  if (text == "atomic_load" || text == "atomic_store") {
    f.cursor.next();
    return text == "atomic_load" ? atomic_load(f, is_explicit) : atomic_store(f, is_explicit);
  }
  if (text == "atomic_compare_exchange_strong" || text == "atomic_compare_exchange_weak") {
    f.cursor.next();
    return compare_exchange(f, text.ends_with("weak"), is_explicit);
  }
  if (std::optional<RmwOp> op = base::value_of(kCFetches, text)) {
    if ((*op == RmwOp::min || *op == RmwOp::max) && !only_opencl(f, name, "minimum and maximum")) return std::nullopt;
    f.cursor.next();
    return atomic_fetch(f, *op, is_explicit);
  }
  if (name.is("atomic_thread_fence") || name.is("atomic_work_item_fence") || name.is("mem_fence") ||
      name.is("read_mem_fence") || name.is("write_mem_fence")) {
    if (!name.is("atomic_thread_fence") && !only_opencl(f, name, "fences with flags")) return std::nullopt;
    f.cursor.next();
    return fence(f, name.text);
  }
  if (name.is("barrier") || name.is("work_group_barrier") || name.is("sub_group_barrier")) {
    if (!only_opencl(f, name, "barriers")) return std::nullopt;
    f.cursor.next();
    return barrier(f, name.text);
  }
  f.cursor.mistake(name.span,
                   fmt::format("unknown function {}; expected an atomic function such as atomic_load_explicit, "
                               "or a fence",
                               describe(name)));
  return std::nullopt;
}

std::optional<Access> read_c_atomic_access(CFunction& f) {
  std::optional<CExpression> pointer = read_c_expression(f);
  if (!pointer) return std::nullopt;
  f.take_as_pointer(*pointer);
  const CType type = pointer->type;
  const base::Span span = pointer->span;
  std::optional<Address> place = f.address(std::move(*pointer));
  if (!place) return std::nullopt;
  Access access = f.plain_access(*place, type);
  access.tags.erase(Tag::volatile_);
  f.pointee = type.pointee();
  if (f.face == CFace::opencl && size_in_bytes(access.type) < 4) {
    f.cursor.mistake(span, "OpenCL has atomics of 32 and 64 bits only");
    return std::nullopt;
  }
  return access;
}

std::optional<Operand> read_c_argument(CFunction& f) {
  if (!f.cursor.expect(",", "before the next argument")) return std::nullopt;
  std::optional<CExpression> given = read_c_expression(f);
  if (!given) return std::nullopt;
  return f.value(std::move(*given));
}

}  // namespace weakspot::litmus
