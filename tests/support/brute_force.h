// The oracle of the enumeration's tests: every execution of a small test, found in the most obvious way. For tests
// only.
//
// It shares nothing with the enumeration but the test itself: threads are run on concrete values, every read trying
// every value its location may hold; then every way to match reads with writes of their value, every order of the
// writes, and models written as loops over matrices of truth values. It knows what random tests use: one width, no
// computed addresses but the constant kind, forward branches only.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <vector>

#include "litmus/outcome.h"
#include "litmus/test.h"

namespace weakspot::tests {

using litmus::Value;
using Matrix = std::vector<std::vector<bool>>;

struct Access {
  char kind = 'I';  // Initial, Read, Write, Fence
  int thread = -1;
  int location = -1;
  Value value;
  std::set<int> addr, data, ctrl;  // reads of the thread, by position
  int rmw_read = -1;               // position
  litmus::Scope scope = litmus::Scope::device;
};

struct Run {  // of one thread
  std::vector<Access> events;
  std::vector<Value> registers;
};

using Values = std::map<int, std::set<Value>>;  // by location

struct Execution {
  std::vector<Access> events;
  std::vector<int> source;  // by event: what a read reads from
  Matrix po, rf, co, fr, addr, data, ctrl, rmw;
  const litmus::LitmusTest* test = nullptr;

  std::size_t size() const { return events.size(); }
  bool same_location(std::size_t a, std::size_t b) const {
    return events[a].location >= 0 && events[a].location == events[b].location;
  }
  bool external(std::size_t a, std::size_t b) const { return events[a].thread != events[b].thread; }
};

using Model = std::function<bool(const Execution&)>;

struct Summary {
  litmus::OutcomeSet outcomes;
  std::uint64_t executions = 0;
  friend bool operator==(const Summary&, const Summary&) = default;
};

// ---- running a thread ----

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
    std::set<int> reads;
  };
  struct State {
    std::size_t next = 0;
    std::vector<Tainted> registers;
    std::vector<Access> events;
    std::set<int> ctrl;
    int reserved = -1;
  };

  Tainted get(const State& state, const litmus::Operand& operand) const {
    if (const auto* reg = std::get_if<litmus::RegisterId>(&operand)) return state.registers[reg->index];
    return {std::get<Value>(operand), {}};
  }

  static Value number(std::int64_t number, litmus::Type type) { return Value{litmus::wrap(number, type), {}}; }

  Access access(const State& state, char kind, const litmus::Access& from) const {
    Access access{.kind = kind, .thread = thread_, .ctrl = state.ctrl};
    access.location = static_cast<int>(from.address.location->index);
    if (from.address.index) access.addr = state.registers[from.address.index->index].reads;
    return access;
  }

  void set(State& state, litmus::RegisterId reg, std::int64_t value, std::set<int> reads) const {
    state.registers[reg.index] = {number(value, code_.registers[reg.index].type), std::move(reads)};
  }

  void step(State state) {
    if (state.next == code_.instructions.size()) {
      Run run{state.events, {}};
      for (const Tainted& reg : state.registers) run.registers.push_back(reg.value);
      runs_.push_back(run);
      return;
    }
    const litmus::Instruction& instruction = code_.instructions[state.next++];
    if (instruction.guard) {
      const Tainted& predicate = state.registers[instruction.guard->predicate.index];
      state.ctrl.insert(predicate.reads.begin(), predicate.reads.end());
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
    for (const Value& value : values_.at(read.location)) {
      State next = state;
      read.value = value;
      next.events.push_back(read);
      set(next, load.target, value.number, {position});
      step(next);
    }
  }

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
    if (store.status) {
      if (state.events[static_cast<std::size_t>(reserved)].location != write.location) return;
      write.rmw_read = reserved;
      set(state, *store.status, 0, {});
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
    for (const Value& old : values_.at(read.location)) {
      State next = state;
      read.value = old;
      next.events.push_back(read);
      Access write = access(next, 'W', rmw.access);
      const Tainted operand = get(next, rmw.operand);
      write.value = number(modified(rmw.op, old.number, operand.value.number), rmw.access.type);
      write.data = operand.reads;
      write.rmw_read = position;
      if (rmw.op != litmus::RmwOp::cas) {
        if (rmw.target) set(next, *rmw.target, old.number, {position});
        next.events.push_back(write);
        step(next);
        continue;
      }
      const Tainted expected = get(next, *rmw.expected);
      std::set<int> both = expected.reads;
      both.insert(position);
      const bool equal = old == expected.value;
      if (!equal || rmw.may_fail || wild_) {
        State failed = next;
        if (rmw.target) set(failed, *rmw.target, old.number, {position});
        if (rmw.success) set(failed, *rmw.success, 0, both);
        step(failed);
      }
      if (equal || wild_) {
        write.data.insert(expected.reads.begin(), expected.reads.end());
        if (rmw.target) set(next, *rmw.target, old.number, {position});
        if (rmw.success) set(next, *rmw.success, 1, both);
        next.events.push_back(write);
        step(next);
      }
    }
  }

  void run(State state, const litmus::Fence& fence) {
    state.events.push_back({.kind = 'F', .thread = thread_, .ctrl = state.ctrl, .scope = fence.scope});
    step(state);
  }

  void run(State state, const litmus::Barrier&) { step(state); }

  void run(State state, const litmus::Compute& compute) {
    const Tainted left = get(state, compute.left);
    const Tainted right = compute.right ? get(state, *compute.right) : Tainted{};
    std::set<int> reads = left.reads;
    reads.insert(right.reads.begin(), right.reads.end());
    const std::int64_t a = left.value.number;
    const std::int64_t b = right.value.number;
    std::int64_t result = a;
    if (compute.op == litmus::ComputeOp::add) result = a + b;
    if (compute.op == litmus::ComputeOp::xor_) result = a ^ b;
    if (compute.op == litmus::ComputeOp::eq) result = a == b;
    set(state, compute.target, result, reads);
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
      taken = left.value == right.value;
      if (branch.condition->op == litmus::CompareOp::ne) taken = !taken;
      either =
          wild_ && !(left.reads.empty() && right.reads.empty()) && branch.condition->left != branch.condition->right;
    }
    if (!taken || either) step(state);
    if (!taken && !either) return;
    for (std::size_t i = 0; i < code_.instructions.size(); ++i) {
      const auto* label = std::get_if<litmus::Label>(&code_.instructions[i].operation);
      if (label != nullptr && label->name == branch.label) state.next = i;
    }
    step(state);
  }

  void run(State state, const litmus::Label&) { step(state); }

  [[maybe_unused]] const litmus::LitmusTest& test_;
  int thread_;
  const litmus::Thread& code_;
  const Values& values_;
  bool wild_;
  std::vector<Run> runs_;
};

