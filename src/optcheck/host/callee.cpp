// SPDX-License-Identifier: MIT
#include "optcheck/host/callee.h"

#include <fmt/format.h>

#include <algorithm>

namespace weakspot::optcheck {
namespace {

using codegen::CpuIsa;
using litmus::Order;
using litmus::RmwOp;
using Events = std::vector<CalleeEvent>;

constexpr int kMostCalls = 4;
constexpr int kMostSteps = 400;

// GCC's and LLVM's helpers for atomic operations on AArch64: __aarch64_ldadd4_acq_rel.
struct OutlineAtomic {
  RmwOp op = RmwOp::add;
  int bytes = 4;
  Order order = Order::relaxed;
};
std::optional<OutlineAtomic> outline_atomic(std::string_view name) {
  constexpr std::string_view kPrefix = "__aarch64_";
  static constexpr std::pair<std::string_view, RmwOp> kOps[] = {{"cas", RmwOp::cas},    {"swp", RmwOp::exch},
                                                                {"ldadd", RmwOp::add},  {"ldclr", RmwOp::and_},
                                                                {"ldeor", RmwOp::xor_}, {"ldset", RmwOp::or_}};
  static constexpr std::pair<std::string_view, Order> kOrders[] = {
      {"_relax", Order::relaxed}, {"_acq", Order::acquire}, {"_rel", Order::release}, {"_acq_rel", Order::acq_rel}};
  if (!name.starts_with(kPrefix)) return std::nullopt;
  name.remove_prefix(kPrefix.size());
  for (const auto& [word, op] : kOps) {
    if (!name.starts_with(word) || name.size() <= word.size()) continue;
    const char digit = name[word.size()];
    for (const auto& [suffix, order] : kOrders) {
      if (name.substr(word.size() + 1) == suffix) return OutlineAtomic{op, digit - '0', order};
    }
  }
  return std::nullopt;
}

Order both_orders(Order load, Order store) {
  if (load == Order::seq_cst || store == Order::seq_cst) return Order::seq_cst;
  if (litmus::is_acquire(load)) return litmus::is_release(store) ? Order::acq_rel : Order::acquire;
  return litmus::is_release(store) ? Order::release : Order::relaxed;
}

bool same_events(const Events& a, const Events& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](const auto& x, const auto& y) {
           return x.text == y.text && x.event.kind == y.event.kind && x.event.order == y.event.order;
         });
}

class Following {
 public:
  Following(const ObjectCode& object, const HostValues& arguments) : object_(object), isa_(object.isa()) {
    const std::vector<Register>& registers = argument_registers(isa_);
    start_ = values_at_entry(isa_, true);
    // What the caller knows is better than the number of an argument.
    for (const Register reg : registers) {
      if (arguments[reg].kind == HostKind::number || arguments[reg].kind == HostKind::frame)
        start_[reg] = arguments[reg];
    }
  }

  base::Result<Events> run(const std::string& callee) {
    State state;
    state.values = start_;
    enter(callee, state, 0);
    if (!problem_.empty()) return base::error(fmt::format("{}: {}", callee, problem_));
    return std::move(state.events);
  }

 private:
  struct State {
    HostValues values{};
    Events events;
    std::optional<CpuComparison> compared;
    std::optional<HostValue> compared_value;
    std::optional<Register> status;  // of a store-exclusive
    bool swapped = false;            // the flags say whether a compare-and-swap succeeded
  };

  void enter(const std::string& name, State& state, int depth) {
    if (const auto helper = outline_atomic(name)) return add_helper(name, *helper, state);
    const base::Result<const ObjectFunction*> function = object_.function(name);
    if (!function || depth > kMostCalls) {
      problem_ = function ? "too many calls" : base::messages(function.errors());
      return;
    }
    walk(**function, 0, state, depth);
  }

  void add_helper(const std::string& name, const OutlineAtomic& helper, State& state) {
    const bool swap = helper.op == RmwOp::cas;
    const std::size_t at = swap ? 2 : 1;
    CalleeEvent made;
    made.event.kind = EventKind::rmw;
    made.event.bytes = helper.bytes;
    made.event.order = helper.order;
    made.event.op = helper.op;
    made.text = name;
    add_source(state.values[at], made.address);
    for (std::size_t i = 0; i < at; ++i) add_source(state.values[i], made.data);
    if (made.address.empty() && state.values[at].kind == HostKind::frame) return;
    state.events.push_back(std::move(made));
    apply_call(isa_, state.values);
  }

  void add_source(const HostValue& value, std::vector<Register>& to) const {
    if (value.kind == HostKind::argument)
      to.push_back(argument_registers(isa_)[static_cast<std::size_t>(value.number)]);
  }

  // To the end of the function.
  void walk(const ObjectFunction& function, std::size_t i, State& state, int depth) {
    for (; i < function.code.size() && problem_.empty();) {
      if (++steps_ > kMostSteps) {
        problem_ = "the function is too long";
        return;
      }
      const ObjectInstruction& one = function.code[i];
      const CpuDecoded& code = one.code();
      if (one.any.call) {
        if (one.callee.empty()) return fail("it calls a function without a name");
        enter(one.callee, state, depth + 1);
        apply_call(isa_, state.values);
        ++i;
        continue;
      }
      if (one.any.leaves) return fail("it jumps to what a register says");
      access(one, state);
      if (!problem_.empty()) return;
      if (code.jump) {
        const std::optional<std::size_t> target = function.number_at(*code.jump);
        if (!target && !code.step.falls_through) return tail(*code.jump, state, depth);
        if (!target) return fail("it jumps out of the function");
        if (!code.step.falls_through) {
          i = *target;
          continue;
        }
        const std::optional<bool> taken = is_taken(code, state, *target <= i);
        if (!taken) return both_ways(function, i, *target, state, depth);
        i = *taken ? *target : i + 1;
        continue;
      }
      if (!code.step.falls_through) return;
      note_flags(code, state);
      apply(isa_, one.any, state.values);
      ++i;
    }
  }

