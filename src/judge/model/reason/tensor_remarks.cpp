// SPDX-License-Identifier: MIT
#include "model/reason/tensor_remarks.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "model/cat/predefined_tables.h"
#include "model/execution/barriers.h"
#include "model/judge.h"
#include "model/reason/event_texts.h"

namespace weakspot::model {
namespace {

using litmus::AsyncEngine;
using litmus::FenceKind;

class TensorRemarks {
 public:
  explicit TensorRemarks(const Witness& witness)
      : witness_(witness), frame_(witness.frame), told_(witness.frame.size()) {
    find_order();
  }

  std::vector<std::string> all() {
    for (EventId read = 0; read < frame_.size(); ++read) {
      if (frame_.events[read].kind != EventKind::read || frame_.events[read].rmw) continue;
      for (EventId write = 0; write < frame_.size(); ++write) {
        if (frame_.events[write].kind != EventKind::write || !frame_.loc.has(read, write)) continue;
        if (!is_tensor_step(frame_.events[read]) && !is_tensor_step(frame_.events[write])) continue;
        if (told_.has(write, read) && misses(read, write)) look_at(write, read);
        if (told_.has(read, write) && witness_.rf.has(write, read)) look_at(read, write);
      }
    }
    return std::move(remarks_);
  }

 private:
  // Collects what comes before what if every operation was done at once: each thread and its operations as they stand
  // in the program, atomic accesses that read from each other, and barriers.
  void find_order() {
    const Barriers barriers(frame_);
    for (EventId a = 0; a < frame_.size(); ++a) {
      const Event& from = frame_.events[a];
      if (!from.thread) continue;
      for (EventId b = 0; b < frame_.size(); ++b) {
        const Event& to = frame_.events[b];
        const bool in_order = from.thread == to.thread && from.position < to.position;
        const bool atomic = from.order != litmus::Order::plain && to.order != litmus::Order::plain;
        if (in_order || (atomic && witness_.rf.has(a, b))) told_.insert(a, b);
      }
      for (EventId b : barriers.meeting(a)) told_.insert(a, b);
    }
    told_.close(false, nullptr);
  }

  // Whether the read returns neither the write's value nor a later one.
  bool misses(EventId read, EventId write) const {
    if (witness_.rf.has(write, read)) return false;
    for (EventId source = 0; source < frame_.size(); ++source) {
      if (witness_.rf.has(source, read)) return !witness_.co.has(write, source);
    }
    return false;
  }

  // The second access should have come after the first, and did not.
  void look_at(EventId first, EventId second) {
    const bool from = is_tensor_step(frame_.events[first]);
    const bool into = is_tensor_step(frame_.events[second]);
    const std::string a = event_letter(frame_, first);
    const std::string b = event_letter(frame_, second);
    const bool shared = into && proxy_of(frame_, frame_.events[second]) == litmus::Proxy::async;
    const bool generic = proxy_of(frame_, frame_.events[first]) != litmus::Proxy::async;
    if (shared && generic) {
      if (!has_proxy_fence(first, second)) {
        return add(
            fmt::format("{} accesses {} through the generic proxy and {} through the async proxy: "
                        "fence.proxy.async is missing between {} and the issue of {}",
                        a, event_place(frame_, second), b, a, b));
      }
    }
    if (from && !is_pipelined(first, second) && !is_waited_for(first, second)) return add(no_wait(first, second));
    if (!into || is_waited_for_by_issuer(first, second)) return;
    if (shared && generic && has_proxy_fence_of_issuer(first, second)) return;
    if (!has_fence_after(first, second)) {
      const bool same = from && is_pipelined(first, second) && in_one_thread(first, second);
      if (same) return;
      return add(
          fmt::format("tcfence.after (tcgen05.fence::after_thread_sync) is missing before {} is issued: without it "
                      "what its thread did before does not come before it",
                      b));
    }
    if (from && !in_one_thread(first, second) && !is_committed(first) && !has_fence_before(first, second)) {
      add(fmt::format(
          "no tcfence.before (tcgen05.fence::before_thread_sync) stands between {} and what P{} tells others, "
          "so that relaxed operations and barriers do not hand it on",
          a, frame_.events[first].thread->index));
    }
  }

  void add(std::string remark) {
    if (std::find(remarks_.begin(), remarks_.end(), remark) == remarks_.end()) remarks_.push_back(std::move(remark));
  }

  std::string no_wait(EventId operation, EventId next) const {
    const std::string between =
        fmt::format("nothing between {} and {} waits for the operation of {}", event_letter(frame_, operation),
                    event_letter(frame_, next), event_letter(frame_, operation));
    switch (frame_.events[operation].source->engine) {
      case AsyncEngine::tcld:
        return between + ": wait.tcld (tcgen05.wait::ld) is missing";
      case AsyncEngine::tcst:
        return between + ": wait.tcst (tcgen05.wait::st) is missing";
      default:
        return between + ", that is, for an mbarrier to which mbar.commit (tcgen05.commit) arrives";
    }
  }

