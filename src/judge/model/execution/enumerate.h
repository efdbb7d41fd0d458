// SPDX-License-Identifier: MIT
// All candidate executions of a test, streamed: paths through the threads, then values by choosing what each read reads
// from, then coherence. Nothing is collected: a visitor sees each frame, may cut off partial candidates, and sees each
// complete one.
//
// Nothing is assumed about the memory model: a read may read from any write of its bytes, even one that comes later in
// its own thread, and atomicity is left to the model. Candidates that the visitor's cut() rules out are never built.
// Where it pays off, the enumeration first looks for pairs of a read and a write, and for orders of two writes, that
// are ruled out on their own.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "litmus/outcome.h"
#include "litmus/test.h"
#include "model/budget/allowance.h"
#include "model/execution/frame.h"
#include "model/execution/symmetry.h"
#include "model/limits.h"

namespace weakspot::model {

struct EnumerateOptions {
  // Running out ends the enumeration with `complete` false and the reason.
  Limits limits;
  // Time and memory, shared with others that work on the verdict; null: a new allowance by the limits.
  Allowance* allowance = nullptr;
  // Coherence may leave writes unordered (PTX, Vulkan).
  bool partial_coherence = false;
  // Ask the visitor which partial outcomes matter.
  bool ask_interest = false;
  // Show one of several candidates that differ only in which of some equal threads is which; see
  // CandidateVisitor::candidates().
  bool equal_threads = false;
  // The visitor wants to know of data races: rounds of loops that only wait are shown where they may be part of one.
  bool races = false;
  // Accepts the combinations of endings, by thread, that are of interest. If it is not set, all threads finish.
  std::function<bool(std::span<const Ending>)> endings;
  bool stops = false;  // threads may stop after any write, not only before they start
  // Enumerations of one test, each with its own thread and visitor, share the test's candidates by counting up the same
  // counter. Every visitor sees every frame that has candidates; each candidate is seen by one of them.
  std::atomic<std::uint64_t>* share = nullptr;
};

class CandidateVisitor {
 public:
  virtual ~CandidateVisitor() = default;
  // A new frame, to which the following candidates belong. Frames in which some read has nothing to read are left out.
  // False: skip this frame.
  virtual bool frame(const Frame& frame) = 0;
  // rf and co as far as they are chosen. True: no completion is of interest. Must be monotone: if it is true for a
  // partial candidate, every completion is cut or rejected.
  virtual bool cut(const Relation& rf, const Relation& co) = 0;
  // The mirror image, asked where coherence may be partial: co holds all pairs that are still possible, some of them in
  // both directions. True: no completion of rf with a coherence within co is of interest.
  virtual bool lacks(const Relation& /*rf*/, const Relation& /*co*/) { return false; }
  // With EnumerateOptions::ask_interest: the part of the outcome known so far. False: no completion is of interest.
  virtual bool interesting(std::span<const std::optional<litmus::Value>> /*outcome*/) { return true; }
  // Roughly the bytes that the visitor keeps: they count towards Limits::memory.
  virtual std::size_t held() const { return 0; }
  // A complete candidate with its final states: the values of test.observed(). There are several if partial coherence
  // leaves several last writes of an observed location. False: stop everything.
  virtual bool candidate(const Candidate& candidate, std::span<const litmus::Outcome> outcomes) = 0;
  // With EnumerateOptions::equal_threads, instead: a candidate that stands for others. With ask_interest, all of them
  // have the same outcomes.
  virtual bool candidates(const Candidate& candidate, std::span<const litmus::Outcome> outcomes,
                          const Symmetry& /*others*/) {
    return this->candidate(candidate, outcomes);
  }
};

struct EnumerateResult {
  bool complete = true;
  std::string reason;            // why it is not complete, for a person
  std::uint64_t candidates = 0;  // complete candidates shown to the visitor
  bool bounded = false;          // some path was given up at the unroll limit, and might have led to something new
};

EnumerateResult enumerate(const litmus::LitmusTest& test, const EnumerateOptions& options, CandidateVisitor& visitor);

}  // namespace weakspot::model