// The values each location may hold: what is stored when reads return such values, in as many rounds as there are
// writes. `add` in a circle would go on for ever.
inline Values possible_values(const litmus::LitmusTest& test) {
  Values values;
  for (std::size_t i = 0; i < test.locations.size(); ++i) {
    values[static_cast<int>(i)].insert(Value{test.locations[i].initial.number, {}});
  }
  // How many writes the longest run has does not depend on the values: branches go both ways.
  std::size_t writes = 0;
  for (std::size_t t = 0; t < test.threads.size(); ++t) {
    std::ptrdiff_t most = 0;
    for (const Run& run : ThreadRunner(test, static_cast<int>(t), values, true).all()) {
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
          if (event.kind == 'W') next[event.location].insert(event.value);
        }
      }
    }
    if (next == values) break;
    values = next;
  }
  return values;
}

// ---- executions ----

inline Matrix matrix(std::size_t size) { return Matrix(size, std::vector<bool>(size)); }

inline bool acyclic(Matrix m) {
  const std::size_t size = m.size();
  for (std::size_t k = 0; k < size; ++k) {
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < size; ++j) m[i][j] = m[i][j] || (m[i][k] && m[k][j]);
    }
  }
  for (std::size_t i = 0; i < size; ++i) {
    if (m[i][i]) return false;
  }
  return true;
}

class BruteForce {
 public:
  BruteForce(const litmus::LitmusTest& test, const Model& model, bool partial)
      : test_(test), model_(model), partial_(partial) {}

