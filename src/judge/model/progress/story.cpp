// SPDX-License-Identifier: MIT
#include "model/progress/story.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/sort.h"
#include "litmus/text.h"

namespace weakspot::model {
namespace {

using Columns = std::vector<std::vector<std::string>>;  // by thread: its name, then its instructions

std::string quote(const Columns& columns, std::size_t thread, std::size_t instruction) {
  return fmt::format("`{}`", columns[thread][instruction + 1]);
}

bool writes_to(const litmus::LitmusTest& test, const litmus::Instruction& instruction,
               const std::vector<litmus::LocationId>& locations) {
  const bool writes = std::holds_alternative<litmus::Store>(instruction.operation) ||
                      std::holds_alternative<litmus::Rmw>(instruction.operation);
  const litmus::Access* access = litmus::access_of(instruction);
  if (!writes || !access->address.location) return false;
  const litmus::LocationId physical = litmus::physical_location(test, *access->address.location);
  return std::find(locations.begin(), locations.end(), physical) != locations.end();
}

// The writes of a thread that does not run on, to what others wait for.
std::string unseen(const litmus::LitmusTest& test, const Columns& columns, std::size_t thread, const ThreadFate& fate,
                   const std::vector<litmus::LocationId>& wanted) {
  std::string list;
  const std::vector<litmus::Instruction>& code = test.threads[thread].instructions;
  for (std::size_t i = 0; i < code.size(); ++i) {
    const bool done = std::binary_search(fate.done.begin(), fate.done.end(), i);
    if (done || !writes_to(test, code[i], wanted)) continue;
    list += (list.empty() ? "" : ", ") + quote(columns, thread, i);
  }
  return list;
}

std::string_view standing(Ending ending) {
  switch (ending) {
    case Ending::unstarted:
      return "never starts";
    case Ending::stopped:
      return "is not scheduled again";
    case Ending::blocked:
      return "waits for ever";
    default:
      return "goes round for ever";
  }
}

}  // namespace

std::vector<std::string> tell_story(const litmus::LitmusTest& test, const std::vector<ThreadFate>& fates) {
  const Columns columns = litmus::canonical_columns(test);
  std::vector<litmus::LocationId> wanted;
  for (const ThreadFate& fate : fates) wanted.insert(wanted.end(), fate.waiting_for.begin(), fate.waiting_for.end());
  std::vector<std::string> story;
  for (std::size_t t = 0; t < fates.size(); ++t) {
    const ThreadFate& fate = fates[t];
    if (fate.ending == Ending::finished) continue;
    std::string line = fmt::format("P{} {}", t, standing(fate.ending));
    if (fate.at && fate.ending != Ending::stopped) line += fmt::format(" at {}", quote(columns, t, *fate.at));
    for (std::size_t i = 0; i < fate.reads.size(); ++i) line += (i == 0 ? ": " : ", ") + fate.reads[i];
    if (fate.ending != Ending::spins) {
      const std::string writes = unseen(test, columns, t, fate, wanted);
      if (!writes.empty()) line += fmt::format(": {} is never seen", writes);
    }
    story.push_back(std::move(line));
  }
  return story;
}

std::vector<std::string> tell_story(const Candidate& candidate) {
  const Frame& frame = *candidate.frame;
  const litmus::LitmusTest& test = *frame.test;
  const Columns columns = litmus::canonical_columns(test);
  std::vector<ThreadFate> fates(frame.ends.size());
  for (std::size_t t = 0; t < fates.size(); ++t) {
    fates[t].ending = frame.ends[t].ending;
    if (fates[t].ending == Ending::spins) fates[t].at = frame.ends[t].branch;
  }
  for (EventId i = 0; i < frame.size(); ++i) {
    const Event& event = frame.events[i];
    if (!event.thread) continue;
    ThreadFate& fate = fates[event.thread->index];
    if (fate.done.empty() || fate.done.back() != event.instruction) fate.done.push_back(event.instruction);
    if (fate.ending == Ending::blocked) fate.at = event.instruction;  // the last event
    if (fate.ending != Ending::spins || i < frame.ends[event.thread->index].spin) continue;
    if (event.kind != EventKind::read) continue;
    fate.waiting_for.push_back(event.physical);
    std::string from;
    for (EventId source = 0; source < frame.size(); ++source) {
      if (!candidate.rf->has(source, i)) continue;
      const Event& write = frame.events[source];
      from = write.thread ? fmt::format("from P{} {}", write.thread->index,
                                        quote(columns, write.thread->index, write.instruction))
                          : "the initial value";
    }
    fate.reads.push_back(fmt::format("{} reads {}, {}", quote(columns, event.thread->index, event.instruction),
                                     litmus::value_text(test, (*candidate.values)[i]), from));
  }
  for (ThreadFate& fate : fates) {
    base::sort(fate.done);
    fate.done.erase(std::unique(fate.done.begin(), fate.done.end()), fate.done.end());
  }
  return tell_story(test, fates);
}

}  // namespace weakspot::model
