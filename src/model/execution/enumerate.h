// All candidate executions of a test, streamed: paths through the threads, then values by choosing what each read reads
// from, then coherence. Nothing is collected; a visitor sees each frame, may cut off partial candidates, and sees each
// complete one.
//
// Nothing is assumed about the memory model: a read may read from any write of its bytes, even one that comes later in
// its own thread, and atomicity is the model's business. What the visitor's cut() rules out is never built: pairs of a
// read and a write that fail by themselves, and orders of two writes that fail by themselves, are found first where
// looking for them costs less than what they may save.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "litmus/outcome.h"
#include "litmus/test.h"
#include "model/execution/frame.h"
#include "model/limits.h"

namespace weakspot::model {

struct EnumerateOptions {
  // Running out ends the enumeration with `complete` false and the reason.
  Limits limits;
  // Coherence may leave writes unordered (PTX, Vulkan).
  bool partial_coherence = false;
  // Ask the visitor which partial outcomes matter.
  bool ask_interest = false;
  // Several enumerations of one test share its candidates among them by counting up the same counter, each on a thread
  // and with a visitor of its own. Every frame that has candidates is shown to each; every candidate to one.
  std::atomic<std::uint64_t>* share = nullptr;
};

class CandidateVisitor {
 public:
  virtual ~CandidateVisitor() = default;
  // A new frame; candidates that follow belong to it. Frames in which some read has nothing to read are left out.
  // False: skip this frame.
  virtual bool frame(const Frame& frame) = 0;
  // rf and co as far as they are chosen. True: no completion can be of interest. Must be monotone: true for a partial
  // candidate implies true (or rejected) for every completion.
  virtual bool cut(const Relation& rf, const Relation& co) = 0;
  // The mirror image for coherence, asked where it may be partial: co is larger than any order (it may hold pairs in
  // both directions) but for pairs that are left out. True: no completion of rf with a coherence within co can be of
  // interest.
  virtual bool lacks(const Relation& /*rf*/, const Relation& /*co*/) { return false; }
  // With options.ask_interest: what is known of the outcome so far. False: no completion is of interest.
  virtual bool interesting(std::span<const std::optional<litmus::Value>> /*outcome*/) { return true; }
  // The bytes that the visitor keeps, about: they count towards the budget.
  virtual std::size_t held() const { return 0; }
  // A complete candidate with its final states: the values of test.observed(). There are several if partial coherence
  // leaves several last writes of an observed location. False: stop everything.
  virtual bool candidate(const Candidate& candidate, std::span<const litmus::Outcome> outcomes) = 0;
};

struct EnumerateResult {
  bool complete = true;
  std::string reason;            // why not, for a person
  std::uint64_t candidates = 0;  // complete candidates shown to the visitor
  bool bounded = false;          // some path was given up at the unroll bound, and might have led to something new
};

EnumerateResult enumerate(const litmus::LitmusTest& test, const EnumerateOptions& options, CandidateVisitor& visitor);

}  // namespace weakspot::model
