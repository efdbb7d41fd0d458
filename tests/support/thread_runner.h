// SPDX-License-Identifier: MIT
// Running one thread of a small test on concrete values, every read trying every value its location may hold: the first
// half of the brute-force oracle. For tests only.
//
// The runner knows the instructions that random tests use: no computed addresses but the constant kind. Loops go round
// twice at most; longer runs are left out.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "litmus/instruction.h"
#include "litmus/test.h"
#include "support/too_large.h"

namespace weakspot::tests {

using litmus::Order;
using litmus::Value;

struct Access {
  char kind = 'I';  // Initial, Read, Write, Fence, Barrier
  int thread = -1;
  int location = -1;  // the memory, whatever name it was reached by
  int name = -1;      // the name
  int offset = 0;     // bytes into the memory
  int size = 0;
  Value value;
  std::set<int> addr, data, ctrl;  // reads of the thread, by position
  std::set<int> arm_ctrl;          // those of ctrl before whose branches' arms met
  // Reads like those above, but the value is not computed from them: by a compare-and-swap they decide which one it is.
  std::set<int> pick_addr, pick_data, pick_ctrl;
  int rmw_read = -1;    // position
  int agent = 0;        // 0 is the thread itself, the others are its asynchronous operations as they are issued
  std::set<int> after;  // events of the thread's agents that it waits for, by position
  // The number of the access, set when runs are put together and accesses are split where others begin or end. Parts of
  // one access have the same number.
  int operation = -1;
  int rmw_operation = -1;                   // for a write: the number of its read
  int access_offset = 0, access_size = -1;  // of the access before it was split
  litmus::Scope scope = litmus::Scope::device;
  Order order = Order::plain;
  const litmus::Instruction* source = nullptr;
};

struct Run {  // one run of one thread
  std::vector<Access> events;
  std::vector<Value> registers;
};

// The bytes of a number, the lowest first.
inline std::vector<int> bytes_of(std::int64_t number, int size) {
  std::vector<int> bytes;
  for (int i = 0; i < size; ++i)
    bytes.push_back(static_cast<int>((static_cast<std::uint64_t>(number) >> (8 * i)) & 255));
  return bytes;
}

inline std::int64_t number_of(const std::vector<int>& bytes) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) number |= static_cast<std::uint64_t>(bytes[i]) << (8 * i);
  return static_cast<std::int64_t>(number);
}

// The possible contents of memory: every store that may happen, and where accesses begin and end.
struct Values {
  struct Store {
    int location, offset;
    std::vector<int> bytes;
    auto operator<=>(const Store&) const = default;
  };
  std::set<Store> stores;
  std::set<std::pair<int, int>> cuts;  // location, offset

  // Each stretch between two cuts comes from one store, the next perhaps from another.
  std::set<Value> readable(int location, int offset, litmus::Type type) const {
    std::set<std::vector<int>> found = {{}};
    int begin = offset;
    const int end = offset + litmus::size_in_bytes(type);
    while (begin < end) {
      int next = begin + 1;
      while (next < end && !cuts.contains({location, next})) ++next;
      std::set<std::vector<int>> longer;
      for (const Store& store : stores) {
        const int last = store.offset + static_cast<int>(store.bytes.size());
        if (store.location != location || store.offset > begin || last < next) continue;
        for (std::vector<int> bytes : found) {
          bytes.insert(bytes.end(), store.bytes.begin() + begin - store.offset,
                       store.bytes.begin() + next - store.offset);
          longer.insert(bytes);
        }
      }
      found = longer;
      begin = next;
    }
    std::set<Value> values;
    for (const std::vector<int>& bytes : found) values.insert(Value{litmus::wrap(number_of(bytes), type), {}});
    return values;
  }

  friend bool operator==(const Values&, const Values&) = default;
};

// The location that an alias stands for; others stand for themselves.
inline litmus::LocationId memory_of(const litmus::LitmusTest& test, litmus::LocationId id) {
  while (test[id].alias_of) id = *test[id].alias_of;
  return id;
}

class ThreadRunner {
 public:
  // With `wild` a branch on what was read goes both ways: used to find which values may be stored.
  ThreadRunner(const litmus::LitmusTest& test, int thread, const Values& values, bool wild)
      : test_(test),
        thread_(thread),
        code_(test.threads[static_cast<std::size_t>(thread)]),
        values_(values),
        wild_(wild) {}

