// SPDX-License-Identifier: MIT
// The reason of a verdict for a person: executions and failed checks as text. The test that a witness comes from must
// still exist. picture.h draws them.
#pragma once

#include <string>
#include <vector>

#include "litmus/test.h"
#include "model/cat_model.h"
#include "model/judge.h"

namespace weakspot::model {

// What a verdict made with JudgeOptions::explain has to show: an allowed execution, or why the execution asked for is
// forbidden. Indented lines; empty for an unknown verdict. The limits are those of the verdict: what is left of its
// time is for the explanation, or a tenth of it if that is more. This and the next say so if it was not enough.
std::string explain_verdict(const Verdict& verdict, const Model& model, const Limits& limits = {});

// What an event did and the instruction it comes from: "W y=1  P0 `st.rel y, 1`". The frame must outlive it.
class EventTexts {
 public:
  explicit EventTexts(const Frame& frame);
  std::string operator()(EventId event, const std::vector<litmus::Value>& values) const;
  std::string source(EventId event) const;       // "P0 `st.rel y, 1`"
  std::string instruction(EventId event) const;  // "st.rel y, 1", as the test's dialect writes it
  std::string effect(EventId event, const std::vector<litmus::Value>& values) const;  // "W y=1"

 private:
  const Frame& frame_;
  std::vector<std::vector<std::string>> texts_;  // by thread, of each instruction
};

// The failed check, opened into steps (see reason.h), with the events that they touch. The model must forbid the
// execution.
std::string explain_forbidden(const Witness& witness, const Model& model, const Limits& limits = {});

// The flag that an allowed execution raises: a data race names its two accesses, and what could order them.
std::string explain_flag(const Witness& witness, const Model& model, const Limits& limits = {});

// The events, one per line: letter, thread, effect, what a read reads from, and the instruction.
std::string explain_events(const Witness& witness, std::vector<EventId> events);

// The execution itself: each event in program order, and the coherence order.
std::string explain_execution(const Witness& witness);

}  // namespace weakspot::model
