// SPDX-License-Identifier: MIT
// The three mutators of MC Mutants, on cycles.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "gen/identity.h"
#include "gen/mutate.h"
#include "gen/shape/check_cycle.h"
#include "litmus/instruction.h"
#include "litmus/normalize.h"

namespace weakspot::gen {
namespace {

std::string edge_label(std::size_t thread, const Edge& edge) { return fmt::format("P{}: {}", thread, to_string(edge)); }

Cycle rotation_of(const Cycle& cycle, const TestOptions& options) {
  return options.layout.as_written ? cycle : canonical(cycle);
}

void set_origin(LitmusTest& mutant, std::string_view mutator, std::string parent, std::string edge) {
  set_info(mutant, "Mutator", std::string(mutator));
  set_info(mutant, "Parent", std::move(parent));
  set_info(mutant, "Edge", std::move(edge));
}

// The places of a thread's memory accesses among its instructions.
std::vector<std::size_t> accesses_of(const litmus::Thread& thread) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < thread.instructions.size(); ++i) {
    if (litmus::access_of(thread.instructions[i]) != nullptr) places.push_back(i);
  }
  return places;
}

// Mutants of one parent, with the names that the mutator of tests gives, so that a mutant has one name whichever way it
// was made. Those that are another mutant under other names are left out.
class CycleMutants {
 public:
  CycleMutants(const LitmusTest& parent, std::string_view word, std::string_view mutator)
      : parent_(parent), mutator_(mutator) {
    for (const LitmusTest& mutant : mutator_named(word)->apply(parent)) {
      names_.emplace(canonical_hash(mutant), mutant.name);
    }
  }

  // `own` is the change that the name says if the mutator of tests does not make this one.
  void add(LitmusTest mutant, std::string_view own, std::string edge) {
    const base::Hash128 hash = canonical_hash(mutant);
    if (!seen_.insert(hash).second) return;
    const auto known = names_.find(hash);
    mutant.name = known != names_.end() ? known->second : fmt::format("{}-{}", parent_.name, own);
    set_origin(mutant, mutator_, parent_.name, std::move(edge));
    list_.push_back(std::move(mutant));
  }

  bool tests_have_none() const { return names_.empty(); }
  std::vector<LitmusTest> take() { return std::move(list_); }

 private:
  const LitmusTest& parent_;
  std::string_view mutator_;
  std::map<base::Hash128, std::string> names_;
  std::set<base::Hash128> seen_;
  std::vector<LitmusTest> list_;
};

bool is_fence(const Step& step) { return step.edge.kind == EdgeKind::fence; }

}  // namespace

base::Result<std::vector<LitmusTest>> reverse_po_loc(const Cycle& cycle, const TestOptions& options) {
  base::Result<LitmusTest> parent = to_test(cycle, options);
  if (!parent) return parent.errors();
  const Cycle steps = rotation_of(cycle, options);
  CycleMutants mutants(*parent, "swap", "reversing po-loc");
  std::size_t thread = 0, event = 0;
  for (const Step& step : steps.steps) {
    const Edge& edge = step.edge;
    if (edge.kind == EdgeKind::po && edge.same_location) {
      LitmusTest mutant = *parent;
      std::vector<litmus::Instruction>& code = mutant.threads[thread].instructions;
      const std::vector<std::size_t> places = accesses_of(mutant.threads[thread]);
      std::swap(code[places[event]], code[places[event + 1]]);
      litmus::normalize(mutant);
      set_info(mutant, "Cycle", "");
      const litmus::Place place{thread, places[event]};
      mutants.add(std::move(mutant), std::string(litmus::kReversed) + litmus::places_text({}, {place}),
                  edge_label(thread, edge));
    }
    // The halves of a read-modify-write are one access.
    if (edge.kind != EdgeKind::rmw) ++event;
    if (edge.external) {
      ++thread;
      event = 0;
    }
  }
  return mutants.take();
}

base::Result<std::vector<LitmusTest>> weaken_po_loc(const Cycle& cycle, const TestOptions& options) {
  Cycle weak = rotation_of(cycle, options);
  std::string edges;
  std::size_t thread = 0;
  for (Step& step : weak.steps) {
    if (step.edge.kind == EdgeKind::po && step.edge.same_location) {
      if (!edges.empty()) edges += ", ";
      edges += edge_label(thread, step.edge);
      step.edge.same_location = false;
    }
    thread += step.edge.external;
  }
  // One change of location alone would not lead back.
  if (edges.empty() || !check(weak).empty()) return std::vector<LitmusTest>();
  TestOptions strong_options = options;
  strong_options.locations.clear();  // these locations are the mutant's
  base::Result<LitmusTest> parent = to_test(cycle, strong_options);
  if (!parent) return parent.errors();
  base::Result<LitmusTest> mutant = to_test(weak, options);
  if (!mutant) return mutant.errors();
  CycleMutants mutants(*parent, "split", "weakening po-loc");
  mutants.add(std::move(*mutant), mutants.tests_have_none() ? litmus::kSplit : "split.all", edges);
  return mutants.take();
}

base::Result<std::vector<LitmusTest>> weaken_sw(const Cycle& cycle, const TestOptions& options) {
  const Cycle steps = rotation_of(cycle, options);
  // Threads with fences, by number.
  std::vector<std::size_t> fenced;
  std::size_t thread = 0;
  for (const Step& step : steps.steps) {
    if (is_fence(step) && (fenced.empty() || fenced.back() != thread)) fenced.push_back(thread);
    thread += step.edge.external;
  }
  if (fenced.size() > 8) return base::error("more than eight threads have fences");
  const base::Result<LitmusTest> parent = to_test(cycle, options);
  if (!parent) return parent.errors();
  std::vector<litmus::Place> fences;
  for (std::size_t t = 0; t < parent->threads.size(); ++t) {
    for (std::size_t i = 0; i < parent->threads[t].instructions.size(); ++i) {
      const litmus::Operation& operation = parent->threads[t].instructions[i].operation;
      if (std::holds_alternative<litmus::Fence>(operation)) fences.push_back({t, i});
    }
  }
  CycleMutants mutants(*parent, "fence", "weakening sw");
  // Sets of threads that keep their fences: none first, all of them never.
  const std::size_t all = (std::size_t{1} << fenced.size()) - 1;
  for (std::size_t n = 0; n < all; ++n) {
    // The last thread's bit is the lowest: of two threads, T1 keeps its fence before T0 does.
    auto keeps = [&](std::size_t which) { return (n >> (fenced.size() - 1 - which) & 1) != 0; };
    Cycle weak = steps;
    std::string edges;
    std::vector<litmus::Place> dropped;
    for (const litmus::Place& place : fences) {
      const auto which = std::find(fenced.begin(), fenced.end(), place.thread) - fenced.begin();
      if (!keeps(static_cast<std::size_t>(which))) dropped.push_back(place);
    }
    thread = 0;
    for (Step& step : weak.steps) {
      if (is_fence(step)) {
        const auto which = static_cast<std::size_t>(std::find(fenced.begin(), fenced.end(), thread) - fenced.begin());
        if (!keeps(which)) {
          if (!edges.empty()) edges += ", ";
          edges += edge_label(thread, step.edge);
          step.edge.kind = EdgeKind::po;
          step.edge.fence.reset();
        }
      }
      thread += step.edge.external;
    }
    base::Result<LitmusTest> mutant = to_test(weak, options);
    if (!mutant) return mutant.errors();
    mutants.add(std::move(*mutant), std::string(litmus::kNoFence) + litmus::places_text(fences, dropped), edges);
  }
  return mutants.take();
}

}  // namespace weakspot::gen
