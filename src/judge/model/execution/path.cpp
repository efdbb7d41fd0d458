// SPDX-License-Identifier: MIT
#include "model/execution/path.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "model/execution/arms.h"
#include "model/execution/copies.h"
#include "model/execution/spin.h"

namespace weakspot::model {
namespace {

using litmus::Order;
using litmus::Value;

Reads join(const Reads& a, const Reads& b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  Reads joined;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(joined));
  return joined;
}

Order read_half(Order order) {
  switch (order) {
    case Order::acq_rel:
      return Order::acquire;
    case Order::release:
      return Order::relaxed;
    default:
      return order;
  }
}

Order write_half(Order order) {
  switch (order) {
    case Order::acq_rel:
      return Order::release;
    case Order::acquire:
    case Order::acquire_pc:
    case Order::consume:
      return Order::relaxed;
    default:
      return order;
  }
}

// Languages give a failed compare-and-swap an order of its own; machines read as if it had succeeded.
Order failed_order(const litmus::LitmusTest& test, const litmus::Rmw& rmw) {
  switch (test.arch) {
    case litmus::Arch::generic:
    case litmus::Arch::c11:
    case litmus::Arch::opencl:
      return rmw.failure_order;
    default:
      return read_half(rmw.access.order);
  }
}

// The number of times a backward branch was followed. Rounds without a choice are not counted: a loop that counts to a
// constant is followed to its end.
struct Rounds {
  std::uint32_t followed = 0;
  std::uint32_t choices = 0;  // made when it was last followed
};

struct State {
  Path path;
  std::vector<Tracked> registers;
  Reads ctrl, arm_ctrl, pick_ctrl;
  // The place where the arms of a branch meet, and what they depended on before it.
  struct Join {
    std::size_t at = 0;
    Reads ctrl, arm_ctrl;
  };
  std::vector<Join> joins;
  std::size_t next = 0;  // instruction
  std::size_t executed = 0;
  std::uint32_t choices = 0;
  std::map<std::size_t, Rounds> rounds;  // by branch instruction
  std::map<std::size_t, Visit> visits;   // by label instruction: the last one, for heads of loops
  bool waited = false;                   // a round that only waits was followed
  // An operation that failed though it might have succeeded: the number of events then, and the expression that is zero
  // if it had to fail (none: it never has to).
  struct Spurious {
    std::size_t events = 0;
    std::optional<ExprId> possible;
  };
  std::vector<Spurious> spurious;
  Copies copies;
  std::optional<std::uint32_t> reservation;  // the last load-exclusive without a store-exclusive after it
  std::size_t counted = 0;                   // bytes of the path that count as held already
};

class Unroller {
 public:
  Unroller(const litmus::LitmusTest& test, litmus::ThreadId thread, const SharedAccesses& shared,
           const PathOptions& options)
      : test_(test), thread_(test[thread]), options_(options) {
    if (options.expansion != nullptr) agents_ = &options.expansion->agents[thread.index];
    for (std::size_t i = 0; i < thread_.instructions.size(); ++i) {
      const auto* label = std::get_if<litmus::Label>(&thread_.instructions[i].operation);
      if (label != nullptr) labels_[label->name] = i;
    }
    if (labels_.empty()) return;
    spins_.emplace(test, thread, shared);
    joins_ = where_arms_meet(thread_);
  }

  Paths run() {
    open_.push_back(start());
    if (options_.unfinished) {
      State never = start();
      never.path.ending = Ending::unstarted;
      finish(never);
    }
    while (!open_.empty()) {
      State state = std::move(open_.back());
      open_.pop_back();
      follow(state);
      const bool cut_short = is_used_up();
      if (cut_short || result_.paths.size() >= options_.paths || executed_ >= options_.work) {
        result_.too_many = cut_short || !open_.empty();
        break;
      }
    }
    return std::move(result_);
  }

