// SPDX-License-Identifier: MIT
// The evaluator keeps what a step of the search has not changed. What it answers must not depend on what it was asked
// before.
#include <gtest/gtest.h>

#include <random>

#include "model/evaluate/evaluator.h"
#include "model/execution/enumerate.h"
#include "model/library.h"
#include "support/corpus_tests.h"

namespace weakspot::model::evaluator_test {
namespace {

// A candidate, whole or in part.
struct Asked {
  Relation rf, co;
  std::vector<litmus::Value> values;
};

constexpr std::size_t kMostCandidates = 40;

// The first candidates of the first frame that has some.
class Collector : public CandidateVisitor {
 public:
  bool frame(const Frame& of) override {
    if (asked.empty()) frame_ = of;
    return asked.empty();
  }
  bool cut(const Relation&, const Relation&) override { return false; }
  bool candidate(const Candidate& candidate, std::span<const litmus::Outcome>) override {
    asked.push_back({*candidate.rf, *candidate.co, *candidate.values});
    return asked.size() < kMostCandidates;
  }

  const Frame& frame() const { return frame_; }
  std::vector<Asked> asked;

 private:
  Frame frame_;
};

// About half of the pairs.
Relation part_of(const Relation& whole, std::mt19937& random) {
  Relation part(whole.events());
  whole.for_each([&](EventId a, EventId b) {
    if (random() % 2 == 0) part.insert(a, b);
  });
  return part;
}

struct Answers {
  bool cut, lacks, allowed;
  std::vector<std::size_t> flags;
  bool operator==(const Answers&) const = default;
};

Answers ask(Evaluator& evaluator, const Frame& frame, const Asked& whole, const Asked& part) {
  Answers answers{};
  answers.cut = evaluator.cut(part.rf, part.co);
  answers.lacks = evaluator.lacks(part.rf, whole.co);
  answers.allowed = evaluator.allows({&frame, &whole.rf, &whole.co, &whole.values});
  if (answers.allowed) answers.flags = evaluator.flags();
  return answers;
}

class EvaluatorTest : public testing::TestWithParam<const char*> {};

TEST_P(EvaluatorTest, AnswersTheSameWhateverItWasAskedBefore) {
  const base::Result<Model> model = load_model(GetParam());
  ASSERT_TRUE(model.ok());
  std::mt19937 random(1);
  std::size_t compared = 0;
  for (const litmus::LitmusTest& test : testing_support::corpus_tests("@all", 7)) {
    Collector collector;
    enumerate(test, {.partial_coherence = model->partial_coherence()}, collector);
    if (collector.asked.empty()) continue;
    Evaluator used(*model);
    used.begin(collector.frame());
    for (const Asked& whole : collector.asked) {
      const Asked part{part_of(whole.rf, random), part_of(whole.co, random), {}};
      Evaluator fresh(*model);
      fresh.begin(collector.frame());
      const Answers expected = ask(fresh, collector.frame(), whole, part);
      ASSERT_EQ(ask(used, collector.frame(), whole, part), expected) << test.name;
      ++compared;
    }
  }
  EXPECT_GT(compared, 500u);
}

INSTANTIATE_TEST_SUITE_P(Models, EvaluatorTest,
                         testing::Values("sc", "c11", "cpp20", "ptx", "vulkan", "amdgpu", "aarch64"));

}  // namespace
}  // namespace weakspot::model::evaluator_test
