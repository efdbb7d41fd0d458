// SPDX-License-Identifier: MIT
#include "model/progress/stuck.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/evaluate/evaluator.h"
#include "model/execution/barriers.h"
#include "model/execution/enumerate.h"
#include "model/progress/schedule_rule.h"
#include "model/progress/story.h"

namespace weakspot::model {
namespace {

const litmus::Barrier* barrier_of(const litmus::Instruction& instruction) {
  return std::get_if<litmus::Barrier>(&instruction.operation);
}

class StuckSearch : public CandidateVisitor {
 public:
  StuckSearch(const Model& model, Allowance& allowance) : evaluator_(model, &allowance) {}

  bool frame(const Frame& frame) override {
    frame_ = &frame;
    last_.clear();
    for (EventId i = 0; i < frame.size(); ++i) {
      if (in_last_round(i) && frame.events[i].kind == EventKind::read) last_.push_back(i);
    }
    if (!barriers_agree(frame)) return false;
    evaluator_.begin(frame);
    return !evaluator_.problem();
  }

  bool cut(const Relation& rf, const Relation& co) override {
    return std::any_of(last_.begin(), last_.end(), [&](EventId read) { return overwritten(read, rf, co); }) ||
           evaluator_.cut(rf, co);
  }

  bool lacks(const Relation& rf, const Relation& co) override { return evaluator_.lacks(rf, co); }

  bool candidate(const Candidate& candidate, std::span<const litmus::Outcome>) override {
    const bool lasts = std::none_of(last_.begin(), last_.end(),
                                    [&](EventId read) { return overwritten(read, *candidate.rf, *candidate.co); });
    if (!lasts || !evaluator_.allows(candidate)) return true;
    story = tell_story(candidate);
    return false;
  }

  std::size_t held() const override { return evaluator_.held(); }

  std::optional<std::vector<std::string>> story;

 private:
  // Whether the event is in the round that a thread repeats for ever.
  bool in_last_round(EventId event) const {
    const std::optional<litmus::ThreadId>& thread = frame_->events[event].thread;
    if (!thread || frame_->ends.empty()) return false;
    const ThreadEnd& end = frame_->ends[thread->index];
    return end.ending == Ending::spins && event >= end.spin;
  }

  // Whether the read misses a write that every thread sees in the end. Writes of a last round do not count: shared ones
  // write back what was read, private ones are the last of their kind.
  bool overwritten(EventId read, const Relation& rf, const Relation& co) const {
    for (EventId source = 0; source < frame_->size(); ++source) {
      if (!rf.has(source, read)) continue;
      for (EventId write = 0; write < frame_->size(); ++write) {
        if (co.has(source, write) && !in_last_round(write)) return true;
      }
    }
    return false;
  }

  // True if a thread is blocked at a barrier exactly when too few threads come to open it.
  static bool barriers_agree(const Frame& frame) {
    if (frame.ends.empty()) return true;
    const Barriers barriers(frame);
    std::vector<EventId> last(frame.ends.size());
    for (EventId i = 0; i < frame.size(); ++i) {
      if (frame.events[i].thread) last[frame.events[i].thread->index] = i;
    }
    for (EventId i = 0; i < frame.size(); ++i) {
      const Event& event = frame.events[i];
      if (event.kind != EventKind::barrier || barrier_of(*event.source)->kind == BarrierKind::arrive) continue;
      const std::size_t thread = event.thread->index;
      const bool blocked = frame.ends[thread].ending == Ending::blocked && last[thread] == i;
      const std::vector<EventId>& meeting = barriers.meeting(i);
      const auto arrivals = std::count_if(meeting.begin(), meeting.end(), [&](EventId m) { return arrives(frame, m); });
      const bool open = static_cast<std::size_t>(arrivals) >= waited_for(frame, barriers, i);
      if (blocked == open) return false;
    }
    return true;
  }

  static bool arrives(const Frame& frame, EventId barrier) {
    return barrier_of(*frame.events[barrier].source)->kind != BarrierKind::wait;
  }

  // The number of threads a barrier waits for: its quorum, or all threads of its scope that come to it or have such a
  // barrier in their code that they never reach. A thread that reaches its barriers too few times for this round is not
  // waited for.
  static std::size_t waited_for(const Frame& frame, const Barriers& barriers, EventId barrier) {
    const Event& event = frame.events[barrier];
    if (event.barrier_quorum) return static_cast<std::size_t>(std::max<std::int64_t>(*event.barrier_quorum, 0));
    std::size_t threads = 0;
    for (std::uint32_t t = 0; t < frame.ends.size(); ++t) {
      if (!frame.scopes.together(*event.thread, litmus::ThreadId{t}, barrier_of(*event.source)->scope)) continue;
      const std::vector<EventId>& meeting = barriers.meeting(barrier);
      const bool comes = std::any_of(meeting.begin(), meeting.end(), [&](EventId other) {
        return arrives(frame, other) && frame.events[other].thread->index == t;
      });
      threads += comes || has_barrier(frame, litmus::ThreadId{t}, event) ? 1 : 0;
    }
    return threads;
  }

  // Whether the thread has an arrival at such a barrier in its code that it did not reach.
  static bool has_barrier(const Frame& frame, litmus::ThreadId thread, const Event& wanted) {
    const std::vector<litmus::Instruction>& code = (*frame.test)[thread].instructions;
    for (std::uint32_t i = 0; i < code.size(); ++i) {
      const litmus::Barrier* barrier = barrier_of(code[i]);
      if (barrier == nullptr || barrier->scope != wanted.scope || barrier->kind == BarrierKind::wait) continue;
      const auto* id = std::get_if<litmus::Value>(&barrier->id);
      if (id != nullptr && wanted.barrier_id && id->number != *wanted.barrier_id) continue;
      const bool came = std::any_of(frame.events.begin(), frame.events.end(), [&](const Event& event) {
        return event.kind == EventKind::barrier && event.thread == thread && event.instruction == i;
      });
      if (!came) return true;
    }
    return false;
  }

  Evaluator evaluator_;
  const Frame* frame_ = nullptr;
  std::vector<EventId> last_;  // reads of rounds that last for ever
};

}  // namespace

StuckResult find_stuck(const litmus::LitmusTest& test, const Model& model, Progress progress, const Limits& limits,
                       Allowance& allowance) {
  StuckSearch search(model, allowance);
  EnumerateOptions options;
  options.limits = limits;
  options.allowance = &allowance;
  options.partial_coherence = model.partial_coherence();
  options.endings = [progress](std::span<const Ending> endings) { return may_last(progress, endings); };
  options.stops = progress == Progress::hsa || progress == Progress::unfair;
  const EnumerateResult result = enumerate(test, options, search);
  return {std::move(search.story), result.complete, result.bounded, result.reason};
}

}  // namespace weakspot::model
