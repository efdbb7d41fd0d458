// SPDX-License-Identifier: MIT
// The oracle of the enumeration's tests: every execution of a small test, found in the most obvious way. For tests
// only.
//
// The oracle shares nothing with the enumeration but the test itself. Threads are run on concrete values, every read
// trying every value its bytes may hold. Then every access is split where another begins or ends. Reads are matched
// with writes of their value in every way, and writes are ordered in every way. Models are loops over matrices of truth
// values.
#pragma once

#include <algorithm>
#include <bitset>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <vector>

#include "litmus/instruction.h"
#include "litmus/outcome.h"
#include "litmus/test.h"
#include "support/thread_runner.h"

namespace weakspot::tests {

inline constexpr std::size_t kMostBruteEvents = 64;

// A relation by rows, each with a bit for every event.
using Matrix = std::vector<std::bitset<kMostBruteEvents>>;

struct Execution {
  std::vector<Access> events;
  std::vector<int> source;  // by event: what a read reads from
  Matrix po, rf, co, fr, addr, data, ctrl, arm_ctrl, rmw;
  Matrix pick_addr, pick_data, pick_ctrl;
  Matrix issue, complete;
  const litmus::LitmusTest* test = nullptr;
  std::uint64_t frame = 0;  // executions of one number differ in rf, co and fr only

  std::size_t size() const { return events.size(); }
  bool same_location(std::size_t a, std::size_t b) const {
    return events[a].location >= 0 && events[a].location == events[b].location && events[a].offset == events[b].offset;
  }
  bool external(std::size_t a, std::size_t b) const {
    return events[a].thread != events[b].thread || events[a].agent != events[b].agent;
  }
};

using Model = std::function<bool(const Execution&)>;

struct Summary {
  litmus::OutcomeSet outcomes;
  std::uint64_t executions = 0;
  friend bool operator==(const Summary&, const Summary&) = default;
};

// ---- executions ----

inline Matrix matrix(std::size_t size) { return Matrix(size); }

inline bool acyclic(Matrix m) {
  const std::size_t size = m.size();
  for (std::size_t k = 0; k < size; ++k) {
    for (std::size_t i = 0; i < size; ++i) {
      if (m[i][k]) m[i] |= m[k];
    }
  }
  for (std::size_t i = 0; i < size; ++i) {
    if (m[i][i]) return false;
  }
  return true;
}

class BruteForce {
 public:
  BruteForce(const litmus::LitmusTest& test, const Model& model, bool partial, std::size_t most_combinations)
      : test_(test), model_(model), partial_(partial), most_combinations_(most_combinations) {}

  Summary run() {
    const Values values = possible_values(test_);
    std::size_t combinations = 1;
    for (std::size_t t = 0; t < test_.threads.size(); ++t) {
      runs_.push_back(ThreadRunner(test_, static_cast<int>(t), values, false).all());
      combinations *= runs_.back().size();
      if (combinations > most_combinations_) throw TooLarge();
    }
    std::vector<const Run*> chosen;
    choose_runs(chosen);
    return summary_;
  }

 private:
  using Writes = std::map<std::pair<int, int>, std::vector<std::size_t>>;  // by location and offset

  void choose_runs(std::vector<const Run*>& chosen) {
    if (chosen.size() == runs_.size()) return place(chosen);
    for (const Run& run : runs_[chosen.size()]) {
      chosen.push_back(&run);
      choose_runs(chosen);
      chosen.pop_back();
    }
  }

  // True if every value read was stored by someone: a quick way to skip the many combinations where it was not.
  static bool plausible(const std::vector<Access>& events) {
    std::set<std::tuple<int, int, Value>> stored;
    for (const Access& event : events) {
      if (event.kind == 'W' || event.kind == 'I') stored.emplace(event.location, event.offset, event.value);
    }
    return std::all_of(events.begin(), events.end(), [&](const Access& event) {
      return event.kind != 'R' || stored.contains({event.location, event.offset, event.value});
    });
  }

