// SPDX-License-Identifier: MIT
#include "model/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <memory>
#include <set>

#include "base/names.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "base/wording.h"
#include "model/evaluate/evaluator.h"
#include "model/execution/enumerate.h"
#include "model/execution/question.h"

namespace weakspot::model {
namespace {

using Clock = std::chrono::steady_clock;
using litmus::Condition;

// A test with more candidates than this is worth starting threads for.
constexpr std::uint64_t kSmallTest = 10'000;

// Shared by all threads that judge one test.
struct Task {
  Task(const litmus::LitmusTest& judged, const Model& by, const JudgeOptions& given)
      : test(judged),
        model(by),
        options(given),
        limits(given.limits),
        enumerate{.limits = given.limits,
                  .partial_coherence = by.partial_coherence(),
                  .ask_interest = given.condition_only,
                  .equal_threads = given.equal_threads,
                  .races = given.races || (given.flags && std::any_of(by.checks().begin(), by.checks().end(),
                                                                      [](const auto& check) { return check.flag; }))},
        condition(judged, judged.condition.proposition) {
    if (test.filter) filter.emplace(test, *test.filter);
  }

  const litmus::LitmusTest& test;
  const Model& model;
  const JudgeOptions& options;
  const Clock::time_point start = Clock::now();
  Limits limits;  // for each thread
  EnumerateOptions enumerate;
  Question condition;
  std::optional<Question> filter;
  std::atomic<bool> decided = false;  // no further candidate can change the verdict
};

using Kept = std::shared_ptr<const Witness>;

Kept keep(const Candidate& candidate, const litmus::Outcome& outcome) {
  return std::make_shared<const Witness>(
      Witness{*candidate.frame, *candidate.rf, *candidate.co, *candidate.values, outcome});
}

// Judges candidates as they come.
class Judge : public CandidateVisitor {
 public:
  Judge(Task& task, Evaluator& evaluator) : allowance(task.limits, task.start), task_(task), evaluator_(evaluator) {
    evaluator_.limit(&allowance);
    evaluator_.raise_flags(task.options.flags);
  }

  bool frame(const Frame& frame) override {
    evaluator_.begin(frame);
    return works();
  }

  bool cut(const Relation& rf, const Relation& co) override { return evaluator_.cut(rf, co); }

  bool lacks(const Relation& rf, const Relation& co) override { return evaluator_.lacks(rf, co); }

  bool interesting(std::span<const std::optional<litmus::Value>> outcome) override {
    if (task_.filter && task_.filter->holds_so_far(outcome) == false) return false;
    const std::optional<bool> holds = task_.condition.holds_so_far(outcome);
    return !holds || decides(*holds);
  }

  std::size_t held() const override {
    // A node of the set with its header, and the block that its values are in.
    static constexpr std::size_t kNode = sizeof(litmus::Outcome) + 6 * sizeof(void*);
    const std::size_t each = outcomes.empty() ? 0 : kNode + outcomes.begin()->size() * sizeof(litmus::Value);
    return outcomes.size() * each + evaluator_.held();
  }

  bool candidate(const Candidate& candidate, std::span<const litmus::Outcome> finals) override {
    bool wanted = false;
    for (const litmus::Outcome& outcome : finals) wanted = wanted || is_wanted(outcome);
    if (wanted && evaluator_.allows(candidate) && works()) {
      const litmus::Outcome* const satisfying = count(finals, 1);
      show(candidate, finals, satisfying);
    }
    return !task_.decided.load(std::memory_order_relaxed);
  }

  bool candidates(const Candidate& one, std::span<const litmus::Outcome> finals, const Symmetry& others) override {
    if (task_.options.condition_only) return candidate(one, finals);
    if (!evaluator_.allows(one) || !works()) return true;
    others.for_each_end(one, finals, allowance,
                        [&](std::span<const litmus::Outcome> ends, std::uint64_t times, const Exchange& exchange) {
                          if (std::none_of(ends.begin(), ends.end(), [&](const auto& end) { return is_wanted(end); }))
                            return;
                          const litmus::Outcome* const satisfying = count(ends, times);
                          if (!wants_to_show(satisfying)) return;
                          const Symmetry::Image image = others.image(one, exchange);
                          show({one.frame, &image.rf, &image.co, &image.values}, ends, satisfying);
                        });
    return true;
  }

  Allowance allowance;
  litmus::OutcomeSet outcomes;
  std::uint64_t executions = 0;
  std::uint64_t positive = 0;
  std::set<std::size_t> flags;
  bool seen_true = false;
  bool seen_false = false;
  Kept witness;
  Kept flagged;
  EnumerateResult result;
  std::string problem;  // why the model could not be evaluated on some frame

 private:
  // Whether the model could be evaluated.
  bool works() {
    if (allowance.used_up()) return false;
    if (!evaluator_.problem()) return true;
    if (problem.empty()) problem = "the model cannot be evaluated on this test: " + evaluator_.problem()->message;
    return false;
  }

  bool passes_filter(const litmus::Outcome& outcome) const { return !task_.filter || task_.filter->holds(outcome); }