 private:
  State start() const {
    State state;
    state.registers.reserve(thread_.registers.size());
    state.path.events.reserve(thread_.instructions.size());
    for (const litmus::Register& reg : thread_.registers) {
      state.registers.push_back({state.path.expressions.constant(wrap(reg.initial, reg.type)), {}});
    }
    return state;
  }

  bool is_used_up() const { return options_.allowance != nullptr && options_.allowance->used_up(); }

  // A copied path takes time and memory.
  void put_aside(State fork) {
    if (options_.allowance != nullptr) {
      options_.allowance->spend(1 + fork.path.events.size() / 16);
      fork.counted = fork.path.held();
      options_.allowance->holds(held_ += fork.counted);
    }
    open_.push_back(std::move(fork));
  }

  // Lists a path that ends here, while the thread goes on.
  void list(State state, Ending ending) {
    state.path.ending = ending;
    finish(state);
  }

  void finish(State& state) {
    state.path.registers.reserve(state.registers.size());
    for (const Tracked& reg : state.registers) state.path.registers.push_back(reg.expression);
    if (options_.allowance != nullptr) options_.allowance->holds(held_ += state.path.held() - state.counted);
    result_.paths.push_back(std::move(state.path));
  }

  // Follows one path to its end; forks are put aside in open_.
  void follow(State& state) {
    while (state.next < thread_.instructions.size() && !state.path.given_up && !state.path.spin) {
      ++executed_;
      if (options_.allowance != nullptr && options_.allowance->spend()) break;
      if (++state.executed > options_.instructions) {
        state.path.given_up = true;
        break;
      }
      const std::size_t index = state.next++;
      const litmus::Instruction& instruction = thread_.instructions[index];
      close_arms(state, index);
      if (instruction.guard && !guard_holds(state, index, *instruction.guard)) continue;
      const std::size_t events = state.path.events.size();
      if (instruction.agent != 0 && (index == 0 || thread_.instructions[index - 1].agent != instruction.agent)) {
        state.copies.issue();
      }
      std::visit([&](const auto& operation) { execute(state, index, operation); }, instruction.operation);
      if (instruction.agent != 0) state.copies.add((*agents_)[instruction.agent - 1], state.path.events, events);
      // Reads after the last write of a thread that stops only restrict what the others see.
      const bool wrote = state.path.events.size() > events && state.path.events.back().kind == EventKind::write;
      if (options_.stops && wrote) list(state, Ending::stopped);
    }
    finish(state);
  }

  // ---- choices ----

  // Whether the expression is non-zero on this path. If both are possible, the path forks, and `other(fork)` sets up
  // the side on which it is zero.
  template <typename Other>
  bool decide(State& state, ExprId expression, const Other& other) {
    if (const Value* known = state.path.expressions.as_constant(expression)) return *known != Value{};
    ++state.choices;
    State fork = state;
    fork.path.constraints.push_back({expression, Value{}, true});
    other(fork);
    put_aside(std::move(fork));
    state.path.constraints.push_back({expression, Value{}, false});
    return true;
  }

  static void controlled_by(State& state, const Tracked& value) {
    state.ctrl = join(state.ctrl, value.reads);
    state.arm_ctrl = join(state.arm_ctrl, value.reads);
    state.pick_ctrl = join(state.pick_ctrl, value.picks);
  }

  bool guard_holds(State& state, std::size_t index, const litmus::Guard& guard) {
    const Tracked predicate = state.registers[guard.predicate.index];
    if (joins_.contains(index)) {
      open_arms(state, index);
    } else {
      state.joins.push_back({index + 1, state.ctrl, state.arm_ctrl});
    }
    controlled_by(state, predicate);
    ExprId holds = predicate.expression;
    if (guard.negated) {
      const ExprId zero = state.path.expressions.constant({});
      holds = state.path.expressions.compute(litmus::ComputeOp::eq, litmus::Type::s32, holds, zero);
    }
    return decide(state, holds, [](State&) {});
  }

  // ---- operands ----