  // The offsets where accesses of these runs begin and end, by location.
  std::map<int, std::set<int>> cuts(const std::vector<const Run*>& chosen) const {
    std::map<int, std::set<int>> found;
    for (const Run* run : chosen) {
      for (const Access& event : run->events) {
        if (event.location < 0) continue;
        found[event.location].insert({event.offset, event.offset + event.size});
      }
    }
    for (std::size_t i = 0; i < test_.locations.size(); ++i) {
      if (test_.locations[i].alias_of || found.contains(static_cast<int>(i))) continue;
      found[static_cast<int>(i)] = {0, litmus::size_in_bytes(test_.locations[i].type)};
    }
    return found;
  }

  // The parts of an access; itself if it has no bytes.
  static std::vector<Access> split(const Access& access, const std::map<int, std::set<int>>& cuts) {
    if (access.location < 0) return {access};
    const std::vector<int> bytes = bytes_of(access.value.number, access.size);
    std::vector<Access> parts;
    const std::set<int>& places = cuts.at(access.location);
    for (auto at = places.find(access.offset); *at != access.offset + access.size; ++at) {
      Access& part = parts.emplace_back(access);
      part.offset = *at;
      part.size = *std::next(at) - *at;
      part.access_offset = access.offset;
      part.access_size = access.size;
      const auto first = bytes.begin() + part.offset - access.offset;
      part.value = Value{number_of({first, first + part.size}), {}};
    }
    return parts;
  }

  // The initial writes: one for each part that is accessed, though all of a location are one access.
  void add_initial_writes(Execution& execution, const std::vector<const Run*>& chosen,
                          const std::map<int, std::set<int>>& cuts) const {
    for (const auto& [location, places] : cuts) {
      const litmus::Location& named = test_.locations[static_cast<std::size_t>(location)];
      const std::vector<int> bytes = bytes_of(named.initial.number, litmus::size_in_bytes(named.type));
      for (auto at = places.begin(); std::next(at) != places.end(); ++at) {
        const auto covers = [&, offset = *at](const Access& event) {
          return event.location == location && event.offset <= offset && offset < event.offset + event.size;
        };
        bool accessed = places.size() == 2;
        for (const Run* run : chosen)
          accessed = accessed || std::any_of(run->events.begin(), run->events.end(), covers);
        if (!accessed) continue;
        Access& initial = execution.events.emplace_back();
        initial.location = initial.name = location;
        initial.offset = *at;
        initial.size = *std::next(at) - *at;
        initial.value = Value{number_of({bytes.begin() + *at, bytes.begin() + *std::next(at)}), {}};
        initial.operation = -1 - location;
      }
    }
  }

  void place(const std::vector<const Run*>& chosen) {
    static std::uint64_t frames = 0;
    Execution execution;
    execution.test = &test_;
    const std::map<int, std::set<int>> places = cuts(chosen);
    add_initial_writes(execution, chosen, places);
    std::vector<std::vector<std::vector<std::size_t>>> parts(chosen.size());  // by thread and position
    int operations = 0;
    for (std::size_t t = 0; t < chosen.size(); ++t) {
      const int first = operations;
      for (const Access& event : chosen[t]->events) {
        std::vector<std::size_t>& mine = parts[t].emplace_back();
        for (Access& part : split(event, places)) {
          part.operation = operations;
          if (part.rmw_read >= 0) part.rmw_operation = first + part.rmw_read;
          mine.push_back(execution.events.size());
          execution.events.push_back(part);
        }
        ++operations;
      }
    }
    if (!plausible(execution.events)) return;
    if (execution.events.size() > kMostBruteEvents) throw TooLarge();
    execution.frame = ++frames;
    relate(execution, chosen, parts);
    execution.source.assign(execution.size(), -1);
    match(execution, 0, chosen);
  }

  // An access of a copy: not its count on an mbarrier.
  static bool is_moved(const Access& event) {
    if (event.kind != 'R' && event.kind != 'W') return false;
    const auto* rmw = std::get_if<litmus::Rmw>(&event.source->operation);
    return rmw == nullptr || rmw->refill == 0;
  }