  Summary run() {
    const Values values = possible_values(test_);
    for (std::size_t t = 0; t < test_.threads.size(); ++t) {
      runs_.push_back(ThreadRunner(test_, static_cast<int>(t), values, false).all());
    }
    std::vector<const Run*> chosen;
    choose_runs(chosen);
    return summary_;
  }

 private:
  void choose_runs(std::vector<const Run*>& chosen) {
    if (chosen.size() == runs_.size()) return place(chosen);
    for (const Run& run : runs_[chosen.size()]) {
      chosen.push_back(&run);
      choose_runs(chosen);
      chosen.pop_back();
    }
  }

  // Whether every value read is one that was stored; saves looking at the many combinations where it is not.
  bool plausible(const std::vector<const Run*>& chosen) const {
    std::set<std::pair<int, Value>> stored;
    for (std::size_t i = 0; i < test_.locations.size(); ++i) {
      stored.emplace(static_cast<int>(i), test_.locations[i].initial);
    }
    for (const Run* run : chosen) {
      for (const Access& event : run->events) {
        if (event.kind == 'W') stored.emplace(event.location, event.value);
      }
    }
    return std::all_of(chosen.begin(), chosen.end(), [&](const Run* run) {
      return std::all_of(run->events.begin(), run->events.end(), [&](const Access& event) {
        return event.kind != 'R' || stored.contains({event.location, event.value});
      });
    });
  }

  void place(const std::vector<const Run*>& chosen) {
    if (!plausible(chosen)) return;
    Execution execution;
    execution.test = &test_;
    for (std::size_t i = 0; i < test_.locations.size(); ++i) {
      Access initial;
      initial.location = static_cast<int>(i);
      initial.value = test_.locations[i].initial;
      execution.events.push_back(initial);
    }
    std::vector<std::size_t> first;
    for (const Run* run : chosen) {
      first.push_back(execution.events.size());
      execution.events.insert(execution.events.end(), run->events.begin(), run->events.end());
    }
    const std::size_t size = execution.size();
    for (Matrix* m : {&execution.po, &execution.rf, &execution.co, &execution.fr, &execution.addr, &execution.data,
                      &execution.ctrl, &execution.rmw}) {
      *m = matrix(size);
    }
    for (std::size_t t = 0; t < chosen.size(); ++t) {
      const std::vector<Access>& events = chosen[t]->events;
      for (std::size_t i = 0; i < events.size(); ++i) {
        for (std::size_t j = i + 1; j < events.size(); ++j) execution.po[first[t] + i][first[t] + j] = true;
        auto add = [&](Matrix& m, const std::set<int>& reads) {
          for (int read : reads) m[first[t] + static_cast<std::size_t>(read)][first[t] + i] = true;
        };
        add(execution.addr, events[i].addr);
        add(execution.data, events[i].data);
        add(execution.ctrl, events[i].ctrl);
        if (events[i].rmw_read >= 0) add(execution.rmw, {events[i].rmw_read});
      }
    }
    execution.source.assign(size, -1);
    match(execution, 0, chosen);
  }

  void match(Execution& execution, std::size_t event, const std::vector<const Run*>& chosen) {
    if (event == execution.size()) return order(execution, chosen);
    if (execution.events[event].kind != 'R') return match(execution, event + 1, chosen);
    for (std::size_t write = 0; write < execution.size(); ++write) {
      const char kind = execution.events[write].kind;
      if ((kind != 'W' && kind != 'I') || !execution.same_location(write, event)) continue;
      if (execution.events[write].value != execution.events[event].value) continue;
      execution.rf[write][event] = true;
      execution.source[event] = static_cast<int>(write);
      match(execution, event + 1, chosen);
      execution.rf[write][event] = false;
    }
  }