  std::vector<Run> all() {
    State state;
    for (const litmus::Register& reg : code_.registers) state.registers.push_back({reg.initial, {}});
    step(state);
    return runs_;
  }

 private:
  struct Tainted {
    Value value;
    std::set<int> reads, picks;
  };
  struct State {
    std::size_t next = 0;
    std::vector<Tainted> registers;
    std::vector<Access> events;
    std::set<int> ctrl, pick_ctrl;
    // Branches that were passed: what they depend on, until an instruction is reached that each way from them leads to.
    struct Open {
      std::set<std::size_t> ends;
      std::set<int> reads;
    };
    std::vector<Open> open;
    int reserved = -1;
    int rounds = 0;
    int agents = 0;
    std::map<litmus::AsyncEngine, std::vector<std::size_t>> commits;  // the number of events before each
    const litmus::Instruction* current = nullptr;

    int agent() const { return current->agent == 0 ? 0 : agents; }
    std::set<int> arm_ctrl() const {
      std::set<int> all;
      for (const Open& one : open) all.insert(one.reads.begin(), one.reads.end());
      return all;
    }
  };

  static bool is_count(const Access& access) {
    const auto* rmw = std::get_if<litmus::Rmw>(&access.source->operation);
    return rmw != nullptr && rmw->refill != 0;
  }

  // Lane copies go through the generic proxy.
  static bool is_product(const Access& access) {
    return access.agent != 0 && access.source->engine == litmus::AsyncEngine::wgmma;
  }

  static bool is_lane(const Access& access) {
    const litmus::Access* from = litmus::access_of(*access.source);
    return access.agent != 0 && from != nullptr && from->proxy == litmus::Proxy::generic && !is_count(access) &&
           !is_product(access) && !is_on_tensors(access);
  }

  static bool is_on_tensors(const Access& access) {
    static const std::set<litmus::AsyncEngine> engines = {litmus::AsyncEngine::tcld, litmus::AsyncEngine::tcst,
                                                          litmus::AsyncEngine::tccp, litmus::AsyncEngine::tcmma};
    return access.agent != 0 && engines.contains(access.source->engine);
  }

  // PTX ISA, "mbarrier based completion mechanism" of tcgen05: copies and products.
  static std::set<int> committed(const State& state) {
    std::set<int> found;
    for (std::size_t i = 0; i < state.events.size(); ++i) {
      const Access& event = state.events[i];
      if (!is_on_tensors(event) || is_count(event)) continue;
      const litmus::AsyncEngine engine = event.source->engine;
      if (engine != litmus::AsyncEngine::tcld && engine != litmus::AsyncEngine::tcst) found.insert(static_cast<int>(i));
    }
    return found;
  }

  static std::set<int> lanes(const State& state) {
    std::set<int> found;
    for (std::size_t i = 0; i < state.events.size(); ++i) {
      if (is_lane(state.events[i])) found.insert(static_cast<int>(i));
    }
    return found;
  }

  // Where control may go from an instruction; the number of instructions is the end.
  std::vector<std::size_t> next_of(std::size_t index) const {
    const litmus::Instruction& instruction = code_.instructions[index];
    const auto* branch = std::get_if<litmus::Branch>(&instruction.operation);
    if (branch == nullptr) return {index + 1};
    std::vector<std::size_t> next;
    for (std::size_t i = 0; i < code_.instructions.size(); ++i) {
      const auto* label = std::get_if<litmus::Label>(&code_.instructions[i].operation);
      if (label != nullptr && label->name == branch->label) next.push_back(i);
    }
    if (branch->condition || instruction.guard) next.push_back(index + 1);
    return next;
  }

  // The instructions that every way from `index` passes, those that go round for ever included.
  std::set<std::size_t> passed_after(std::size_t index) const {
    const std::size_t end = code_.instructions.size();
    std::set<std::size_t> passed;
    for (std::size_t one = 0; one <= end; ++one) {
      std::set<std::size_t> avoiding;
      for (std::size_t i = 0; i <= end; ++i) {
        if (i != one) avoiding.insert(i);
      }
      for (bool changed = true; changed;) {
        changed = std::erase_if(avoiding, [&](std::size_t i) {
                    if (i == end) return false;
                    const std::vector<std::size_t> next = next_of(i);
                    return std::none_of(next.begin(), next.end(), [&](std::size_t n) { return avoiding.contains(n); });
                  }) != 0;
      }
      const std::vector<std::size_t> next = next_of(index);
      if (std::none_of(next.begin(), next.end(), [&](std::size_t n) { return avoiding.contains(n); }))
        passed.insert(one);
    }
    return passed;
  }