  static bool is_further_element(const Access& event) {
    const litmus::Access* access = event.location < 0 ? nullptr : litmus::access_of(*event.source);
    return access != nullptr && access->tags.has(litmus::Tag::vector);
  }

  static void relate(Execution& execution, const std::vector<const Run*>& chosen,
                     const std::vector<std::vector<std::vector<std::size_t>>>& parts) {
    const std::size_t size = execution.size();
    for (Matrix* m : {&execution.po, &execution.rf, &execution.co, &execution.fr, &execution.addr, &execution.data,
                      &execution.ctrl, &execution.arm_ctrl, &execution.rmw, &execution.pick_addr, &execution.pick_data,
                      &execution.pick_ctrl, &execution.issue, &execution.complete}) {
      *m = matrix(size);
    }
    for (std::size_t t = 0; t < chosen.size(); ++t) {
      const std::vector<Access>& events = chosen[t]->events;
      for (std::size_t i = 0; i < events.size(); ++i) {
        auto add = [&](Matrix& m, std::size_t from) {
          for (std::size_t a : parts[t][from]) {
            for (std::size_t b : parts[t][i]) m[a][b] = true;
          }
        };
        auto add_all = [&](Matrix& m, const std::set<int>& reads) {
          for (int read : reads) add(m, static_cast<std::size_t>(read));
        };
        // The elements of a vector access are in no order.
        std::size_t before = i;
        while (before > 0 && is_further_element(events[before])) --before;
        for (std::size_t j = 0; j < before; ++j) {
          if (events[j].agent == events[i].agent) {
            add(execution.po, j);
          } else if (events[j].agent == 0 && is_moved(events[i])) {
            add(execution.issue, j);
          }
        }
        add_all(execution.complete, events[i].after);
        add_all(execution.addr, events[i].addr);
        add_all(execution.pick_addr, events[i].pick_addr);
        add_all(execution.pick_data, events[i].pick_data);
        add_all(execution.pick_ctrl, events[i].pick_ctrl);
        add_all(execution.data, events[i].data);
        add_all(execution.ctrl, events[i].ctrl);
        add_all(execution.arm_ctrl, events[i].arm_ctrl);
        if (events[i].rmw_read < 0) continue;
        for (std::size_t a : parts[t][static_cast<std::size_t>(events[i].rmw_read)]) {
          for (std::size_t b : parts[t][i]) execution.rmw[a][b] = execution.same_location(a, b);
        }
      }
    }
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

  // Each way to order the writes of each location; the initial ones come first.
  void order(Execution& execution, const std::vector<const Run*>& chosen) {
    execution.co = matrix(execution.size());
    Writes writes;
    for (std::size_t b = 0; b < execution.size(); ++b) {
      if (execution.events[b].kind != 'W') continue;
      writes[{execution.events[b].location, execution.events[b].offset}].push_back(b);
      for (std::size_t a = 0; a < execution.size(); ++a) {
        execution.co[a][b] = execution.events[a].kind == 'I' && execution.same_location(a, b);
      }
    }
    order(execution, writes, writes.begin(), chosen);
  }

  void order(Execution& execution, Writes& writes, Writes::iterator next, const std::vector<const Run*>& chosen) {
    if (next == writes.end()) return judge(execution, chosen);
    const std::vector<std::size_t>& here = next->second;
    for (const Matrix& order : partial_ ? partial_orders(here.size()) : total_orders(here.size())) {
      for (std::size_t i = 0; i < here.size(); ++i) {
        for (std::size_t j = 0; j < here.size(); ++j) execution.co[here[i]][here[j]] = order[i][j];
      }
      this->order(execution, writes, std::next(next), chosen);
    }
  }

  // Every permutation of that many things.
  static const std::vector<Matrix>& total_orders(std::size_t count) {
    static std::map<std::size_t, std::vector<Matrix>> known;
    if (known.contains(count)) return known[count];
    std::vector<std::size_t> permutation(count);
    std::iota(permutation.begin(), permutation.end(), std::size_t{0});
    do {
      Matrix& order = known[count].emplace_back(matrix(count));
      for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t j = i + 1; j < count; ++j) order[permutation[i]][permutation[j]] = true;
      }
    } while (std::next_permutation(permutation.begin(), permutation.end()));
    return known[count];
  }