  Tracked operand(State& state, const litmus::Operand& operand) const {
    if (const auto* reg = std::get_if<litmus::RegisterId>(&operand)) return state.registers[reg->index];
    return {state.path.expressions.constant(std::get<Value>(operand)), {}};
  }

  Tracked operand(State& state, const litmus::Operand& operand, litmus::Type type) const {
    Tracked tracked = this->operand(state, operand);
    tracked.expression = state.path.expressions.convert(type, tracked.expression);
    return tracked;
  }

  Tracked address(State& state, const litmus::Address& address) const {
    ExpressionPool& pool = state.path.expressions;
    Tracked tracked{pool.constant({address.offset, address.location}), {}};
    if (!address.index) return tracked;
    const Tracked& index = state.registers[address.index->index];
    tracked.reads = index.reads;
    tracked.picks = index.picks;
    tracked.expression = pool.compute(litmus::ComputeOp::add, litmus::Type::s64, tracked.expression, index.expression);
    return tracked;
  }

  void assign(State& state, litmus::RegisterId target, ExprId expression, Reads reads, Reads picks = {}) const {
    const litmus::Type type = thread_.registers[target.index].type;
    state.registers[target.index] = {state.path.expressions.convert(type, expression), std::move(reads),
                                     std::move(picks)};
  }

  void assign_constant(State& state, std::optional<litmus::RegisterId> target, std::int64_t number) const {
    if (target) assign(state, *target, state.path.expressions.constant(litmus::integer(number)), {});
  }

  // ---- events ----

  static std::uint32_t position(const State& state) { return static_cast<std::uint32_t>(state.path.events.size()); }

  PathEvent access_event(State& state, EventKind kind, std::size_t index, const litmus::Access& access) const {
    Tracked where = address(state, access.address);
    return {.kind = kind,
            .instruction = static_cast<std::uint32_t>(index),
            .order = kind == EventKind::read ? read_half(access.order) : write_half(access.order),
            .address = where.expression,
            .named = access.address.location,
            .addr = std::move(where.reads),
            .ctrl = state.ctrl,
            .arm_ctrl = state.arm_ctrl,
            .pick_addr = std::move(where.picks),
            .pick_ctrl = state.pick_ctrl};
  }

  void execute(State& state, std::size_t index, const litmus::Load& load) {
    const std::uint32_t read = position(state);
    state.path.events.push_back(access_event(state, EventKind::read, index, load.access));
    if (load.access.tags.has(litmus::Tag::exclusive)) state.reservation = read;
    assign(state, load.target, state.path.expressions.read(read, load.access.type), {read});
  }

  void execute(State& state, std::size_t index, const litmus::Store& store) {
    const std::optional<std::uint32_t> reservation = state.reservation;
    if (store.status) {
      state.reservation.reset();
      if (!reservation) return assign_constant(state, store.status, 1);
      ++state.choices;
      State fails = state;
      fails.spurious.push_back({fails.path.events.size(), std::nullopt});
      assign_constant(fails, store.status, 1);
      put_aside(std::move(fails));
    }
    PathEvent write = access_event(state, EventKind::write, index, store.access);
    Tracked value = operand(state, store.value, store.access.type);
    write.value = value.expression;
    write.data = std::move(value.reads);
    write.pick_data = std::move(value.picks);
    if (store.status) {
      write.rmw_read = reservation;
      write.exclusive = true;
    }
    state.path.events.push_back(std::move(write));
    if (store.status && one_operation()) {
      assign(state, *store.status, state.path.expressions.constant({}), {position(state) - 1});
    } else {
      assign_constant(state, store.status, 0);
    }
  }