  // Whether one more allowed outcome for which the condition `holds` can change the verdict.
  bool decides(bool holds) const {
    const bool all = task_.test.condition.quantifier == Condition::Quantifier::forall;
    return holds ? !seen_true : all && !seen_false;
  }

  bool is_wanted(const litmus::Outcome& outcome) const {
    if (!passes_filter(outcome)) return false;
    return !task_.options.condition_only || decides(task_.condition.holds(outcome));
  }

  // Counts that many allowed executions with these outcomes; the first outcome that satisfies the condition.
  const litmus::Outcome* count(std::span<const litmus::Outcome> finals, std::uint64_t times) {
    executions += times;
    flags.insert(evaluator_.flags().begin(), evaluator_.flags().end());
    const litmus::Outcome* satisfying = nullptr;
    for (const litmus::Outcome& outcome : finals) {
      if (allowance.spend()) break;
      if (!passes_filter(outcome)) continue;
      add(outcome);
      if (last_holds_ && satisfying == nullptr) satisfying = &outcome;
    }
    positive += satisfying != nullptr ? times : 0;
    return satisfying;
  }

  bool wants_to_show(const litmus::Outcome* satisfying) const {
    const bool race = !flagged && !evaluator_.flags().empty();
    return task_.options.explain && (race || (satisfying != nullptr && !witness));
  }
  // Keeps an allowed candidate if it is the first with a race, or the first that satisfies the condition.
  void show(const Candidate& candidate, std::span<const litmus::Outcome> finals, const litmus::Outcome* satisfying) {
    if (!wants_to_show(satisfying)) return;
    if (!flagged && !evaluator_.flags().empty()) flagged = keep(candidate, finals.front());
    if (satisfying != nullptr && !witness) witness = keep(candidate, *satisfying);
  }

  void add(const litmus::Outcome& outcome) {
    // Most candidates end like the one before.
    if (last_ != outcome) {
      last_ = outcome;
      last_holds_ = task_.condition.holds(outcome);
      outcomes.insert(outcome);
    }
    seen_true = seen_true || last_holds_;
    seen_false = seen_false || !last_holds_;
    if (task_.options.condition_only && !decides(true) && !decides(false)) task_.decided = true;
  }

  Task& task_;
  Evaluator& evaluator_;
  std::optional<litmus::Outcome> last_;
  bool last_holds_ = false;
};

// Finds a forbidden candidate that satisfies the condition: of the first few, one that gets furthest through the
// model's checks. The others are forbidden for reasons that every model has.
class Searcher : public CandidateVisitor {
 public:
  Searcher(const Task& task, Evaluator& evaluator) : task_(task), evaluator_(evaluator) {}

  bool frame(const Frame& frame) override {
    evaluator_.begin(frame);
    return true;
  }
  bool cut(const Relation&, const Relation&) override { return false; }
  bool interesting(std::span<const std::optional<litmus::Value>> outcome) override {
    return task_.condition.holds_so_far(outcome) != false;
  }
  bool candidate(const Candidate& candidate, std::span<const litmus::Outcome> outcomes) override {
    for (const litmus::Outcome& outcome : outcomes) {
      const bool looked_at = !task_.filter || task_.filter->holds(outcome);
      if (looked_at && task_.condition.holds(outcome)) return consider(candidate, outcome);
    }
    return true;
  }

  Kept found;

 private:
  static constexpr std::size_t kMostConsidered = 64;

  bool consider(const Candidate& candidate, const litmus::Outcome& outcome) {
    evaluator_.allows(candidate);
    const std::size_t passed = evaluator_.failed_check().value_or(0);
    if (!found || passed > passed_) {
      found = keep(candidate, outcome);
      passed_ = passed;
    }
    return ++considered_ < kMostConsidered;
  }

