// SPDX-License-Identifier: MIT
// The enumeration against the brute-force oracle and against an interpreter of interleavings, on random tests.
#include <gtest/gtest.h>

#include "model/execution/enumerate.h"
#include "support/brute_force.h"
#include "support/interleavings.h"
#include "support/random_program.h"

namespace weakspot::model {
namespace {

// ---- the models again, over relations ----

struct View {
  const Frame& frame;
  const Relation& rf;
  const Relation& co;
  Relation fr;
};

using Check = bool (*)(const View&);

Relation externals(const Frame& frame, const Relation& of) {
  Relation result(frame.size());
  of.for_each([&](EventId a, EventId b) {
    if (frame.events[a].thread != frame.events[b].thread) result.insert(a, b);
  });
  return result;
}

Relation com(const View& view) {
  Relation result = view.rf;
  result |= view.co;
  result |= view.fr;
  return result;
}

bool is_atomic(const View& view) {
  Relation between(view.frame.size());
  between.assign_composition(externals(view.frame, view.fr), externals(view.frame, view.co));
  between &= view.frame.rmw;
  return between.empty();
}

bool anything(const View&) { return true; }

bool sc(const View& view) {
  Relation order = com(view);
  order |= view.frame.po;
  return order.is_acyclic() && is_atomic(view);
}

bool sc_per_location(const View& view) {
  Relation order = view.frame.po;
  order &= view.frame.loc;
  order |= com(view);
  return order.is_acyclic();
}

Relation fence_order(const Frame& frame, litmus::Scope at_least) {
  EventSet fences(frame.size());
  for (EventId i = 0; i < frame.size(); ++i) {
    if (frame.events[i].kind == EventKind::fence && frame.events[i].scope >= at_least) fences.insert(i);
  }
  Relation before = frame.po;
  before.restrict_range(fences);
  Relation order(frame.size());
  order.assign_composition(before, frame.po);
  return order;
}

bool tso(const View& view) {
  const Frame& frame = view.frame;
  Relation order = fence_order(frame, litmus::Scope::thread);
  frame.po.for_each([&](EventId a, EventId b) {
    const Event& from = frame.events[a];
    const Event& to = frame.events[b];
    if (from.kind == EventKind::fence || to.kind == EventKind::fence) return;
    if (from.kind != EventKind::write || to.kind != EventKind::read) order.insert(a, b);
  });
  order |= externals(frame, view.rf);
  order |= view.co;
  order |= view.fr;
  return order.is_acyclic() && sc_per_location(view) && is_atomic(view);
}

bool gpu_2015(const View& view) {
  const Frame& frame = view.frame;
  Relation coherent = com(view);
  frame.po.for_each([&](EventId a, EventId b) {
    const bool reads = frame.events[a].kind == EventKind::read && frame.events[b].kind == EventKind::read;
    if (frame.loc.has(a, b) && !reads) coherent.insert(a, b);
  });
  Relation depends = frame.ctrl;
  EventSet writes(frame.size());
  for (EventId i = 0; i < frame.size(); ++i) {
    if (frame.events[i].is_write()) writes.insert(i);
  }
  depends.restrict_range(writes);
  depends |= frame.addr;
  depends |= frame.data;
  Relation thin_air = depends;
  thin_air |= view.rf;
  if (!coherent.is_acyclic() || !thin_air.is_acyclic()) return false;
  for (litmus::Scope scope : {litmus::Scope::workgroup, litmus::Scope::device, litmus::Scope::system}) {
    Relation order = depends;
    order |= fence_order(frame, scope);
    order |= externals(frame, view.rf);
    order |= view.co;
    order |= view.fr;
    Relation within(frame.size());
    order.for_each([&](EventId a, EventId b) {
      const Event& from = frame.events[a];
      const Event& to = frame.events[b];
      if (from.thread && to.thread && frame.scopes.together(*from.thread, *to.thread, scope)) within.insert(a, b);
    });
    if (!within.is_acyclic()) return false;
  }
  return true;
}

class CheckVisitor : public CandidateVisitor {
 public:
  explicit CheckVisitor(Check check) : check_(check) {}

  bool frame(const Frame& frame) override {
    frame_ = &frame;
    return true;
  }
  bool cut(const Relation& rf, const Relation& co) override { return !passes(rf, co); }
  bool candidate(const Candidate& candidate, std::span<const litmus::Outcome> outcomes) override {
    if (!passes(*candidate.rf, *candidate.co)) return true;
    ++summary.executions;
    summary.outcomes.insert(outcomes.begin(), outcomes.end());
    return true;
  }

  tests::Summary summary;

 private:
  bool passes(const Relation& rf, const Relation& co) const {
    Relation inverse(frame_->size());
    inverse.assign_inverse(rf);
    View view{*frame_, rf, co, Relation(frame_->size())};
    view.fr.assign_composition(inverse, co);
    return check_(view);
  }