  void execute(State& state, std::size_t index, const litmus::Rmw& rmw) {
    const litmus::Type type = rmw.access.type;
    const std::uint32_t read = position(state);
    const ExprId old = state.path.expressions.read(read, type);
    Tracked value = operand(state, rmw.operand, type);
    state.path.events.push_back(access_event(state, EventKind::read, index, rmw.access));
    PathEvent write = access_event(state, EventKind::write, index, rmw.access);
    write.data = std::move(value.reads);
    write.pick_data = std::move(value.picks);
    write.rmw_read = read;
    if (one_operation()) state.path.events.back().data = write.data;
    Tracked expected;
    if (rmw.op == litmus::RmwOp::cas) {
      expected = operand(state, *rmw.expected, type);
      write.pick_data = join(write.pick_data, expected.picks);
      Reads& compared = picks() ? write.pick_data : write.data;
      compared = join(compared, expected.reads);
      if (!compare_and_swap(state, rmw, read, old, expected)) return;
    }
    write.value = state.path.expressions.modify(rmw.op, type, old, value.expression);
    if (rmw.refill != 0) write.value = mbarrier_after(state.path.expressions, *write.value, rmw);
    state.path.events.push_back(std::move(write));
    if (rmw.op == litmus::RmwOp::cas && picks() && rmw.target) {
      State kept = state;
      assign(kept, *rmw.target, old, expected.reads, join({read}, expected.picks));
      succeed(kept, rmw, read, expected);
      put_aside(std::move(kept));
    }
    Reads known_by = {read};
    if (one_operation()) known_by.push_back(read + 1);
    if (rmw.target) assign(state, *rmw.target, old, std::move(known_by));
    succeed(state, rmw, read, expected);
  }

  void execute(State& state, std::size_t index, const litmus::AsyncControl& control) {
    using Kind = litmus::AsyncControl::Kind;
    if (control.kind == Kind::commit) return state.copies.commit(control.engine);
    PathEvent wait{.kind = EventKind::fence,
                   .instruction = static_cast<std::uint32_t>(index),
                   .ctrl = state.ctrl,
                   .arm_ctrl = state.arm_ctrl,
                   .pick_ctrl = state.pick_ctrl};
    if (control.kind == Kind::wait || control.kind == Kind::wait_read) {
      wait.after = state.copies.completed(control, state.path.events);
    }
    state.path.events.push_back(std::move(wait));
  }

  // Taken apart before: see expand.h.
  void execute(State&, std::size_t, const litmus::AsyncCopy&) {}
  void execute(State&, std::size_t, const litmus::Mbarrier&) {}

  // RISC-V: an atomic operation is one event of its memory order, and the success of a conditional store is known by
  // its write. What depends on the result depends on the write as well, and the read waits for what is written.
  bool one_operation() const { return test_.arch == litmus::Arch::riscv; }

  // Whether a successful compare-and-swap and a select pick their values (see path.h).
  bool picks() const { return test_.arch == litmus::Arch::aarch64; }

  void succeed(State& state, const litmus::Rmw& rmw, std::uint32_t read, const Tracked& expected) const {
    if (!rmw.success) return;
    const ExprId one = state.path.expressions.constant(litmus::integer(1));
    assign(state, *rmw.success, one, join({read}, expected.reads), expected.picks);
  }

  // Puts the failing path aside; false if this path is the failing one.
  bool compare_and_swap(State& state, const litmus::Rmw& rmw, std::uint32_t read, ExprId old, const Tracked& expected) {
    const Reads reads = join({read}, expected.reads);
    auto fail = [&](State& failed) {
      failed.path.events[read].order = failed_order(test_, rmw);
      if (rmw.target) assign(failed, *rmw.target, old, {read});
      if (rmw.success) assign(failed, *rmw.success, failed.path.expressions.constant({}), reads, expected.picks);
    };
    const ExprId equal =
        state.path.expressions.compute(litmus::ComputeOp::eq, litmus::Type::s32, old, expected.expression);
    if (rmw.access.tags.has(litmus::Tag::lock) && !rmw.success) {
      state.path.constraints.push_back({equal, Value{}, false});
    } else if (rmw.may_fail) {
      ++state.choices;
      State failed = state;
      failed.spurious.push_back({failed.path.events.size(), equal});
      fail(failed);
      put_aside(std::move(failed));
      state.path.constraints.push_back({equal, Value{}, false});
    } else if (!decide(state, equal, fail)) {
      fail(state);
      return false;
    }
    return true;
  }