  const Task& task_;
  Evaluator& evaluator_;
  std::size_t passed_ = 0;
  std::size_t considered_ = 0;
};

using Judges = std::vector<std::unique_ptr<Judge>>;

Judges judge_alone(Task& task, EnumerateOptions options, Evaluator& evaluator) {
  Judges judges;
  judges.push_back(std::make_unique<Judge>(task, evaluator));
  options.allowance = &judges[0]->allowance;
  judges[0]->result = enumerate(task.test, options, *judges[0]);
  evaluator.limit(nullptr);
  return judges;
}

Judges judge_together(Task& task, EnumerateOptions options) {
  std::atomic<std::uint64_t> share = 0;
  options.share = &share;
  task.limits = options.limits;
  for (std::uint64_t* budget : {&options.limits.candidates, &task.limits.memory}) {
    if (*budget != 0) *budget = std::max<std::uint64_t>(1, *budget / task.options.threads);
  }
  std::deque<Evaluator> evaluators;
  Judges judges;
  for (unsigned i = 0; i < task.options.threads; ++i) {
    judges.push_back(std::make_unique<Judge>(task, evaluators.emplace_back(task.model)));
  }
  base::in_parallel(task.options.threads, [&](unsigned i) {
    EnumerateOptions mine = options;
    mine.allowance = &judges[i]->allowance;
    judges[i]->result = enumerate(task.test, mine, *judges[i]);
  });
  return judges;
}

// One thread finds out whether the test is large; if so, all of them start it again.
Judges judge_candidates(Task& task, Evaluator& evaluator) {
  const EnumerateOptions& options = task.enumerate;
  const std::uint64_t most = options.limits.candidates;
  if (task.options.threads <= 1 || (most != 0 && most <= kSmallTest)) {
    return judge_alone(task, options, evaluator);
  }
  EnumerateOptions few = options;
  few.limits.candidates = kSmallTest;
  Judges judges = judge_alone(task, few, evaluator);
  if (judges[0]->result.candidates < kSmallTest || task.decided) return judges;
  return judge_together(task, options);
}

void summarise(const Task& task, Judges& judges, Verdict& verdict) {
  bool seen_true = false;
  bool seen_false = false;
  bool bounded = false;
  std::set<std::size_t> flags;
  verdict.complete = !task.decided;
  for (const std::unique_ptr<Judge>& judge : judges) {
    verdict.outcomes.merge(judge->outcomes);
    verdict.executions += judge->executions;
    verdict.positive += judge->positive;
    verdict.candidates += judge->result.candidates;
    if (!verdict.witness) verdict.witness = std::move(judge->witness);
    if (!verdict.flagged) verdict.flagged = std::move(judge->flagged);
    flags.insert(judge->flags.begin(), judge->flags.end());
    seen_true = seen_true || judge->seen_true;
    seen_false = seen_false || judge->seen_false;
    bounded = bounded || judge->result.bounded;
    verdict.complete = verdict.complete && judge->result.complete && judge->problem.empty();
    if (verdict.reason.empty()) verdict.reason = judge->problem;
    if (verdict.reason.empty()) verdict.reason = judge->result.reason;
  }
  for (std::size_t flag : flags) verdict.flags.push_back(task.model.checks()[flag].name);
  base::sort(verdict.flags);
  if (seen_true) verdict.condition = seen_false ? Verdict::Condition::sometimes : Verdict::Condition::always;
  verdict.complete = verdict.complete && !bounded;
  if (seen_true) {
    verdict.reach = Verdict::Reach::allowed;
  } else {
    verdict.reach = verdict.complete ? Verdict::Reach::forbidden : Verdict::Reach::unknown;
  }
  verdict.cut_loops = bounded && verdict.reason.empty();
  if (verdict.cut_loops) {
    const std::uint32_t rounds = task.options.limits.unroll;
    verdict.reason = fmt::format("loops followed {} time{}", rounds, rounds == 1 ? "" : "s");
  }
  if (!verdict.reason.empty()) verdict.reason = base::worded(std::move(verdict.reason));
}

void find_counterexample(const Task& task, Evaluator& evaluator, Verdict& verdict) {
  EnumerateOptions options = task.enumerate;
  options.ask_interest = true;
  options.equal_threads = false;
  Allowance allowance(task.options.limits, task.start);
  options.allowance = &allowance;
  evaluator.limit(&allowance);
  Searcher searcher(task, evaluator);
  const EnumerateResult result = enumerate(task.test, options, searcher);
  evaluator.limit(nullptr);
  verdict.counterexample = std::move(searcher.found);
  if (!verdict.counterexample && !result.complete) verdict.unexplained = result.reason;
}

constexpr base::Named<Verdict::Reach> kReaches[] = {
    {"allowed", Verdict::Reach::allowed},
    {"forbidden", Verdict::Reach::forbidden},
    {"unknown", Verdict::Reach::unknown},
};

constexpr base::Named<Verdict::Condition> kConditions[] = {
    {"always", Verdict::Condition::always},
    {"sometimes", Verdict::Condition::sometimes},
    {"never", Verdict::Condition::never},
};

}  // namespace

std::string_view to_string(Verdict::Reach reach) { return base::name_of(kReaches, reach); }
std::string_view to_string(Verdict::Condition condition) { return base::name_of(kConditions, condition); }

Verdict judge(const litmus::LitmusTest& test, const Model& model, const JudgeOptions& options) {
  return BatchJudge(model).judge(test, options);
}

BatchJudge::BatchJudge(const Model& model) : model_(model), evaluator_(std::make_unique<Evaluator>(model)) {}
BatchJudge::~BatchJudge() = default;
BatchJudge::BatchJudge(BatchJudge&&) noexcept = default;

Verdict BatchJudge::judge(const litmus::LitmusTest& test, const JudgeOptions& options) {
  const Clock::time_point start = Clock::now();
  Task task(test, model_, options);
  Judges judges = judge_candidates(task, *evaluator_);
  Verdict verdict;
  summarise(task, judges, verdict);
  verdict.never_ends = verdict.complete && verdict.executions == 0 && !options.condition_only && !test.filter;
  if (options.explain && verdict.reach == Verdict::Reach::forbidden) {
    find_counterexample(task, *evaluator_, verdict);
  }
  verdict.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return verdict;
}

}  // namespace weakspot::model
