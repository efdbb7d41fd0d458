// All candidate executions of a test, streamed: paths through the threads, then values by choosing what each read reads
// from, then coherence. Nothing is collected; a visitor sees each frame, may cut off partial candidates, and sees each
// complete one.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "litmus/outcome.h"
#include "litmus/test.h"
#include "model/frame.h"

namespace weakspot::model {

struct EnumerateOptions {
  // How often a backward branch is followed before the execution is given up (and the result says so).
  std::uint32_t unroll = 3;
  // Coherence may leave writes unordered (PTX, Vulkan).
  bool partial_coherence = false;
  // Budgets; zero: none. Running out ends the enumeration with `complete` false and the reason.
  std::chrono::milliseconds time{0};
  std::uint64_t candidates = 0;
};

class CandidateVisitor {
 public:
  virtual ~CandidateVisitor() = default;
  // A new frame; candidates that follow belong to it. False: skip this frame.
  virtual bool frame(const Frame& frame) = 0;
  // rf and co as far as they are chosen. True: no completion can be of interest. Must be monotone: true for a partial
  // candidate implies true (or rejected) for every completion.
  virtual bool cut(const Relation& rf, const Relation& co) = 0;
  // A complete candidate with its final state (values of test.observed(); with partial coherence one call per choice of
  // final writes). False: stop everything.
  virtual bool candidate(const Candidate& candidate, const litmus::Outcome& outcome) = 0;
};

struct EnumerateResult {
  bool complete = true;
  std::string reason;            // why not, for a person
  std::uint64_t candidates = 0;  // complete candidates shown to the visitor
  bool bounded = false;          // some path was given up at the unroll bound
};

EnumerateResult enumerate(const litmus::LitmusTest& test, const EnumerateOptions& options, CandidateVisitor& visitor);

}  // namespace weakspot::model