  void execute(State& state, std::size_t index, const litmus::Fence& fence) {
    state.path.events.push_back({.kind = EventKind::fence,
                                 .instruction = static_cast<std::uint32_t>(index),
                                 .order = fence.order,
                                 .ctrl = state.ctrl,
                                 .arm_ctrl = state.arm_ctrl,
                                 .pick_ctrl = state.pick_ctrl});
  }

  void execute(State& state, std::size_t index, const litmus::Barrier& barrier) {
    auto optional = [&](const std::optional<litmus::Operand>& given) {
      return given ? std::optional(operand(state, *given).expression) : std::nullopt;
    };
    state.path.events.push_back({.kind = EventKind::barrier,
                                 .instruction = static_cast<std::uint32_t>(index),
                                 .order = barrier.order,
                                 .barrier_id = operand(state, barrier.id).expression,
                                 .barrier_name = optional(barrier.name),
                                 .barrier_quorum = optional(barrier.quorum),
                                 .ctrl = state.ctrl,
                                 .arm_ctrl = state.arm_ctrl,
                                 .pick_ctrl = state.pick_ctrl});
    if (options_.unfinished && barrier.kind != litmus::Barrier::Kind::arrive) list(state, Ending::blocked);
  }

  void execute(State& state, std::size_t, const litmus::Compute& compute) {
    const Tracked left = operand(state, compute.left);
    const Tracked right = compute.right ? operand(state, *compute.right) : left;
    const litmus::Type type = thread_.registers[compute.target.index].type;
    const ExprId result = state.path.expressions.compute(compute.op, type, left.expression, right.expression);
    state.registers[compute.target.index] = {result, join(left.reads, right.reads), join(left.picks, right.picks)};
  }

  Tracked compare(State& state, const litmus::Comparison& condition) const {
    const Tracked left = operand(state, condition.left);
    const Tracked right = operand(state, condition.right);
    const ExprId holds = state.path.expressions.compute(litmus::as_compute(condition.op), litmus::Type::s32,
                                                        left.expression, right.expression);
    return {holds, join(left.reads, right.reads), join(left.picks, right.picks)};
  }

  void execute(State& state, std::size_t, const litmus::Select& select) {
    const Tracked condition = compare(state, select.condition);
    const Tracked yes = operand(state, select.yes);
    const Tracked no = operand(state, select.no);
    auto choose = [&](State& chosen, const Tracked& one, const Tracked& other) {
      const Reads picks = join(one.picks, condition.picks);
      if (this->picks()) {
        assign(chosen, select.target, one.expression, one.reads, join(picks, condition.reads));
      } else {
        const Reads reads = join(join(one.reads, other.reads), condition.reads);
        assign(chosen, select.target, one.expression, reads, join(picks, other.picks));
      }
    };
    const bool holds = decide(state, condition.expression, [&](State& fork) { choose(fork, no, yes); });
    choose(state, holds ? yes : no, holds ? no : yes);
  }

  void execute(State& state, std::size_t index, const litmus::Branch& branch) {
    if (branch.condition) {
      const Tracked taken = compare(state, *branch.condition);
      open_arms(state, index);
      controlled_by(state, taken);
      if (!decide(state, taken.expression, [](State&) {})) return;
    }
    jump(state, index, labels_.at(branch.label));
  }

  // The Linux kernel's model: an if controls what is in it, not what follows it.
  bool controls_its_arms_only() const { return test_.arch == litmus::Arch::linux_kernel; }

  void open_arms(State& state, std::size_t index) const {
    if (const std::optional<std::size_t> join = joins_.at(index)) {
      state.joins.push_back({*join, state.ctrl, state.arm_ctrl});
    }
  }