  Tainted get(const State& state, const litmus::Operand& operand) const {
    if (const auto* reg = std::get_if<litmus::RegisterId>(&operand)) return state.registers[reg->index];
    return {std::get<Value>(operand), {}};
  }

  static Value number(std::int64_t number, litmus::Type type) { return Value{litmus::wrap(number, type), {}}; }

  Access access(const State& state, char kind, const litmus::Access& from) const {
    Access access{.kind = kind,
                  .thread = thread_,
                  .ctrl = state.ctrl,
                  .arm_ctrl = state.arm_ctrl(),
                  .scope = from.scope,
                  .source = state.current};
    access.agent = state.agent();
    access.name = static_cast<int>(from.address.location->index);
    access.location = static_cast<int>(memory_of(test_, *from.address.location).index);
    access.offset = static_cast<int>(from.address.offset);
    access.size = litmus::size_in_bytes(from.type);
    access.order = from.order;
    // A half of a read-modify-write has the order of that half.
    if (kind == 'R' && from.order == Order::acq_rel) access.order = Order::acquire;
    if (kind == 'R' && from.order == Order::release) access.order = Order::relaxed;
    if (kind == 'W' && from.order == Order::acq_rel) access.order = Order::release;
    if (kind == 'W' && (from.order == Order::acquire || from.order == Order::acquire_pc)) access.order = Order::relaxed;
    access.pick_ctrl = state.pick_ctrl;
    if (from.address.index) {
      access.addr = state.registers[from.address.index->index].reads;
      access.pick_addr = state.registers[from.address.index->index].picks;
    }
    return access;
  }

  void set(State& state, litmus::RegisterId reg, std::int64_t value, std::set<int> reads,
           std::set<int> picks = {}) const {
    state.registers[reg.index] = {number(value, code_.registers[reg.index].type), std::move(reads), std::move(picks)};
  }

  void step(State state) {
    if (state.next == code_.instructions.size()) {
      Run run{state.events, {}};
      for (const Tainted& reg : state.registers) run.registers.push_back(reg.value);
      if (runs_.size() >= kMostRuns) throw TooLarge();
      runs_.push_back(run);
      return;
    }
    std::erase_if(state.open, [&](const auto& one) { return one.ends.contains(state.next); });
    const litmus::Instruction& instruction = code_.instructions[state.next++];
    const bool begins = state.next < 2 || code_.instructions[state.next - 2].agent != instruction.agent;
    if (instruction.agent != 0 && begins) ++state.agents;
    state.current = &instruction;
    if (instruction.guard) {
      const Tainted& predicate = state.registers[instruction.guard->predicate.index];
      state.ctrl.insert(predicate.reads.begin(), predicate.reads.end());
      state.pick_ctrl.insert(predicate.picks.begin(), predicate.picks.end());
      const bool jumps = std::holds_alternative<litmus::Branch>(instruction.operation);
      state.open.push_back({jumps ? passed_after(state.next - 1) : std::set<std::size_t>{state.next}, predicate.reads});
      const bool holds = (predicate.value.number != 0) != instruction.guard->negated;
      const bool either = wild_ && !predicate.reads.empty();
      if (!holds || either) step(state);
      if (!holds && !either) return;
    }
    std::visit([&](const auto& op) { run(state, op); }, instruction.operation);
  }

  void run(State state, const litmus::Load& load) {
    const int position = static_cast<int>(state.events.size());
    Access read = access(state, 'R', load.access);
    if (load.access.tags.has(litmus::Tag::exclusive)) state.reserved = position;
    for (const Value& value : values_.readable(read.location, read.offset, load.access.type)) {
      State next = state;
      read.value = value;
      next.events.push_back(read);
      set(next, load.target, value.number, {position});
      step(next);
    }
  }

  // RISC-V: the halves of an atomic operation depend on the same values, and are depended on together. The success of a
  // conditional store is known by its write.
  bool one_operation() const { return test_.arch == litmus::Arch::riscv; }

