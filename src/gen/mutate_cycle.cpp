// SPDX-License-Identifier: MIT
// The three mutators of MC Mutants, on cycles.
#include <fmt/format.h>

#include <algorithm>

#include "gen/check_cycle.h"
#include "gen/mutate.h"
#include "gen/name.h"
#include "litmus/normalize.h"

namespace weakspot::gen {
namespace {

std::string edge_label(std::size_t thread, const Edge& edge) { return fmt::format("P{}: {}", thread, to_string(edge)); }

Cycle rotation_of(const Cycle& cycle, const TestOptions& options) {
  return options.layout.as_written ? cycle : canonical(cycle);
}

std::string parent_name(const Cycle& cycle, const TestOptions& options) {
  return options.name.empty() ? name_of(cycle) : options.name;
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

bool is_fence(const Step& step) { return step.edge.kind == EdgeKind::fence; }

}  // namespace

base::Result<std::vector<LitmusTest>> reverse_po_loc(const Cycle& cycle, const TestOptions& options) {
  base::Result<LitmusTest> parent = to_test(cycle, options);
  if (!parent) return parent.errors();
  const Cycle steps = rotation_of(cycle, options);
  std::vector<LitmusTest> mutants;
  std::size_t thread = 0, event = 0;
  for (const Step& step : steps.steps) {
    const Edge& edge = step.edge;
    if (edge.kind == EdgeKind::po && edge.same_location) {
      LitmusTest mutant = *parent;
      std::vector<litmus::Instruction>& code = mutant.threads[thread].instructions;
      const std::vector<std::size_t> places = accesses_of(mutant.threads[thread]);
      std::swap(code[places[event]], code[places[event + 1]]);
      litmus::normalize(mutant);
      mutant.name = fmt::format("{}-reversed{}", parent->name, mutants.empty() ? "" : std::to_string(mutants.size()));
      set_info(mutant, "Cycle", "");
      set_origin(mutant, "reversing po-loc", parent->name, edge_label(thread, edge));
      mutants.push_back(std::move(mutant));
    }
    // The halves of a read-modify-write are one access.
    if (edge.kind != EdgeKind::rmw) ++event;
    if (edge.external) {
      ++thread;
      event = 0;
    }
  }
  return mutants;
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
  TestOptions weak_options = options;
  weak_options.name = parent_name(cycle, options) + "-split";
  base::Result<LitmusTest> mutant = to_test(weak, weak_options);
  if (!mutant) return mutant.errors();
  set_origin(*mutant, "weakening po-loc", parent_name(cycle, options), edges);
  return std::vector<LitmusTest>{std::move(*mutant)};
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
  std::vector<LitmusTest> mutants;
  const std::string parent = parent_name(cycle, options);
  // Sets of threads that keep their fences: none first, all of them never.
  const std::size_t all = (std::size_t{1} << fenced.size()) - 1;
  for (std::size_t n = 0; n < all; ++n) {
    // The last thread's bit is the lowest: of two threads, T1 keeps its fence before T0 does.
    auto keeps = [&](std::size_t which) { return (n >> (fenced.size() - 1 - which) & 1) != 0; };
    Cycle weak = steps;
    std::string edges, kept;
    for (std::size_t which = 0; which < fenced.size(); ++which) {
      if (keeps(which)) kept += fmt::format("-fence{}", fenced[which]);
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
    TestOptions weak_options = options;
    weak_options.name = parent + (kept.empty() ? "-nofence" : kept);
    base::Result<LitmusTest> mutant = to_test(weak, weak_options);
    if (!mutant) return mutant.errors();
    set_origin(*mutant, "weakening sw", parent, edges);
    mutants.push_back(std::move(*mutant));
  }
  return mutants;
}

}  // namespace weakspot::gen
