// SPDX-License-Identifier: MIT
#include "model/reason/asynchronous_remarks.h"

#include <fmt/format.h>

#include "model/cat/predefined_tables.h"
#include "model/execution/barriers.h"
#include "model/execution/frame.h"
#include "model/reason/event_texts.h"
#include "model/reason/tensor_remarks.h"

namespace weakspot::model {
namespace {

using litmus::Proxy;

class Remarks {
 public:
  explicit Remarks(const Witness& witness) : witness_(witness), frame_(witness.frame), before_(frame_.size()) {
    find_order();
  }

  std::vector<std::string> all() {
    for (EventId read = 0; read < frame_.size(); ++read) {
      if (frame_.events[read].kind != EventKind::read || frame_.events[read].rmw) continue;
      for (EventId write = 0; write < frame_.size(); ++write) {
        if (frame_.events[write].kind != EventKind::write) continue;
        if (is_tensor_step(frame_.events[read]) || is_tensor_step(frame_.events[write])) continue;
        if (misses(read, write)) look_at(read, write);
        if (witness_.rf.has(write, read) && before_.has(read, write)) foresees(read, write);
      }
    }
    return std::move(remarks_);
  }

 private:
  // Collects the order that holds for every proxy: program order, acquired releases, barriers, waits for copies.
  void find_order() {
    before_ |= frame_.po;
    if (frame_.completes.events() != 0) before_ |= frame_.completes;
    const Barriers barriers(frame_);
    for (EventId a = 0; a < frame_.size(); ++a) {
      for (EventId b : barriers.meeting(a)) {
        const litmus::Barrier& from = *barrier_of(frame_.events[a]);
        const litmus::Barrier& to = *barrier_of(frame_.events[b]);
        const bool reaches = from.kind != litmus::Barrier::Kind::wait && to.kind != litmus::Barrier::Kind::arrive;
        if (reaches && from.order != litmus::Order::relaxed) before_.insert(a, b);
      }
      if (frame_.events[a].kind == EventKind::write && is_release(frame_.events[a].order)) follow(a, a);
    }
    before_.close(false, nullptr);
    if (frame_.issues.events() == 0) return;
    Relation issued(frame_.size());
    frame_.issues.for_each([&](EventId from, EventId access) {
      if (!is_product(access) || is_fenced(from, access)) issued.insert(from, access);
    });
    Relation further(frame_.size());
    further.assign_composition(before_, issued, nullptr);
    before_ |= issued;
    before_ |= further;
  }

  bool is_product(EventId event) const {
    return frame_.events[event].agent != 0 && frame_.events[event].source->engine == litmus::AsyncEngine::wgmma;
  }

  // Whether a wgmma.fence stands between the event and the issue of the product, or is the event.
  bool is_fenced(EventId from, EventId product) const {
    for (EventId e = 0; e < frame_.size(); ++e) {
      const litmus::Fence* fence = fence_of(frame_.events[e]);
      if (fence == nullptr || fence->kind != litmus::FenceKind::wgmma) continue;
      if (frame_.issues.has(e, product) && (e == from || frame_.po.has(from, e))) return true;
    }
    return false;
  }

  // Whether each names a scope that includes the other's thread.
  bool reach_each_other(EventId a, EventId b) const {
    const litmus::ThreadId from = *frame_.events[a].thread;
    const litmus::ThreadId to = *frame_.events[b].thread;
    return frame_.scopes.together(from, to, frame_.events[a].scope) &&
           frame_.scopes.together(from, to, frame_.events[b].scope);
  }

  // From a release, through read-modify-writes, to those who acquire it.
  void follow(EventId release, EventId write) {
    for (EventId read = 0; read < frame_.size(); ++read) {
      if (!witness_.rf.has(write, read)) continue;
      if (is_acquire(frame_.events[read].order) && reach_each_other(release, read)) before_.insert(release, read);
      for (EventId next = 0; next < frame_.size(); ++next) {
        if (frame_.rmw.has(read, next)) follow(release, next);
      }
    }
  }