  void run(State state, const litmus::Store& store) {
    const int reserved = state.reserved;
    if (store.status) {
      state.reserved = -1;
      State failed = state;
      set(failed, *store.status, 1, {});
      step(failed);
      if (reserved < 0) return;
    }
    Access write = access(state, 'W', store.access);
    const Tainted value = get(state, store.value);
    write.value = number(value.value.number, store.access.type);
    write.data = value.reads;
    write.pick_data = value.picks;
    if (store.status) {
      const Access& loaded = state.events[static_cast<std::size_t>(reserved)];
      if (loaded.location != write.location || loaded.offset != write.offset || loaded.size != write.size) return;
      write.rmw_read = reserved;
      set(state, *store.status, 0, {});
      if (one_operation()) set(state, *store.status, 0, {static_cast<int>(state.events.size())});
    }
    state.events.push_back(write);
    step(state);
  }

  static std::int64_t modified(litmus::RmwOp op, std::int64_t old, std::int64_t operand) {
    switch (op) {
      case litmus::RmwOp::add:
        return old + operand;
      case litmus::RmwOp::sub:
        return old - operand;
      case litmus::RmwOp::inc:
        return old >= operand ? 0 : old + 1;
      case litmus::RmwOp::max:
        return std::max(old, operand);
      case litmus::RmwOp::or_:
        return old | operand;
      default:
        return operand;
    }
  }

  void run(State state, const litmus::Rmw& rmw) {
    const int position = static_cast<int>(state.events.size());
    Access read = access(state, 'R', rmw.access);
    // An agent that begins by counting follows the lane copies before it, or those to tensor memory.
    const bool follows =
        rmw.refill != 0 && read.agent != 0 && (state.events.empty() || state.events.back().agent != read.agent);
    if (follows) read.after = is_on_tensors(read) ? committed(state) : lanes(state);
    std::set<int> halves = {position};
    if (one_operation()) {
      read.data = get(state, rmw.operand).reads;
      halves.insert(position + 1);
    }
    for (const Value& old : values_.readable(read.location, read.offset, rmw.access.type)) {
      State next = state;
      read.value = old;
      next.events.push_back(read);
      Access write = access(next, 'W', rmw.access);
      Tainted operand = get(next, rmw.operand);
      operand.value = number(operand.value.number, rmw.access.type);
      write.value = number(modified(rmw.op, old.number, operand.value.number), rmw.access.type);
      // Bits 0 to 41 of an mbarrier's state are these when nothing is to come.
      const bool over = (write.value.number & 0x3ffffffffff) == 0x10000080000;
      if (rmw.refill != 0 && over) write.value.number += rmw.refill - (write.value.number >> 52);  // dropped ones
      write.after = read.after;
      write.data = operand.reads;
      write.pick_data = operand.picks;
      write.rmw_read = position;
      if (rmw.op != litmus::RmwOp::cas) {
        if (rmw.target) set(next, *rmw.target, old.number, halves);
        next.events.push_back(write);
        step(next);
        continue;
      }
      Tainted expected = get(next, *rmw.expected);
      expected.value = number(expected.value.number, rmw.access.type);
      std::set<int> both = expected.reads;
      both.insert(position);
      const bool equal = old == expected.value;
      if (!equal || rmw.may_fail || wild_) {
        State failed = next;
        const litmus::Arch arch = test_.arch;
        if (arch == litmus::Arch::generic || arch == litmus::Arch::c11 || arch == litmus::Arch::opencl) {
          failed.events.back().order = rmw.failure_order;
        }
        if (rmw.target) set(failed, *rmw.target, old.number, {position});
        if (rmw.success) set(failed, *rmw.success, 0, both, expected.picks);
        step(failed);
      }
      if (equal || wild_) {
        // An AArch64 register may keep its value, which is then picked.
        const bool picks = test_.arch == litmus::Arch::aarch64;
        std::set<int>& compared = picks ? write.pick_data : write.data;
        compared.insert(expected.reads.begin(), expected.reads.end());
        write.pick_data.insert(expected.picks.begin(), expected.picks.end());
        next.events.push_back(write);
        if (picks && rmw.target) {
          State kept = next;
          std::set<int> by = expected.picks;
          by.insert(position);
          set(kept, *rmw.target, old.number, expected.reads, by);
          if (rmw.success) set(kept, *rmw.success, 1, both, expected.picks);
          step(kept);
        }
        if (rmw.target) set(next, *rmw.target, old.number, halves);
        if (rmw.success) set(next, *rmw.success, 1, both, expected.picks);
        step(next);
      }
    }
  }

