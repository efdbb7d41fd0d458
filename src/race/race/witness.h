// SPDX-License-Identifier: MIT
// A race as a story of a few threads: what each of them did from the first access to the second, as far as it could
// have ordered the two. And the litmus tests that were made of it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "json/json_fields.h"
#include "race/facts.h"
#include "race/site.h"

namespace weakspot::race {

struct WitnessLocation {
  Variable variable;
  Space space = Space::global;
  unsigned size = 4;  // in bytes
};

struct WitnessStep {
  StepKind kind = StepKind::read;
  std::size_t location = 0;           // for an access: its position in the list of locations; the race is at the first
  StepOrder order = StepOrder::none;  // for an access or a fence, which is acq_rel
  std::optional<Scope> scope;         // for a strong access or a fence; a volatile access has system scope
  bool is_volatile = false;
  bool polls = false;        // a read whose value only decides branches
  bool partial = false;      // the last step: its bytes are not those of the first
  std::uint64_t number = 0;  // in the order of the run; equal for threads that meet
  Place place;

  bool is_access() const { return kind <= StepKind::update; }
  bool reads() const { return kind == StepKind::read || kind == StepKind::update; }
  bool writes() const { return kind == StepKind::write || kind == StepKind::update; }
};

struct WitnessThread {
  ThreadIndex index;
  std::uint32_t block = 0, warp = 0;  // numbers; those of blocks differ between concurrent launches
  std::vector<WitnessStep> steps;
};

// The race is between the first step of the first thread and the last step of the last one. Link i leads from thread i
// to thread i + 1: a write and the read that saw it, or a barrier at which both met. Without links, nothing that the
// threads did could have ordered the two.
struct Witness {
  struct Link {
    std::uint64_t from = 0, to = 0;  // numbers of steps
  };
  std::vector<WitnessLocation> locations;
  std::vector<WitnessThread> threads;
  std::vector<Link> links;
  bool on_signal = false;  // some access to the first location was atomic or volatile, or a poll
};

// The result of distilling a finding about the order of memory.
struct Distilled {
  std::string test, repaired;  // files; empty if there is none
  std::string model;           // the judge of both
  std::string verdict, repaired_verdict;
  std::vector<std::string> repair;  // the changes, in words
  std::string problem;              // why there is no test or repair; or how the model disagrees with the detector
  bool disagrees = false;
};

base::JsonValue to_json(const Witness& witness);
base::JsonValue to_json(const Distilled& distilled);
Witness read_witness(const base::JsonValue& json, base::Mistakes& mistakes);
Distilled read_distilled(const base::JsonValue& json, base::Mistakes& mistakes);

}  // namespace weakspot::race
