// SPDX-License-Identifier: MIT
// All cycles over a vocabulary of edges, one by one: nothing is kept but the path of the search.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <vector>

#include "gen/build.h"
#include "gen/cycle.h"
#include "litmus/test.h"
#include "litmus/vocabulary.h"

namespace weakspot::gen {

struct Range {
  std::size_t least = 0;
  std::size_t most = 0;
  friend bool operator==(const Range&, const Range&) = default;
};

// A choice of annotations for the events of a cycle: one for reads, one for writes.
struct Flavour {
  Annotation read;
  Annotation write;
  friend bool operator==(const Flavour&, const Flavour&) = default;
};

struct SearchConfig {
  std::vector<Edge> edges;
  Range size = {2, 4};       // edges of a cycle
  Range threads = {2, 4};    // external edges of a cycle
  std::size_t internal = 1;  // most edges within one thread
  // Only cycles that no shorter one implies: no communications in a row that make one communication (co;co is co,
  // rf;fr is co, fr;co is fr).
  bool critical = true;

  // The choices for external edges, events and locations. Unless mixed, a cycle uses one of each throughout.
  std::vector<litmus::Scope> together = {litmus::Scope::device};
  std::vector<Flavour> flavours = {Flavour{}};
  std::vector<litmus::Space> spaces = {litmus::Space::none};
  bool mixed_together = false;
  bool mixed_flavours = false;
  bool mixed_spaces = false;

  TestOptions test;  // for generate()

  const std::atomic<bool>* stop = nullptr;  // the user's wish to end the search; null: none

  friend bool operator==(const SearchConfig& a, const SearchConfig& b) {
    return a.edges == b.edges && a.size == b.size && a.threads == b.threads && a.internal == b.internal &&
           a.critical == b.critical && a.together == b.together && a.flavours == b.flavours && a.spaces == b.spaces &&
           a.mixed_together == b.mixed_together && a.mixed_flavours == b.mixed_flavours &&
           a.mixed_spaces == b.mixed_spaces && a.test.arch == b.test.arch;
  }
};

// Calls `found` with every cycle of the configuration that is free of mistakes, in one rotation each, small ones
// first, until it returns false. Returns how many there were.
std::size_t search(const SearchConfig& config, const std::function<bool(const Cycle&)>& found);

struct Generated {
  std::size_t cycles = 0;
  std::size_t tests = 0;
  std::size_t duplicates = 0;  // other cycles with the same test (see canonical_hash())
  std::size_t refused = 0;     // the dialect cannot express them
};

// The same with the test of each cycle. No two have one canonical hash; only hashes are kept.
Generated generate(const SearchConfig& config, const std::function<bool(litmus::LitmusTest)>& found);

}  // namespace weakspot::gen