  // Every assignment of before, after or neither to the pairs of that many things, if the result is an order.
  static const std::vector<Matrix>& partial_orders(std::size_t count) {
    static std::map<std::size_t, std::vector<Matrix>> known;
    if (known.contains(count)) return known[count];
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = i + 1; j < count; ++j) pairs.emplace_back(i, j);
    }
    Matrix order = matrix(count);
    choose_orders(order, pairs, 0, known[count]);
    return known[count];
  }

  static void choose_orders(Matrix& order, const std::vector<std::pair<std::size_t, std::size_t>>& pairs,
                            std::size_t next, std::vector<Matrix>& found) {
    if (next == pairs.size()) {
      if (is_order(order)) found.push_back(order);
      return;
    }
    const auto [a, b] = pairs[next];
    order[a][b] = true;
    choose_orders(order, pairs, next + 1, found);
    order[a][b] = false;
    order[b][a] = true;
    choose_orders(order, pairs, next + 1, found);
    order[b][a] = false;
    choose_orders(order, pairs, next + 1, found);
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
      execution.fr[read] = execution.co[source];
    }
    if (++tried_ > kMostTried) throw TooLarge();
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
    const litmus::LocationId id = std::get<litmus::LocationId>(item);
    const litmus::Location& location = test_[id];
    std::vector<int> bytes = bytes_of(location.initial.number, litmus::size_in_bytes(location.type));
    for_each_final(execution, static_cast<int>(id.index), 0, bytes,
                   [&] { with(Value{litmus::wrap(number_of(bytes), location.type), {}}); });
  }

  // Every way to take, for each part of the location from the given offset on, a write with no later one.
  template <typename Visit>
  void for_each_final(const Execution& execution, int location, int from, std::vector<int>& bytes, const Visit& visit) {
    const Access* part = nullptr;
    for (const Access& event : execution.events) {
      if (event.location != location || event.offset < from) continue;
      if (part == nullptr || event.offset < part->offset) part = &event;
    }
    if (part == nullptr) return visit();
    for (std::size_t write = 0; write < execution.size(); ++write) {
      const Access& event = execution.events[write];
      if (event.location != location || event.offset != part->offset) continue;
      if (event.kind != 'W' && event.kind != 'I') continue;
      if (execution.co[write].any()) continue;
      const std::vector<int> stored = bytes_of(event.value.number, event.size);
      std::copy(stored.begin(), stored.end(), bytes.begin() + event.offset);
      for_each_final(execution, location, part->offset + 1, bytes, visit);
    }
  }

  static constexpr std::uint64_t kMostTried = 1'000'000;

  const litmus::LitmusTest& test_;
  const Model& model_;
  bool partial_;
  std::size_t most_combinations_;
  std::vector<std::vector<Run>> runs_;
  Summary summary_;
  std::uint64_t tried_ = 0;
};

// Throws TooLarge if there are more ways than that to choose a run for each thread, or more executions than take a
// minute.
inline Summary all_executions(const litmus::LitmusTest& test, const Model& model, bool partial = false,
                              std::size_t most_combinations = 200'000) {
  return BruteForce(test, model, partial, most_combinations).run();
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
  if (!sc_per_location(x) || !atomic(x)) return false;
  const Matrix order = relation(x, [&](auto a, auto b) {
    const bool store_load = x.events[a].kind == 'W' && x.events[b].kind == 'R';
    const bool kept = x.po[a][b] && !store_load && x.events[a].kind != 'F' && x.events[b].kind != 'F';
    return kept || fenced(x, a, b, litmus::Scope::thread) || (x.rf[a][b] && x.external(a, b)) || x.co[a][b] ||
           x.fr[a][b];
  });
  return acyclic(order);
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