  // Total orders: every permutation of each location's writes. Partial ones: every assignment of before, after or
  // neither to the pairs of writes, of which those that are orders are kept.
  void order(Execution& execution, const std::vector<const Run*>& chosen) {
    std::map<int, std::vector<std::size_t>> writes;
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    execution.co = matrix(execution.size());
    for (std::size_t a = 0; a < execution.size(); ++a) {
      if (execution.events[a].kind == 'W') writes[execution.events[a].location].push_back(a);
      for (std::size_t b = 0; b < execution.size(); ++b) {
        if (!execution.same_location(a, b) || execution.events[b].kind != 'W') continue;
        if (execution.events[a].kind == 'I') execution.co[a][b] = true;
        if (execution.events[a].kind == 'W' && a < b) pairs.emplace_back(a, b);
      }
    }
    if (partial_) {
      choose_orders(execution, pairs, 0, chosen);
    } else {
      permute(execution, writes, writes.begin(), chosen);
    }
  }

  void permute(Execution& execution, std::map<int, std::vector<std::size_t>>& writes,
               std::map<int, std::vector<std::size_t>>::iterator next, const std::vector<const Run*>& chosen) {
    if (next == writes.end()) return judge(execution, chosen);
    std::vector<std::size_t>& order = next->second;
    std::sort(order.begin(), order.end());
    do {
      for (std::size_t i = 0; i < order.size(); ++i) {
        for (std::size_t j = 0; j < order.size(); ++j) execution.co[order[i]][order[j]] = i < j;
      }
      permute(execution, writes, std::next(next), chosen);
    } while (std::next_permutation(order.begin(), order.end()));
  }

  void choose_orders(Execution& execution, const std::vector<std::pair<std::size_t, std::size_t>>& pairs,
                     std::size_t next, const std::vector<const Run*>& chosen) {
    if (next == pairs.size()) {
      if (is_order(execution.co)) judge(execution, chosen);
      return;
    }
    const auto [a, b] = pairs[next];
    execution.co[a][b] = true;
    choose_orders(execution, pairs, next + 1, chosen);
    execution.co[a][b] = false;
    execution.co[b][a] = true;
    choose_orders(execution, pairs, next + 1, chosen);
    execution.co[b][a] = false;
    choose_orders(execution, pairs, next + 1, chosen);
  }

  static bool is_order(const Matrix& co) {
    for (std::size_t i = 0; i < co.size(); ++i) {
      for (std::size_t j = 0; j < co.size(); ++j) {
        for (std::size_t k = 0; k < co.size(); ++k) {
          if (co[i][j] && co[j][k] && !co[i][k]) return false;
        }
      }
    }
    return true;
  }

  void judge(Execution& execution, const std::vector<const Run*>& chosen) {
    const std::size_t size = execution.size();
    execution.fr = matrix(size);
    for (std::size_t read = 0; read < size; ++read) {
      if (execution.source[read] < 0) continue;
      const auto source = static_cast<std::size_t>(execution.source[read]);
      for (std::size_t write = 0; write < size; ++write) execution.fr[read][write] = execution.co[source][write];
    }
    if (!model_(execution)) return;
    ++summary_.executions;
    litmus::Outcome outcome;
    collect(execution, chosen, test_.observed(), outcome);
  }

  void collect(const Execution& execution, const std::vector<const Run*>& chosen,
               const std::vector<litmus::Observable>& observed, litmus::Outcome& outcome) {
    if (outcome.size() == observed.size()) {
      summary_.outcomes.insert(outcome);
      return;
    }
    const litmus::Observable& item = observed[outcome.size()];
    auto with = [&](const Value& value) {
      outcome.push_back(value);
      collect(execution, chosen, observed, outcome);
      outcome.pop_back();
    };
    if (const auto* reg = std::get_if<litmus::ObservedRegister>(&item)) {
      return with(chosen[reg->thread.index]->registers[reg->reg.index]);
    }
    const int location = static_cast<int>(std::get<litmus::LocationId>(item).index);
    for (std::size_t write = 0; write < execution.size(); ++write) {
      const Access& event = execution.events[write];
      if (event.location != location || (event.kind != 'W' && event.kind != 'I')) continue;
      const std::vector<bool>& after = execution.co[write];
      if (std::find(after.begin(), after.end(), true) == after.end()) with(event.value);
    }
  }

  const litmus::LitmusTest& test_;
  const Model& model_;
  bool partial_;
  std::vector<std::vector<Run>> runs_;
  Summary summary_;
};