  void run(State state, const litmus::Fence& fence) {
    state.events.push_back({.kind = 'F',
                            .thread = thread_,
                            .ctrl = state.ctrl,
                            .arm_ctrl = state.arm_ctrl(),
                            .pick_ctrl = state.pick_ctrl,
                            .agent = state.agent(),
                            .scope = fence.scope,
                            .order = fence.order,
                            .source = state.current});
    step(state);
  }

  // The groups that a wait finds complete are all but the youngest.
  void run(State state, const litmus::AsyncControl& control) {
    using Control = litmus::AsyncControl::Kind;
    std::vector<std::size_t>& commits = state.commits[control.engine];
    if (control.kind == Control::commit) commits.push_back(state.events.size());
    if (control.kind == Control::commit) return step(state);
    Access wait{
        .kind = 'F', .thread = thread_, .ctrl = state.ctrl, .arm_ctrl = state.arm_ctrl(), .pick_ctrl = state.pick_ctrl};
    wait.source = state.current;
    const std::size_t complete = commits.size() - std::min(commits.size(), static_cast<std::size_t>(control.pending));
    const bool of_groups = control.kind == Control::wait || control.kind == Control::wait_read;
    for (std::size_t i = 0; of_groups && i < state.events.size(); ++i) {
      const Access& event = state.events[i];
      if (event.agent != 0 && is_on_tensors(event)) {
        // PTX ISA, "tcgen05.wait": all loads, or all stores, that the thread has issued.
        if (event.source->engine == control.engine) wait.after.insert(static_cast<int>(i));
        continue;
      }
      if (event.agent == 0 || (control.kind == Control::wait_read && event.kind != 'R')) continue;
      const auto of_agent = [&](const Access& other) { return other.agent == event.agent; };
      const auto is_of = [&](bool (*holds)(const Access&)) {
        return std::any_of(state.events.begin(), state.events.end(),
                           [&](const Access& other) { return of_agent(other) && holds(other); });
      };
      const bool lane = control.engine == litmus::AsyncEngine::lane;
      const bool product = control.engine == litmus::AsyncEngine::wgmma;
      if (is_of(is_count) || is_of(is_lane) != lane || is_of(is_product) != product) continue;
      const auto group = static_cast<std::size_t>(
          std::count_if(commits.begin(), commits.end(), [&](std::size_t before) { return before <= i; }));
      if (group < complete) wait.after.insert(static_cast<int>(i));
    }
    state.events.push_back(wait);
    step(state);
  }

  // Taken apart before.
  template <typename Op>
    requires litmus::kIsAsynchronous<Op>
  void run(State, const Op&) {
    throw TooLarge();
  }

  void run(State state, const litmus::Barrier& barrier) {
    state.events.push_back({.kind = 'B',
                            .thread = thread_,
                            .ctrl = state.ctrl,
                            .arm_ctrl = state.arm_ctrl(),
                            .pick_ctrl = state.pick_ctrl,
                            .scope = barrier.memory_scope,
                            .order = barrier.order,
                            .source = state.current});
    step(state);
  }

  void run(State state, const litmus::Compute& compute) {
    const Tainted left = get(state, compute.left);
    const Tainted right = compute.right ? get(state, *compute.right) : Tainted{};
    std::set<int> reads = left.reads;
    reads.insert(right.reads.begin(), right.reads.end());
    std::set<int> picks = left.picks;
    picks.insert(right.picks.begin(), right.picks.end());
    const std::int64_t a = left.value.number;
    const std::int64_t b = right.value.number;
    std::int64_t result = a;
    if (compute.op == litmus::ComputeOp::add) result = a + b;
    if (compute.op == litmus::ComputeOp::xor_) result = a ^ b;
    if (compute.op == litmus::ComputeOp::eq) result = a == b;
    if (compute.op == litmus::ComputeOp::ne) result = a != b;
    if (compute.op == litmus::ComputeOp::and_) result = a & b;
    if (compute.op == litmus::ComputeOp::shr) result = a >> b;
    set(state, compute.target, result, reads, picks);
    step(state);
  }

