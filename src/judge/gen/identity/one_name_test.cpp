// SPDX-License-Identifier: MIT
// One name, one program: over all suites, the corpus, and the mutants of both.
#include <gtest/gtest.h>

#include <map>

#include "gen/identity.h"
#include "gen/name.h"
#include "gen/suites.h"
#include "litmus/dialect.h"
#include "support/corpus_tests.h"

namespace weakspot::gen::one_name_test {
namespace {

using testing_support::corpus_tests;

// A test that does not place its threads is run as if it had the default placement.
base::Hash128 identity_of(LitmusTest test) {
  if (!test.scopes) test.scopes = litmus::default_scope_tree(test.threads.size());
  return canonical_hash(test);
}

// The names seen so far; the same name in another dialect is another test.
class Names {
 public:
  void add(const LitmusTest& test, const std::string& from) {
    ++count_;
    const base::Hash128 identity = identity_of(test);
    const auto [known, fresh] = programs_.emplace(std::pair(test.arch, test.name), std::pair(identity, from));
    EXPECT_EQ(known->second.first, identity)
        << test.name << " of " << from << " and of " << known->second.second << "\n"
        << litmus::print(test, litmus::Dialect::canonical).value();
    const std::optional<litmus::MutantName> mutant = litmus::parse_mutant_name(test.name);
    EXPECT_EQ(mutant.has_value(), info_of(test, "Parent").has_value() || from == "corpus/mutants") << test.name;
    if (!mutant) return;
    if (const auto parent = info_of(test, "Parent")) {
      EXPECT_EQ(mutant->parent, *parent);
    }
    const auto [same, first] = names_.emplace(std::tuple(test.arch, mutant->parent, identity), test.name);
    EXPECT_EQ(same->second, test.name) << from;
  }

  void add_mutants(const LitmusTest& test, const std::string& from) {
    for (const LitmusTest& mutant : mutate(test)) add(mutant, from + ", mutated");
  }

  std::size_t count() const { return count_; }

 private:
  std::size_t count_ = 0;
  std::map<std::pair<litmus::Arch, std::string>, std::pair<base::Hash128, std::string>> programs_;
  std::map<std::tuple<litmus::Arch, std::string, base::Hash128>, std::string> names_;  // mutants, by parent
};

bool is_mutant(const LitmusTest& test) { return litmus::parse_mutant_name(test.name).has_value(); }

TEST(OneName, MeansOneProgram) {
  Names names;
  for (const LitmusTest& test : corpus_tests()) {
    names.add(test, is_mutant(test) ? "corpus/mutants" : "corpus");
    names.add_mutants(test, "corpus");
  }
  for (const Suite& suite : suites()) {
    const std::vector<LitmusTest> tests = tests_of(suite);
    const std::size_t every = tests.size() < 100 ? 1 : 20;
    for (std::size_t i = 0; i < tests.size(); ++i) {
      names.add(tests[i], std::string(suite.name));
      if (i % every == 0) names.add_mutants(tests[i], std::string(suite.name));
    }
  }
  EXPECT_GT(names.count(), 4000u);
}

// Cycles are mutated before they become tests.
TEST(OneName, WhicheverWayAMutantWasMade) {
  for (const char* name : {"CoRR", "CoWW", "MP+poss", "S+poss", "IRIW+poss", "MP+fence.rel+fence.acq", "SB+fence.scs",
                           "ISA2+fence.scs", "IRIW+fence.scs", "4.SB+fence.scs"}) {
    const Cycle cycle = *cycle_named(name);
    Names names;
    names.add_mutants(*to_test(cycle), "the test");
    for (auto* mutator : {reverse_po_loc, weaken_po_loc, weaken_sw}) {
      const auto mutants = mutator(cycle, {});
      for (const LitmusTest& mutant : *mutants) names.add(mutant, "the cycle");
    }
  }
}

// The suite's tests stand in the corpus, word for word.
TEST(OneName, SuiteAndCorpusAreTheSame) {
  std::map<std::string, base::Hash128> corpus;
  for (const LitmusTest& test : corpus_tests()) corpus[test.name] = litmus::hash_of(test);
  const McMutants suite = mc_mutants_suite();
  for (const auto* list : {&suite.conformance, &suite.mutants}) {
    for (const LitmusTest& test : *list) EXPECT_EQ(litmus::hash_of(test), corpus[test.name]) << test.name;
  }
}

TEST(OneName, FormerNamesLeadToPrograms) {
  std::size_t renamed = 0;
  for (const LitmusTest& test : corpus_tests()) {
    const std::string hash = litmus::hash_of(test).hex();
    EXPECT_EQ(test.name, litmus::present_name(test.name, hash));
    for (std::string_view former : litmus::former_names(test.name)) {
      EXPECT_EQ(test.name, litmus::present_name(former, hash));
      EXPECT_EQ(test.name, litmus::present_name(former));
      ++renamed;
    }
  }
  EXPECT_EQ(15u, renamed);
}

}  // namespace
}  // namespace weakspot::gen::one_name_test