  void close_arms(State& state, std::size_t index) const {
    while (!state.joins.empty() && state.joins.back().at <= index) {
      if (state.joins.back().at == index) {
        state.arm_ctrl = std::move(state.joins.back().arm_ctrl);
        if (controls_its_arms_only()) state.ctrl = std::move(state.joins.back().ctrl);
      }
      state.joins.pop_back();
    }
  }

  void execute(State& state, std::size_t index, const litmus::Label&) {
    if (!spins_->is_head(index)) return;
    state.visits[index] = {state.path.events.size(), state.choices, state.registers, state.reservation};
  }

  void jump(State& state, std::size_t from, std::size_t to) {
    if (to > from) {
      state.next = to;
    } else if (!only_waited(state, from, to)) {
      go_back(state, from, to);
    }
  }

  void go_back(State& state, std::size_t from, std::size_t to) const {
    Rounds& rounds = state.rounds[from];
    if (state.choices != rounds.choices && rounds.followed++ == options_.unroll) {
      state.path.given_up = true;
      return;
    }
    rounds.choices = state.choices;
    state.next = to;
  }

  // Ends the path if the round left nothing behind. Where that depends on what was read, the path on which it did leave
  // something is put aside.
  bool only_waited(State& state, std::size_t from, std::size_t to) {
    const auto visit = state.visits.find(to);
    if (visit == state.visits.end() || visit->second.choices == state.choices) return false;
    const std::optional<std::vector<ExprId>> conditions =
        spins_->conditions(state.path, state.registers, state.reservation, to, visit->second, options_.write_backs);
    if (!conditions) return false;
    for (ExprId condition : *conditions) {
      State fork = state;
      fork.path.constraints.push_back({condition, Value{}, true});
      go_back(fork, from, to);
      put_aside(std::move(fork));
      state.path.constraints.push_back({condition, Value{}, false});
    }
    if (options_.races && !state.waited && spins_->may_race(state.path, visit->second)) {
      State again = state;
      again.waited = true;
      again.next = to;
      put_aside(std::move(again));
    }
    state.path.ending = Ending::spins;
    state.path.spin = Spin{to, from, static_cast<std::uint32_t>(visit->second.events)};
    if (options_.unfinished) fail_for_ever(state, visit->second);
    return true;
  }

  // A round that goes on for ever fails because it must: nothing fails for no reason each time.
  static void fail_for_ever(State& state, const Visit& visit) {
    for (const State::Spurious& failure : state.spurious) {
      if (failure.events < visit.events) continue;
      const ExprId possible =
          failure.possible ? *failure.possible : state.path.expressions.constant(litmus::integer(1));
      state.path.constraints.push_back({possible, Value{}, true});
    }
  }

  const litmus::LitmusTest& test_;
  const litmus::Thread& thread_;
  const PathOptions& options_;
  const std::vector<Agent>* agents_ = nullptr;
  std::optional<Spins> spins_;  // if there are labels
  std::size_t executed_ = 0;
  std::size_t held_ = 0;  // bytes of all paths
  std::map<std::string_view, std::size_t> labels_;
  ArmsMeet joins_;
  std::vector<State> open_;
  Paths result_;
};

}  // namespace

std::size_t Path::held() const {
  std::size_t bytes = sizeof *this + expressions.held() + constraints.size() * sizeof(Constraint) +
                      registers.size() * sizeof(ExprId) + events.size() * sizeof(PathEvent);
  for (const PathEvent& event : events) {
    for (const Reads* reads : {&event.after, &event.addr, &event.data, &event.ctrl, &event.arm_ctrl, &event.pick_addr,
                               &event.pick_data, &event.pick_ctrl}) {
      bytes += reads->size() * sizeof(Reads::value_type);
    }
  }
  return bytes;
}

Paths unroll(const litmus::LitmusTest& test, litmus::ThreadId thread, const SharedAccesses& shared,
             const PathOptions& options) {
  return Unroller(test, thread, shared, options).run();
}

}  // namespace weakspot::model
