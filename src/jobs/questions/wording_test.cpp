// SPDX-License-Identifier: MIT
// Messages are for people: every fact stays the same when all of them are reworded.
#include "base/wording.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "base/hash.h"
#include "base/source.h"
#include "codegen/test_program.h"
#include "litmus/dialect.h"
#include "litmus/outcome.h"
#include "model/library.h"
#include "model/progress.h"
#include "questions/ask_models.h"
#include "questions/expected_outcomes.h"
#include "questions/fences_json.h"
#include "questions/test_verdict.h"
#include "support/corpus_tests.h"
#include "support/sanitized.h"

namespace weakspot::questions::wording_test {
namespace {

using Facts = std::vector<std::string>;

// Nonsense, but different for different texts: which messages are the same is a fact.
std::string nonsense(std::string text) { return "z" + base::hash_bytes(text).hex(); }

// The facts of errors: how many, whose fault, where, and what was refused.
void add(Facts& facts, const base::Diagnostics& errors) {
  facts.push_back("errors " + std::to_string(errors.size()));
  for (const base::Diagnostic& one : errors) {
    std::string fact = std::to_string(static_cast<int>(one.kind)) + " " + one.file + ":" +
                       std::to_string(one.position.line) + ":" + std::to_string(one.position.column) + " " +
                       one.excerpt;
    if (one.refusal) fact += " " + one.refusal->test + " " + one.refusal->with;
    facts.push_back(fact);
  }
}

// A JSON value without the members that hold sentences.
std::string without_words(base::JsonValue json) {
  base::JsonValue kept = base::json_object();
  for (const base::JsonMember& member : json.members()) {
    if (member.key != "reason" && member.key != "seconds") kept[member.key] = member.value;
  }
  return base::json_compact(kept);
}

// Something of every folder.
std::vector<litmus::LitmusTest> some_tests() { return testing_support::corpus_tests("@all", 5 * tests::kSampleStep); }

// Few enough candidates that some verdicts are unknown.
model::Limits small() {
  model::Limits limits;
  limits.candidates = 40;
  return limits;
}

Facts verdicts() {
  Facts facts;
  model::ModelShelf shelf;
  model::JudgeOptions options;
  options.limits = small();
  for (const litmus::LitmusTest& test : some_tests()) {
    for (const char* name : {"rel-acq", "amdgpu", "tso", "no-such"}) {
      const base::Status asked = ask_models(
          shelf, test, {name}, nullptr,
          [&](const TestAndModel& one) {
            const TestVerdict judged = judge(one, "-", options);
            facts.push_back(without_words(verdict_json(judged)) + (judged.verdict.complete ? " complete" : "") +
                            (judged.verdict.cut_loops ? " cut" : "") + (judged.contradicted ? " contradicted" : ""));
          },
          [&](const std::string&, const model::ForeignWord& word) {
            facts.push_back("foreign " + std::to_string(static_cast<int>(word.reason)));
          });
      if (!asked) add(facts, asked.errors());
    }
  }
  return facts;
}

Facts endings() {
  Facts facts;
  for (const char* name : {"sc", "cpp20", "rmo"}) {
    const model::Model model = *model::load_model(name);
    for (const litmus::LitmusTest& test : testing_support::corpus_tests("@all", 25)) {
      for (const model::Progress progress : {model::Progress::fair, model::Progress::obe}) {
        facts.push_back(test.name + " " + std::string(to_string(model::ends(test, model, progress, small()).answer)));
      }
    }
  }
  return facts;
}

Facts repairs() {
  Facts facts;
  FencesOptions options;
  options.limits = small();
  options.tests = 20;
  for (const std::string name : {"rel-acq", "webgpu", "ptx"}) {
    const model::Model model = *model::load_model(name);
    for (const litmus::LitmusTest& test : testing_support::corpus_tests("@all", 40)) {
      const Fences found = find_fences(test, model, options);
      facts.push_back(without_words(fences_json({test, name, found})));
    }
  }
  return facts;
}

Facts translations() {
  Facts facts;
  for (const litmus::Dialect dialect : litmus::kDialects) {
    std::map<std::string, std::size_t> reasons;  // by the first test that has it
    std::map<std::string, std::string> firsts;
    for (const litmus::LitmusTest& test : some_tests()) {
      const base::Result<std::string> text = litmus::print(test, dialect);
      add(facts, text.errors());
      if (!text) ++reasons[firsts.emplace(text.errors().front().refusal.value().reason, test.name).first->second];
    }
    for (const auto& [first, count] : reasons) facts.push_back(first + " " + std::to_string(count));
  }
  return facts;
}

Facts programs() {
  Facts facts;
  codegen::TestEnvironment wide;
  wide.access_width = codegen::AccessWidth::wide;
  using codegen::Target;
  for (const Target target : {Target::ptx, Target::spirv, Target::opencl, Target::wgsl, Target::cpu, Target::mixed}) {
    for (const litmus::LitmusTest& test : testing_support::corpus_tests("@all", 8)) {
      for (const codegen::TestEnvironment& environment : {codegen::TestEnvironment(), wide}) {
        add(facts, codegen::TestProgram::compile(test, environment, target, {}).errors());
      }
    }
  }
  return facts;
}

Facts expectations() {
  Facts facts;
  const litmus::LitmusTest test = litmus::read_tests(base::Source("t",
                                                                  "weakspot T\nExpect=sc allowed\n P0 | P1 ;\n"
                                                                  " st x, 1 | ld r0, y ;\n"
                                                                  " st.sc y, 1 | ld r1, x ;\n"
                                                                  "exists (1:r0=1 /\\ 1:r1=0)\n"))
                                      ->front();
  for (const char* model : {"rel-acq", "sc", "c11", "no-such"}) {
    ExpectedOutcomes outcomes(model);
    const base::Result<stats::Expected> expected = outcomes.of(test, nullptr);
    add(facts, expected.errors());
    add(facts, outcomes.problems());
    if (!expected) continue;
    facts.push_back(expected->model + " " + std::to_string(expected->allowed.outcomes.size()) +
                    (expected->allowed.complete ? " complete" : "") + (expected->contradicted ? " contradicted" : "") +
                    (expected->remark.empty() ? "" : " remark"));
  }
  return facts;
}

Facts mistakes() {
  Facts facts;
  for (const char* text : {"weakspot T\n P0 ;\n st q ;\nexists (x=1)\n", "weakspot", "PTX T\n{}\n P0 ;\n ld ;\n"}) {
    add(facts, litmus::read_tests(base::Source("t", text)).errors());
  }
  for (const char* text : {"acyclic po | W\n", "acyclic rg\n", "(* @properties x *)\nacyclic po\n", ""}) {
    add(facts, model::Model::compile(base::Source("m.cat", text)).errors());
  }
  return facts;
}

class Wording : public testing::TestWithParam<Facts (*)()> {
 protected:
  ~Wording() override { base::reword_for_tests(nullptr); }
};

TEST_P(Wording, IsNotReadBack) {
  const Facts expected = GetParam()();
  EXPECT_GT(expected.size(), 5u);
  base::reword_for_tests(nonsense);
  const Facts found = GetParam()();
  ASSERT_EQ(expected.size(), found.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ(expected[i], found[i]);
}

INSTANTIATE_TEST_SUITE_P(Facts, Wording,
                         testing::Values(verdicts, endings, repairs, translations, programs, expectations, mistakes));

TEST(WordingSeam, Rewords) {
  base::reword_for_tests(nonsense);
  const std::string message = base::error("words").message;
  base::reword_for_tests(nullptr);
  EXPECT_EQ(message, nonsense("words"));
  EXPECT_EQ(base::error("words").message, "words");
}

}  // namespace
}  // namespace weakspot::questions::wording_test