  Check check_;
  const Frame* frame_ = nullptr;
};

tests::Summary fast(const litmus::LitmusTest& test, Check check, bool partial) {
  CheckVisitor visitor(check);
  const EnumerateResult result = enumerate(test, {.partial_coherence = partial}, visitor);
  RC_ASSERT(result.complete);
  RC_ASSERT(!result.bounded);
  return visitor.summary;
}

void agree(const litmus::LitmusTest& test, Check check, const tests::Model& model, bool partial = false) {
  const tests::Summary expected = tests::all_executions(test, model, partial);
  const tests::Summary found = fast(test, check, partial);
  RC_ASSERT(found.outcomes == expected.outcomes);
  RC_ASSERT(found.executions == expected.executions);
}

TEST(EnumerateProperty, AgreesWithoutAModel) {
  tests::holds_for({.instructions = 2}, 400,
                   [](const litmus::LitmusTest& test) { agree(test, anything, tests::anything); });
}

TEST(EnumerateProperty, AgreesOnSc) {
  tests::holds_for({}, 1000, [](const litmus::LitmusTest& test) { agree(test, sc, tests::sc); });
}

TEST(EnumerateProperty, AgreesOnScPerLocation) {
  tests::holds_for({}, 1000,
                   [](const litmus::LitmusTest& test) { agree(test, sc_per_location, tests::sc_per_location); });
}

TEST(EnumerateProperty, AgreesOnTso) {
  tests::holds_for({}, 1000, [](const litmus::LitmusTest& test) { agree(test, tso, tests::tso); });
}

TEST(EnumerateProperty, AgreesOnTheShapeOf2015) {
  tests::holds_for({}, 1000, [](const litmus::LitmusTest& test) { agree(test, gpu_2015, tests::gpu_2015); });
}

TEST(EnumerateProperty, AgreesOnPartialCoherence) {
  tests::holds_for({.instructions = 2}, 500, [](const litmus::LitmusTest& test) {
    agree(test, sc_per_location, tests::sc_per_location, true);
    agree(test, gpu_2015, tests::gpu_2015, true);
  });
}

// Whole accesses happen at one moment: the order of pieces is that of their accesses.
Relation lifted(const Frame& frame, const Relation& of) {
  Relation result = of;
  of.for_each([&](EventId a, EventId b) {
    for (EventId piece = 0; piece < frame.size(); ++piece) {
      if (frame.events[piece].thread && frame.events[piece].operation == frame.events[b].operation) {
        result.insert(a, piece);
      }
    }
  });
  return result;
}

bool sc_of_mixed_sizes(const View& view) {
  Relation order = lifted(view.frame, com(view));
  order |= view.frame.po;
  return order.is_acyclic() && is_atomic(view);
}

tests::Features mixed(tests::Features features, bool vectors = true) {
  features.mixed = true;
  features.vectors = vectors;
  return features;
}

TEST(EnumerateProperty, AgreesOnMixedSizesWithoutAModel) {
  tests::holds_for(mixed({.instructions = 2, .writes = 3, .reads = 3}), 300,
                   [](const litmus::LitmusTest& test) { agree(test, anything, tests::anything); });
}

TEST(EnumerateProperty, AgreesOnMixedSizes) {
  tests::holds_for(mixed({.writes = 3, .reads = 3}), 200, [](const litmus::LitmusTest& test) {
    agree(test, sc_per_location, tests::sc_per_location);
    agree(test, tso, tests::tso);
  });
}

TEST(EnumerateProperty, AgreesOnMixedSizesWithPartialCoherence) {
  tests::holds_for(mixed({.instructions = 2, .writes = 2, .reads = 3}), 200,
                   [](const litmus::LitmusTest& test) { agree(test, sc_per_location, tests::sc_per_location, true); });
}

// Threads that take turns run the elements of a vector in their order.
TEST(EnumerateProperty, ScOfMixedSizesIsWhatInterleavingsGive) {
  const tests::Features features = mixed({.instructions = 4, .writes = 6, .reads = 6}, false);
  tests::holds_for(features, 1000, [](const litmus::LitmusTest& test) {
    RC_ASSERT(fast(test, sc_of_mixed_sizes, false).outcomes == tests::Interleavings(test).run());
  });
}

TEST(EnumerateProperty, ScIsWhatInterleavingsGive) {
  tests::holds_for({.instructions = 4, .writes = 6, .reads = 6}, 2000, [](const litmus::LitmusTest& test) {
    RC_ASSERT(fast(test, sc, false).outcomes == tests::Interleavings(test).run());
  });
}

}  // namespace
}  // namespace weakspot::model