  bool in_one_thread(EventId a, EventId b) const { return frame_.events[a].thread == frame_.events[b].thread; }

  AsyncEngine engine(EventId event) const { return frame_.events[event].source->engine; }

  std::optional<litmus::LocationId> accumulator(EventId of) const {
    for (const Event& step : frame_.events) {
      if (step.kind == EventKind::write && step.same_agent(frame_.events[of])) return step.physical;
    }
    return std::nullopt;
  }

  bool is_pipelined(EventId first, EventId second) const {
    if (!is_tensor_step(frame_.events[second]) || engine(second) != AsyncEngine::tcmma) return false;
    if (engine(first) == AsyncEngine::tccp) return true;
    return engine(first) == AsyncEngine::tcmma && accumulator(first) == accumulator(second);
  }

  bool completes(EventId operation, EventId wait) const {
    return frame_.completes.events() != 0 && frame_.completes.has(operation, wait);
  }

  bool issues(EventId event, EventId operation) const {
    return frame_.issues.events() != 0 && frame_.issues.has(event, operation);
  }

  // Whether what waits for the operation, or for the arrival that follows it, comes before the next one.
  bool is_waited_for(EventId operation, EventId next) const {
    return any([&](EventId event) {
      if (!completes(operation, event)) return false;
      if (frame_.events[event].agent == 0) return told_.has(event, next);
      return any([&](EventId wait) {
        return frame_.events[wait].kind == EventKind::read && frame_.events[wait].agent == 0 &&
               frame_.loc.has(event, wait) && is_told(event, wait) && told_.has(wait, next);
      });
    });
  }
  // Whether the wait reads what the arrival, or one after it, wrote.
  bool is_told(EventId arrival, EventId wait) const {
    return any([&](EventId write) {
      return frame_.events[write].kind == EventKind::write && witness_.rf.has(write, wait) &&
             (frame_.events[write].same_agent(frame_.events[arrival]) || told_.has(arrival, write));
    });
  }
  bool is_committed(EventId operation) const {
    return any([&](EventId event) { return completes(operation, event) && frame_.events[event].agent != 0; });
  }
  bool is_waited_for_by_issuer(EventId first, EventId second) const {
    return any([&](EventId event) {
      return frame_.events[event].agent == 0 && completes(first, event) && issues(event, second);
    });
  }

  bool is_fence(EventId event, FenceKind kind) const {
    const litmus::Fence* fence = fence_of(frame_.events[event]);
    return fence != nullptr && fence->kind == kind;
  }
  bool is_proxy_fence(EventId event) const {
    const litmus::Fence* fence = fence_of(frame_.events[event]);
    return fence != nullptr && fence->kind == FenceKind::proxy && fence->proxy == litmus::Proxy::async &&
           (fence->semantics.empty() || fence->semantics.has(litmus::Space::shared));
  }

  bool has_fence_after(EventId first, EventId second) const {
    return any([&](EventId event) {
      return is_fence(event, FenceKind::tensor_after) && told_.has(first, event) && issues(event, second);
    });
  }
  bool has_fence_before(EventId first, EventId second) const {
    return any([&](EventId event) {
      return is_fence(event, FenceKind::tensor_before) && in_one_thread(first, event) && told_.has(first, event) &&
             told_.has(event, second);
    });
  }
  bool has_proxy_fence(EventId first, EventId second) const {
    return any(
        [&](EventId event) { return is_proxy_fence(event) && told_.has(first, event) && told_.has(event, second); });
  }
  bool has_proxy_fence_of_issuer(EventId first, EventId second) const {
    return any(
        [&](EventId event) { return is_proxy_fence(event) && told_.has(first, event) && issues(event, second); });
  }

  template <typename Holds>
  bool any(const Holds& holds) const {
    for (EventId event = 0; event < frame_.size(); ++event) {
      if (holds(event)) return true;
    }
    return false;
  }

  const Witness& witness_;
  const Frame& frame_;
  Relation told_;
  std::vector<std::string> remarks_;
};

}  // namespace

bool is_tensor_step(const Event& event) {
  return event.agent != 0 && event.source != nullptr && litmus::is_tensor(event.source->engine) && !event.counts();
}

std::vector<std::string> tensor_remarks(const Witness& witness) {
  if (std::none_of(witness.frame.events.begin(), witness.frame.events.end(), is_tensor_step)) return {};
  return TensorRemarks(witness).all();
}

}  // namespace weakspot::model
