// SPDX-License-Identifier: MIT
// Why a model forbids an execution: the check that fails, opened into a chain of edges that people know (po, rf, co,
// fr, dependencies, fences). The text of it is in explain.h, the pictures are drawn from it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model/check.h"
#include "model/event_id.h"
#include "model/limits.h"

namespace weakspot::model {

class Model;
struct Witness;

// A further condition that had to hold for a step.
struct ReasonRemark {
  std::string text;   // "b and c are morally-strong"
  std::string name;   // the relation, where the model has words for it: "morally-strong"
  std::string words;  // the model's text about it; may be empty
  friend bool operator==(const ReasonRemark&, const ReasonRemark&) = default;
};

// One edge of a chain. A base edge has nothing inside. A step by a relation that the model names, such as
// `synchronizes`, has the chain of edges inside that makes it up, from `from` to `to`. `from` and `to` are equal where
// the model asks something of one event; such steps stand in `inside` only.
struct ReasonStep {
  EventId from = 0;
  EventId to = 0;
  std::string relation;  // the name: "po", "rf", "fr", "synchronizes"
  std::string words;     // the model's text about it, or the meaning of the edge; may be empty
  std::vector<ReasonRemark> remarks;
  std::vector<ReasonStep> inside;
};

struct Reason {
  std::string check;  // the name of the failed check; empty if there is no reason to give
  Check::Kind kind = Check::Kind::acyclic;
  bool negated = false;  // the check asks for the opposite: `~empty`
  std::string words;     // the model's text about the check; may be empty
  // The steps lead back to the first event for acyclic and irreflexive checks, and from one event to another for empty
  // ones. None if the check is negated or is about a set.
  std::vector<ReasonStep> steps;
  std::vector<EventId> events;  // all events that the steps touch, in order of first appearance
  std::string missing;          // of an empty check `a \ b`: what the pair lacks, for example "co"
  std::size_t choices = 1;      // orders that the model could choose; each fails a check, this one as the steps say
  std::string unfinished;       // why nothing was found (limits); else empty
};

// The model must forbid the witness's execution.
Reason find_reason(const Witness& witness, const Model& model, const Limits& limits = {});

// Why the model raises a flag on an execution that it allows: a data race and its two accesses. Without a check if it
// raises none.
Reason find_flag_reason(const Witness& witness, const Model& model, const Limits& limits = {});

}  // namespace weakspot::model
