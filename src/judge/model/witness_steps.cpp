// SPDX-License-Identifier: MIT
#include "model/witness_steps.h"

#include "model/execution/frame.h"

namespace weakspot::model {

std::vector<WitnessStep> steps_of(const Witness& witness) {
  const std::vector<Event>& events = witness.frame.events;
  std::vector<WitnessStep> steps;
  std::vector<std::optional<std::size_t>> step_of(events.size());
  for (EventId id = 0; id < events.size(); ++id) {
    const Event& event = events[id];
    const bool accesses = event.kind == EventKind::read || event.kind == EventKind::write;
    if (!accesses || !event.thread || !event.location) continue;
    step_of[id] = steps.size();
    steps.push_back({.thread = *event.thread,
                     .instruction = event.instruction,
                     .write = event.kind == EventKind::write,
                     .location = *event.location,
                     .value = witness.values[id]});
  }
  for (EventId read = 0; read < events.size(); ++read) {
    if (!step_of[read] || events[read].kind != EventKind::read) continue;
    for (EventId write = 0; write < events.size(); ++write) {
      if (witness.rf.has(write, read)) steps[*step_of[read]].from = step_of[write];
    }
  }
  return steps;
}

}  // namespace weakspot::model