  void fail(std::string what) { problem_ = std::move(what); }

  // A jump to another function is its last call.
  void tail(std::uint64_t at, State& state, int depth) {
    const std::string name = object_.function_at(at);
    if (name.empty()) return fail("it jumps out of the function");
    enter(name, state, depth + 1);
  }

  // What is not known must not matter.
  void both_ways(const ObjectFunction& function, std::size_t i, std::size_t target, State& state, int depth) {
    if (target <= i) return fail("it has a loop that depends on memory");
    State other = state;
    walk(function, i + 1, state, depth);
    if (!problem_.empty()) return;
    walk(function, target, other, depth);
    if (problem_.empty() && !same_events(state.events, other.events)) fail("its accesses depend on memory");
  }

  void note_flags(const CpuDecoded& code, State& state) {
    const bool writes_flags =
        std::find(code.step.writes.begin(), code.step.writes.end(), kFlagsRegister) != code.step.writes.end();
    if (!writes_flags) return;
    state.compared = code.comparison;
    state.compared_value.reset();
    if (code.comparison) state.compared_value = state.values[code.comparison->left];
    state.swapped = code.event && code.event->op == RmwOp::cas;
  }

  // A loop goes on until it succeeds.
  std::optional<bool> is_taken(const CpuDecoded& code, State& state, bool back) const {
    if (back && state.status && code.when == CpuCondition::not_zero &&
        code.step.condition == std::vector{*state.status})
      return false;
    if (back && state.swapped && code.when == CpuCondition::not_equal) {
      fold_swap(state.events);
      return false;
    }
    if (code.when == CpuCondition::zero || code.when == CpuCondition::not_zero) {
      const HostValue value =
          code.step.condition.empty() ? HostValue{HostKind::number, 0} : state.values[code.step.condition[0]];
      if (value.kind != HostKind::number) return std::nullopt;
      return (value.number == 0) == (code.when == CpuCondition::zero);
    }
    if (!state.compared || !state.compared_value || state.compared_value->kind != HostKind::number) return std::nullopt;
    const std::uint64_t mask =
        state.compared->bytes == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * state.compared->bytes)) - 1;
    const std::uint64_t left = static_cast<std::uint64_t>(state.compared_value->number) & mask;
    const std::uint64_t right = static_cast<std::uint64_t>(state.compared->constant) & mask;
    switch (code.when) {
      case CpuCondition::equal:
        return left == right;
      case CpuCondition::not_equal:
        return left != right;
      case CpuCondition::below:
        return left < right;
      case CpuCondition::not_below:
        return left >= right;
      case CpuCondition::not_above:
        return left <= right;
      case CpuCondition::above:
        return left > right;
      default:
        return std::nullopt;
    }
  }

  // A load before a compare-and-swap that is tried again belongs to it.
  static void fold_swap(Events& events) {
    if (events.size() < 2 || events[events.size() - 2].event.kind != EventKind::load) return;
    events.erase(events.end() - 2);
    events.back().event.op.reset();
    events.back().loop = true;
  }

  void access(const ObjectInstruction& one, State& state) {
    const CpuDecoded& code = one.code();
    if (code.event && code.event->kind == EventKind::fence) {
      state.events.push_back({*code.event, code.text, false, {}, {}});
      return;
    }
    if (!code.address || (!code.event && !one.any.memory)) return;
    const HostValue where = address_of(*code.address, state.values);
    if (where.kind == HostKind::frame || where.kind == HostKind::number) return;
    if (!code.event || one.any.memory)
      return fail(fmt::format("'{}' accesses memory in a way that is not known", code.text));
    CalleeEvent made;
    made.event = *code.event;
    made.text = code.text;
    add_source(where, made.address);
    if (code.event->kind != EventKind::load) {
      for (const Register reg : code.step.data) add_source(state.values[reg], made.data);
    }
    state.status.reset();
    if (code.status) {
      state.status = code.status;
      if (!state.events.empty() && state.events.back().event.exclusive) {
        CalleeEvent& load = state.events.back();
        load.event.kind = EventKind::rmw;
        load.event.exclusive = false;
        load.event.order = both_orders(load.event.order, made.event.order);
        load.loop = true;
        load.text += " ... " + made.text;
        load.data.insert(load.data.end(), made.data.begin(), made.data.end());
        return;
      }
    }
    state.events.push_back(std::move(made));
  }

  const ObjectCode& object_;
  CpuIsa isa_;
  HostValues start_{};
  std::string problem_;
  int steps_ = 0;
};

}  // namespace

base::Result<std::vector<CalleeEvent>> follow_call(const ObjectCode& object, const std::string& callee,
                                                   const HostValues& arguments) {
  return Following(object, arguments).run(callee);
}

}  // namespace weakspot::optcheck