  void run(State state, const litmus::Branch& branch) {
    bool taken = true;
    bool either = false;
    if (branch.condition) {
      const Tainted left = get(state, branch.condition->left);
      const Tainted right = get(state, branch.condition->right);
      state.ctrl.insert(left.reads.begin(), left.reads.end());
      state.ctrl.insert(right.reads.begin(), right.reads.end());
      state.pick_ctrl.insert(left.picks.begin(), left.picks.end());
      state.pick_ctrl.insert(right.picks.begin(), right.picks.end());
      std::set<int> both = left.reads;
      both.insert(right.reads.begin(), right.reads.end());
      state.open.push_back({passed_after(state.next - 1), std::move(both)});
      taken = left.value == right.value;
      if (branch.condition->op == litmus::CompareOp::ne) taken = !taken;
      either =
          wild_ && !(left.reads.empty() && right.reads.empty()) && branch.condition->left != branch.condition->right;
    }
    if (!taken || either) step(state);
    if (!taken && !either) return;
    for (std::size_t i = 0; i < code_.instructions.size(); ++i) {
      const auto* label = std::get_if<litmus::Label>(&code_.instructions[i].operation);
      if (label == nullptr || label->name != branch.label) continue;
      if (i < state.next && ++state.rounds > kMostRounds) return;
      state.next = i;
      break;
    }
    step(state);
  }

  void run(State state, const litmus::Select& select) {
    const Tainted left = get(state, select.condition.left);
    const Tainted right = get(state, select.condition.right);
    const Tainted yes = get(state, select.yes);
    const Tainted no = get(state, select.no);
    bool holds = left.value == right.value;
    if (select.condition.op == litmus::CompareOp::ne) holds = !holds;
    if (select.condition.op == litmus::CompareOp::lt) holds = left.value.number < right.value.number;
    const bool either = wild_ && !(left.reads.empty() && right.reads.empty());
    for (const bool way : {false, true}) {
      if (way != holds && !either) continue;
      // An AArch64 select is computed from what it takes, and picked by what it compares.
      std::vector<const Tainted*> computed = {way ? &yes : &no};
      std::vector<const Tainted*> compared = {&left, &right};
      if (test_.arch != litmus::Arch::aarch64) {
        computed = {&yes, &no, &left, &right};
        compared.clear();
      }
      std::set<int> reads, picks;
      for (const Tainted* one : computed) {
        reads.insert(one->reads.begin(), one->reads.end());
        picks.insert(one->picks.begin(), one->picks.end());
      }
      for (const Tainted* one : compared) {
        picks.insert(one->reads.begin(), one->reads.end());
        picks.insert(one->picks.begin(), one->picks.end());
      }
      State next = state;
      set(next, select.target, (way ? yes : no).value.number, reads, picks);
      step(next);
    }
  }

  void run(State state, const litmus::Label&) { step(state); }

  static constexpr std::size_t kMostRuns = 5000;
  static constexpr int kMostRounds = 1;

  const litmus::LitmusTest& test_;
  int thread_;
  const litmus::Thread& code_;
  const Values& values_;
  bool wild_;
  std::vector<Run> runs_;
};

// The possible contents of memory, in about as many rounds as there are writes. Each round adds the stores of runs
// whose reads return values of the round before. `add` in a circle has no fixed point and would go on for ever.
inline Values possible_values(const litmus::LitmusTest& test) {
  Values values;
  for (std::size_t i = 0; i < test.locations.size(); ++i) {
    const litmus::Location& location = test.locations[i];
    if (location.alias_of) continue;
    values.stores.insert(
        {static_cast<int>(i), 0, bytes_of(location.initial.number, litmus::size_in_bytes(location.type))});
  }
  // The number of writes in the longest run does not depend on the values: branches go both ways.
  std::size_t writes = 0;
  for (std::size_t t = 0; t < test.threads.size(); ++t) {
    std::ptrdiff_t most = 0;
    for (const Run& run : ThreadRunner(test, static_cast<int>(t), values, true).all()) {
      for (const Access& event : run.events) {
        if (event.location < 0) continue;
        values.cuts.insert({event.location, event.offset});
        values.cuts.insert({event.location, event.offset + event.size});
      }
      most = std::max(most, std::count_if(run.events.begin(), run.events.end(),
                                          [](const Access& event) { return event.kind == 'W'; }));
    }
    writes += static_cast<std::size_t>(most);
  }
  for (std::size_t round = 0; round < writes + 1; ++round) {
    Values next = values;
    for (std::size_t t = 0; t < test.threads.size(); ++t) {
      for (const Run& run : ThreadRunner(test, static_cast<int>(t), values, true).all()) {
        for (const Access& event : run.events) {
          if (event.kind != 'W') continue;
          next.stores.insert({event.location, event.offset, bytes_of(event.value.number, event.size)});
        }
      }
    }
    if (next == values) break;
    values = next;
  }
  return values;
}

}  // namespace weakspot::tests