inline Summary all_executions(const litmus::LitmusTest& test, const Model& model, bool partial = false) {
  return BruteForce(test, model, partial).run();
}

// ---- models ----

// The relation of the pairs that satisfy the predicate.
template <typename Predicate>
Matrix relation(const Execution& x, const Predicate& predicate) {
  Matrix m = matrix(x.size());
  for (std::size_t a = 0; a < x.size(); ++a) {
    for (std::size_t b = 0; b < x.size(); ++b) m[a][b] = predicate(a, b);
  }
  return m;
}

inline bool communicates(const Execution& x, std::size_t a, std::size_t b) {
  return x.rf[a][b] || x.co[a][b] || x.fr[a][b];
}

// No other thread's write comes between the two halves of a read-modify-write.
inline bool atomic(const Execution& x) {
  for (std::size_t r = 0; r < x.size(); ++r) {
    for (std::size_t w = 0; w < x.size(); ++w) {
      if (!x.rmw[r][w]) continue;
      for (std::size_t m = 0; m < x.size(); ++m) {
        if (x.fr[r][m] && x.external(r, m) && x.co[m][w] && x.external(m, w)) return false;
      }
    }
  }
  return true;
}

inline bool anything(const Execution&) { return true; }

inline bool sc(const Execution& x) {
  return atomic(x) && acyclic(relation(x, [&](auto a, auto b) { return x.po[a][b] || communicates(x, a, b); }));
}

inline bool sc_per_location(const Execution& x) {
  return acyclic(
      relation(x, [&](auto a, auto b) { return (x.po[a][b] && x.same_location(a, b)) || communicates(x, a, b); }));
}

inline bool fenced(const Execution& x, std::size_t a, std::size_t b, litmus::Scope at_least) {
  for (std::size_t f = 0; f < x.size(); ++f) {
    if (x.events[f].kind == 'F' && x.events[f].scope >= at_least && x.po[a][f] && x.po[f][b]) return true;
  }
  return false;
}

inline bool tso(const Execution& x) {
  const Matrix order = relation(x, [&](auto a, auto b) {
    const bool store_load = x.events[a].kind == 'W' && x.events[b].kind == 'R';
    const bool kept = x.po[a][b] && !store_load && x.events[a].kind != 'F' && x.events[b].kind != 'F';
    return kept || fenced(x, a, b, litmus::Scope::thread) || (x.rf[a][b] && x.external(a, b)) || x.co[a][b] ||
           x.fr[a][b];
  });
  return sc_per_location(x) && atomic(x) && acyclic(order);
}

// The shape of the 2015 model: no order between reads of one location, dependencies, fences per scope.
inline bool gpu_2015(const Execution& x) {
  const Matrix coherent = relation(x, [&](auto a, auto b) {
    const bool reads = x.events[a].kind == 'R' && x.events[b].kind == 'R';
    return (x.po[a][b] && x.same_location(a, b) && !reads) || communicates(x, a, b);
  });
  auto depends = [&](std::size_t a, std::size_t b) {
    return x.addr[a][b] || x.data[a][b] || (x.ctrl[a][b] && x.events[b].kind == 'W');
  };
  const Matrix thin_air = relation(x, [&](auto a, auto b) { return depends(a, b) || x.rf[a][b]; });
  if (!acyclic(coherent) || !acyclic(thin_air)) return false;
  const litmus::ScopeTree tree = x.test->scope_tree();
  for (litmus::Scope scope : {litmus::Scope::workgroup, litmus::Scope::device, litmus::Scope::system}) {
    const Matrix order = relation(x, [&](auto a, auto b) {
      if (x.events[a].thread < 0 || x.events[b].thread < 0) return false;
      const litmus::ThreadId from{static_cast<std::uint32_t>(x.events[a].thread)};
      const litmus::ThreadId to{static_cast<std::uint32_t>(x.events[b].thread)};
      if (!tree.together(from, to, scope)) return false;
      return depends(a, b) || fenced(x, a, b, scope) || (x.rf[a][b] && x.external(a, b)) || x.co[a][b] || x.fr[a][b];
    });
    if (!acyclic(order)) return false;
  }
  return true;
}

}  // namespace weakspot::tests
