// Is this allowed? The verdict of a model on a test.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "litmus/outcome.h"
#include "litmus/test.h"
#include "model/cat_model.h"
#include "model/execution/enumerate.h"

namespace weakspot::model {

struct JudgeOptions {
  EnumerateOptions enumerate;  // the model decides whether coherence is partial
  // Stop as soon as the verdict on the condition is certain, and look only at what can decide it; `outcomes`,
  // `executions` and `flags` are then incomplete.
  bool condition_only = false;
  // Keep a witness for and a failure against.
  bool explain = false;
  // Tests that turn out to be large are searched by this many threads.
  unsigned threads = 1;
};

// One execution kept for showing: a copy that outlives the enumeration, but not the test.
struct Witness {
  Frame frame;
  Relation rf, co;
  std::vector<litmus::Value> values;
  litmus::Outcome outcome;

  Candidate candidate() const { return {&frame, &rf, &co, &values}; }
};

struct Verdict {
  // Can the condition's proposition be reached? Unknown is never folded into the others.
  enum class Reach { allowed, forbidden, unknown };
  Reach reach = Reach::unknown;
  std::string reason;  // for unknown, or a remark ("loops followed 3 times")
  // Over the allowed outcomes. Where `complete` is false, over those that were seen.
  enum class Condition { always, sometimes, never };
  Condition condition = Condition::never;
  bool complete = false;  // every candidate was looked at, or ruled out

  litmus::OutcomeSet outcomes;     // allowed
  std::uint64_t executions = 0;    // candidates the model allows
  std::uint64_t positive = 0;      // of those, the ones that satisfy the proposition
  std::uint64_t candidates = 0;    // candidates looked at
  std::vector<std::string> flags;  // raised by some allowed execution, e.g. a data race; sorted
  std::optional<Witness> witness;  // of an allowed execution that satisfies the proposition
  // Of a forbidden candidate that satisfies it, when the proposition is forbidden. None if no candidate does.
  std::optional<Witness> counterexample;
  double seconds = 0;
};

Verdict judge(const litmus::LitmusTest& test, const Model& model, const JudgeOptions& options = {});

// The same for many tests one after the other: what a model needs to be evaluated is set up once. Not for several
// threads at a time.
class BatchJudge {
 public:
  explicit BatchJudge(const Model& model) : model_(model), evaluator_(model) {}

  const Model& model() const { return model_; }
  Verdict judge(const litmus::LitmusTest& test, const JudgeOptions& options = {});

 private:
  Model model_;
  Evaluator evaluator_;
};

}  // namespace weakspot::model