  // Whether the read returns neither the write's value nor a later one.
  bool misses(EventId read, EventId write) const {
    if (!frame_.loc.has(read, write) || witness_.rf.has(write, read)) return false;
    for (EventId source = 0; source < frame_.size(); ++source) {
      if (witness_.rf.has(source, read)) return !witness_.co.has(write, source);
    }
    return false;
  }

  void look_at(EventId read, EventId write) {
    const Proxy from = proxy_of(frame_, frame_.events[write]);
    const Proxy to = proxy_of(frame_, frame_.events[read]);
    const std::string place = event_place(frame_, read);
    const std::string a = event_letter(frame_, write);
    const std::string b = event_letter(frame_, read);
    if (is_product(read) && !before_.has(write, read) && follows(write, read)) {
      remarks_.push_back(
          fmt::format("{} is a product, not ordered after earlier instructions of its thread: wgfence "
                      "(wgmma.fence) is missing before it is issued",
                      b));
    } else if (before_.has(write, read) && to == Proxy::tensormap) {
      remarks_.push_back(
          fmt::format("{} writes the tensor map {} through the generic proxy: fence.proxy.tensormap is "
                      "missing, .rel after {} or .acq before the operation of {} is issued",
                      a, place, a, b));
    } else if (before_.has(write, read) && from != to && (from == Proxy::async || to == Proxy::async)) {
      const std::string through = fmt::format("{} accesses {} through the {} proxy and {} through the {} proxy", a,
                                              place, to_string(from), b, to_string(to));
      remarks_.push_back(fmt::format("{}: fence.proxy.async is missing {}", through, where(write, read)));
    } else if (is_running(write, read)) {
      remarks_.push_back(fmt::format("nothing makes {} wait for the operation of {}, which writes {}", b, a, place));
    }
  }

  // Whether the write comes before something that the issuer of the product did before issuing it.
  bool follows(EventId write, EventId read) const {
    if (frame_.issues.events() == 0) return false;
    for (EventId e = 0; e < frame_.size(); ++e) {
      if (frame_.issues.has(e, read) && (e == write || before_.has(write, e))) return true;
    }
    return false;
  }

  // A read that returns what is stored after it.
  void foresees(EventId read, EventId write) {
    if (proxy_of(frame_, frame_.events[write]) == proxy_of(frame_, frame_.events[read])) return;
    const std::string a = event_letter(frame_, read);
    const std::string b = event_letter(frame_, write);
    remarks_.push_back(
        fmt::format("{} reads what {} stores later, through another proxy: fence.proxy.async is missing {}", a, b,
                    where(read, write)));
  }

  // Between which instructions a proxy fence belongs.
  std::string where(EventId write, EventId read) const {
    const bool one_thread = frame_.events[write].thread == frame_.events[read].thread;
    const EventId issued = frame_.events[read].agent != 0 ? read : write;
    return one_thread
               ? fmt::format("before the operation of {} is issued", event_letter(frame_, issued))
               : fmt::format("between {} and the issue of {}", event_letter(frame_, write), event_letter(frame_, read));
  }

  // A copy that the reading thread issued before, and that was not waited for.
  bool is_running(EventId write, EventId read) const {
    const Event& copy = frame_.events[write];
    const Event& reader = frame_.events[read];
    return copy.agent != 0 && reader.agent == 0 && copy.thread == reader.thread && copy.position < reader.position &&
           !before_.has(write, read);
  }

  const Witness& witness_;
  const Frame& frame_;
  Relation before_;
  std::vector<std::string> remarks_;
};

}  // namespace

std::vector<std::string> asynchronous_remarks(const Witness& witness) {
  if (witness.frame.expansion == nullptr) return {};
  std::vector<std::string> remarks = Remarks(witness).all();
  for (std::string& remark : tensor_remarks(witness)) remarks.push_back(std::move(remark));
  return remarks;
}

}  // namespace weakspot::model
