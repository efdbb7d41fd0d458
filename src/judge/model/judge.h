// SPDX-License-Identifier: MIT
// The verdict of a memory model on a test: can the test's condition be reached?
//
//   const auto tests = litmus::read_test_file("mp.litmus");
//   const auto model = model::load_model("ptx");
//   if (!tests || !model) return ...;  // errors() says why
//   const model::Verdict verdict = model::judge(tests->front(), *model, {.explain = true});
//   std::cout << to_string(verdict.reach) << '\n' << model::explain_verdict(verdict, *model);
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "litmus/outcome.h"
#include "model/cat_model.h"
#include "model/limits.h"

namespace weakspot::litmus {
struct LitmusTest;
}  // namespace weakspot::litmus

namespace weakspot::model {

class Evaluator;

struct JudgeOptions {
  Limits limits;
  // Stop as soon as the verdict on the condition is certain, and look only at executions that can decide it.
  // `outcomes`, `executions` and `flags` are then incomplete.
  bool condition_only = false;
  // Look for flags. Without it `flags` and `flagged` are empty.
  bool flags = true;
  // Follow rounds of loops that only wait where they may be part of a data race. Models with flags have that anyway;
  // one whose checks look for races needs it.
  bool races = false;
  // Keep a witness or a counterexample.
  bool explain = false;
  // Do not look at candidates that differ only in which of some equal threads is which: what holds for one holds for
  // all. They are counted nevertheless. Without it, the obvious way, for tests.
  bool equal_threads = true;
  // Large tests are searched by this many threads.
  unsigned threads = 1;
};

// One execution, kept to be shown: explain.h tells it, picture.h draws it, reason.h says why a model forbids it. It
// points into the test, which must outlive it.
struct Witness;

struct Verdict {
  // Can the condition's proposition be reached? Unknown is never folded into the others.
  enum class Reach : std::uint8_t { allowed, forbidden, unknown };
  Reach reach = Reach::unknown;
  std::string reason;  // of unknown, or a remark ("loops followed 3 times")
  // Whether the proposition holds in all, some or none of the allowed outcomes (of the outcomes seen if `complete` is
  // false).
  enum class Condition : std::uint8_t { always, sometimes, never };
  Condition condition = Condition::never;
  bool complete = false;    // every candidate was looked at, or ruled out
  bool cut_loops = false;   // the only executions missing are those with more rounds of loops
  bool never_ends = false;  // no execution ends: some thread waits for ever in each; not known with condition_only

  litmus::OutcomeSet outcomes;     // allowed
  std::uint64_t executions = 0;    // candidates the model allows
  std::uint64_t positive = 0;      // allowed candidates that satisfy the proposition
  std::uint64_t candidates = 0;    // candidates looked at
  std::vector<std::string> flags;  // raised by some allowed execution, e.g. a data race; sorted
  // With JudgeOptions::explain. The witness is an allowed execution that satisfies the proposition. Where the
  // proposition is forbidden, the counterexample is a forbidden candidate that satisfies it; there is none if no
  // candidate does, whatever the model.
  std::shared_ptr<const Witness> witness;
  std::shared_ptr<const Witness> counterexample;
  std::shared_ptr<const Witness> flagged;  // an allowed execution that raises a flag
  std::string unexplained;                 // why the search for a counterexample ended without an answer; else empty
  double seconds = 0;
};

std::string_view to_string(Verdict::Reach reach);          // allowed forbidden unknown
std::string_view to_string(Verdict::Condition condition);  // always sometimes never

// The test must have been validated, as tests that were read are.
Verdict judge(const litmus::LitmusTest& test, const Model& model, const JudgeOptions& options = {});

// Judges many tests one after the other, and sets the model's evaluation up only once. One per thread.
class BatchJudge {
 public:
  explicit BatchJudge(const Model& model);
  ~BatchJudge();
  BatchJudge(BatchJudge&&) noexcept;

  const Model& model() const { return model_; }
  Verdict judge(const litmus::LitmusTest& test, const JudgeOptions& options = {});

 private:
  Model model_;
  std::unique_ptr<Evaluator> evaluator_;
};

}  // namespace weakspot::model
