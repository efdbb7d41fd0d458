// SPDX-License-Identifier: MIT
#include "serve/submissions/known_tests.h"

#include "litmus/dialect.h"
#include "workbench/corpus.h"
#include "workbench/inputs.h"
#include "workbench/suites.h"

namespace weakspot::serve {

base::Result<KnownTests> load_known_tests() {
  KnownTests known;
  const auto add = [&](const litmus::LitmusTest& test) { known.add(litmus::hash_of(test).hex(), test.name); };
  const base::Result<campaign::ConformanceSuite> suite = workbench::generated_suite("mc-mutants");
  if (!suite) return suite.errors();
  for (const campaign::SuiteTest& test : suite->tests) {
    add(test.test);
    for (const campaign::SuiteMutant& mutant : test.mutants) add(mutant.test);
  }
  base::Diagnostics errors = workbench::for_each_test(
      workbench::corpus_files(), [&](litmus::LitmusTest&& test, const std::string&) { add(test); });
  if (!errors.empty()) return errors;
  return known;
}

}  // namespace weakspot::serve
