// SPDX-License-Identifier: MIT
// The functions of <stdatomic.h> and of OpenCL C that a test may call.
#include <fmt/format.h>

#include "litmus/c/c_reader.h"

namespace weakspot::litmus {
namespace {

CExpression no_value() { return CExpression{}; }

}  // namespace

std::optional<CExpression> CFunctionReader::call() {
  const Token name = cursor_.next();
  if (face_ == CFace::linux_kernel) return linux_call(name);
  std::string_view text = name.text;
  const bool is_explicit = text.ends_with("_explicit");
  if (is_explicit) text.remove_suffix(std::string_view("_explicit").size());

  if (text == "atomic_load" || text == "atomic_store") {
    cursor_.next();
    return text == "atomic_load" ? atomic_load(is_explicit) : atomic_store(is_explicit);
  }
  if (text == "atomic_compare_exchange_strong" || text == "atomic_compare_exchange_weak") {
    cursor_.next();
    return compare_exchange(text.ends_with("weak"), is_explicit);
  }
  if (std::optional<RmwOp> op = base::value_of(kCFetches, text)) {
    if ((*op == RmwOp::min || *op == RmwOp::max) && !only_opencl(name, "minimum and maximum")) return std::nullopt;
    cursor_.next();
    return atomic_fetch(*op, is_explicit);
  }
  if (name.is("atomic_thread_fence") || name.is("atomic_work_item_fence") || name.text.ends_with("mem_fence")) {
    if (!name.is("atomic_thread_fence") && !only_opencl(name, "fences with flags")) return std::nullopt;
    cursor_.next();
    return fence(name.text);
  }
  if (name.is("barrier") || name.is("work_group_barrier") || name.is("sub_group_barrier")) {
    if (!only_opencl(name, "barriers")) return std::nullopt;
    cursor_.next();
    return barrier(name.text);
  }
  return unknown_function(name);
}

std::optional<CExpression> CFunctionReader::unknown_function(const Token& name) {
  cursor_.mistake(name.span,
                  fmt::format("unknown function {}; expected an atomic function such as atomic_load_explicit, "
                              "or a fence",
                              describe(name)));
  return std::nullopt;
}

bool CFunctionReader::only_opencl(const Token& word, std::string_view what) {
  if (face_ == CFace::opencl) return true;
  cursor_.mistake(word.span, fmt::format("C11 has no {}; is this an OPENCL test?", what));
  return false;
}

std::optional<CExpression> CFunctionReader::atomic_load(bool is_explicit) {
  const base::Span start = cursor_.peek().span;
  std::optional<Access> access = atomic_access();
  if (!access || !orders_and_scope(is_explicit, *access, nullptr)) return std::nullopt;
  if (access->order == Order::release || access->order == Order::acq_rel) {
    cursor_.mistake({start.begin, cursor_.last_end()},
                    fmt::format("a load cannot be {}; expected relaxed, consume, acquire or seq_cst",
                                base::name_of(kCOrders, access->order)));
    return std::nullopt;
  }
  CExpression result;
  result.type.base = access->type;
  result.pending = Load{{}, *access};
  return result;
}

std::optional<CExpression> CFunctionReader::atomic_store(bool is_explicit) {
  const base::Span start = cursor_.peek().span;
  Store store;
  std::optional<Access> access = atomic_access();
  if (!access) return std::nullopt;
  std::optional<Operand> stored = argument();
  if (!stored || !orders_and_scope(is_explicit, *access, nullptr)) return std::nullopt;
  if (access->order != Order::relaxed && access->order != Order::release && access->order != Order::seq_cst) {
    cursor_.mistake({start.begin, cursor_.last_end()},
                    fmt::format("a store cannot be {}; expected relaxed, release or seq_cst",
                                base::name_of(kCOrders, access->order)));
    return std::nullopt;
  }
  store.access = *access;
  store.value = *stored;
  emit(store, {start_, cursor_.last_end()});
  return no_value();
}

std::optional<CExpression> CFunctionReader::atomic_fetch(RmwOp op, bool is_explicit) {
  Rmw rmw;
  rmw.op = op;
  std::optional<Access> access = atomic_access();
  if (!access) return std::nullopt;
  std::optional<Operand> operand = argument();
  if (!operand || !orders_and_scope(is_explicit, *access, nullptr)) return std::nullopt;
  rmw.access = *access;
  rmw.operand = *operand;
  CExpression result;
  result.type.base = access->type;
  result.pending = rmw;
  return result;
}

// (object, &expected or a pointer, desired [, success, failure [, scope]])
std::optional<CExpression> CFunctionReader::compare_exchange(bool weak, bool is_explicit) {
  Rmw rmw;
  rmw.op = RmwOp::cas;
  rmw.may_fail = weak;
  std::optional<Access> access = atomic_access();
  if (!access || !cursor_.expect(",", "after the pointer")) return std::nullopt;
  std::optional<RegisterId> local;
  std::optional<Access> memory;
  if (cursor_.accept("&")) {
    std::optional<Token> name = cursor_.word("a local variable after '&'");
    const Symbol* symbol = name ? find(*name) : nullptr;
    if (symbol == nullptr) return std::nullopt;
    if (symbol->parameter) {
      cursor_.mistake(name->span, fmt::format("{} is a pointer already", describe(*name)));
      return std::nullopt;
    }
    local = symbol->reg;
  } else {
    std::optional<CExpression> pointer = expression();
    if (!pointer) return std::nullopt;
    const CType type = pointer->type;
    std::optional<Address> place = address(std::move(*pointer));
    if (!place) return std::nullopt;
    memory = plain_access(*place, type);
  }
  std::optional<Operand> desired = argument();
  rmw.failure_order = Order::seq_cst;
  if (!desired || !orders_and_scope(is_explicit, *access, &rmw.failure_order)) return std::nullopt;
  if (memory) {
    Load load;
    load.access = *memory;
    load.target = temporary(memory->type);
    local = load.target;
    emit(load, {start_, cursor_.last_end()});
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

std::optional<CExpression> CFunctionReader::fence(std::string_view name) {
  Fence fence;
  if (name == "atomic_thread_fence") {
    std::optional<Order> given = order();
    if (!given) return std::nullopt;
    fence.order = *given;
    if (face_ == CFace::opencl) fence.semantics = {Space::global, Space::shared};
  } else {
    std::optional<Spaces> given = flags();
    if (!given) return std::nullopt;
    fence.semantics = *given;
    if (name == "atomic_work_item_fence") {
      if (!cursor_.expect(",", "after the flags")) return std::nullopt;
      std::optional<Order> given_order = order();
      if (!given_order || !cursor_.expect(",", "after the order")) return std::nullopt;
      std::optional<Scope> given_scope = scope();
      if (!given_scope) return std::nullopt;
      fence.order = *given_order;
      fence.scope = *given_scope;
    } else {
      // OpenCL 2.0, 6.13.8: the fences of OpenCL 1.x stand for these.
      fence.order = name == "mem_fence" ? Order::acq_rel : name == "read_mem_fence" ? Order::acquire : Order::release;
      fence.scope = Scope::workgroup;
    }
  }
  if (!cursor_.expect(")", "after the fence's arguments")) return std::nullopt;
  emit(fence, {start_, cursor_.last_end()});
  return no_value();
}

// Without a scope the barrier orders memory for those who meet at it.
std::optional<CExpression> CFunctionReader::barrier(std::string_view name) {
  Barrier barrier;
  if (name == "sub_group_barrier") barrier.scope = Scope::subgroup;
  barrier.memory_scope = barrier.scope;
  barrier.id = integer(std::exchange(barrier_id_, 0));
  std::optional<Spaces> given = flags();
  if (!given) return std::nullopt;
  barrier.semantics = *given;
  if (cursor_.accept(",")) {
    std::optional<Scope> memory = scope();
    if (!memory) return std::nullopt;
    barrier.memory_scope = *memory;
  }
  if (!cursor_.expect(")", "after the barrier's arguments")) return std::nullopt;
  emit(barrier, {start_, cursor_.last_end()});
  return no_value();
}

// ---- arguments ----

std::optional<Access> CFunctionReader::atomic_access() {
  std::optional<CExpression> pointer = expression();
  if (!pointer) return std::nullopt;
  take_as_pointer(*pointer);
  const CType type = pointer->type;
  const base::Span span = pointer->span;
  std::optional<Address> place = address(std::move(*pointer));
  if (!place) return std::nullopt;
  Access access = plain_access(*place, type);
  access.tags.erase(Tag::volatile_);
  pointee_ = type.pointee();
  if (face_ == CFace::opencl && size_in_bytes(access.type) < 4) {
    cursor_.mistake(span, "OpenCL has atomics of 32 and 64 bits only");
    return std::nullopt;
  }
  return access;
}

std::optional<Operand> CFunctionReader::argument() {
  if (!cursor_.expect(",", "before the next argument")) return std::nullopt;
  std::optional<CExpression> given = expression();
  if (!given) return std::nullopt;
  return value(std::move(*given));
}

bool CFunctionReader::orders_and_scope(bool is_explicit, Access& access, Order* failure) {
  access.order = Order::seq_cst;
  if (is_explicit) {
    if (!cursor_.expect(",", "and a memory order")) return false;
    std::optional<Order> given = order();
    if (!given) return false;
    access.order = *given;
    if (failure != nullptr) {
      if (!cursor_.expect(",", "and the memory order of a failure")) return false;
      std::optional<Order> given_failure = order();
      if (!given_failure) return false;
      *failure = *given_failure;
    }
    if (cursor_.peek().is(",")) {
      const Token comma = cursor_.next();
      if (face_ != CFace::opencl) {
        cursor_.mistake(comma.span, "C11 has no memory scopes; expected ')' after the order. Is this an OPENCL test?");
        return false;
      }
      std::optional<Scope> given_scope = scope();
      if (!given_scope) return false;
      access.scope = *given_scope;
    }
  }
  return cursor_.expect(
      ")", is_explicit ? "after the arguments" : "after the arguments; the '_explicit' form takes an order");
}

std::optional<Order> CFunctionReader::order() {
  const base::Span span = cursor_.peek().span;
  std::optional<Order> given = constant(kCOrders, "memory order");
  if (given == Order::consume && face_ == CFace::opencl) {
    cursor_.mistake(span, "OpenCL has no memory_order_consume");
    return std::nullopt;
  }
  return given;
}

std::optional<Scope> CFunctionReader::scope() { return constant(kCScopes, "memory scope"); }

std::optional<Spaces> CFunctionReader::flags() {
  Spaces spaces;
  do {
    std::optional<Space> given = constant(kCFlags, "flag");
    if (!given) return std::nullopt;
    spaces.insert(*given);
  } while (cursor_.accept("|"));
  return spaces;
}

template <typename Enum, std::size_t N>
std::optional<Enum> CFunctionReader::constant(const base::Named<Enum> (&names)[N], std::string_view what) {
  const Token word = cursor_.peek();
  std::optional<Enum> given = base::value_of(names, word.text);
  if (given) {
    cursor_.next();
  } else if (word.kind == Token::Kind::word) {
    cursor_.mistake(word.span,
                    fmt::format("unknown {} {}; expected {}", what, describe(word), base::list_names(names)));
  } else {
    cursor_.expected(fmt::format("a {} such as {}", what, names[0].name));
  }
  return given;
}

}  // namespace weakspot::litmus
