// SPDX-License-Identifier: MIT
#include "workbench/compile_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/nearest.h"
#include "gen/suites.h"
#include "litmus/instruction.h"
#include "workbench/inputs.h"

namespace weakspot::workbench {
namespace {

using compile::Checked;
using compile::CompileVerdict;
using compile::Failure;
using litmus::LitmusTest;

base::Status add_suites(const std::vector<std::string>& names, std::vector<LitmusTest>& tests) {
  for (const std::string& name : names) {
    const gen::Suite* suite = gen::suite_named(name);
    if (suite == nullptr) {
      std::vector<std::string> known;
      for (const gen::Suite& one : gen::suites()) known.emplace_back(one.name);
      return base::error(fmt::format("there is no suite '{}'{}", name, base::did_you_mean(name, known)));
    }
    std::vector<LitmusTest> made = gen::tests_of(*suite);
    std::move(made.begin(), made.end(), std::back_inserter(tests));
  }
  return base::ok_status();
}

std::size_t parts_of(const LitmusTest& test) {
  std::size_t size = 100 * test.threads.size();
  for (const litmus::Thread& thread : test.threads) size += thread.instructions.size();
  return size;
}

void minimise(compile::Checker& checker, std::vector<Checked>& checked, std::size_t most) {
  std::vector<Checked*> unsound;
  for (Checked& one : checked) {
    if (one.verdict == CompileVerdict::unsound) unsound.push_back(&one);
  }
  std::sort(unsound.begin(), unsound.end(), [](const Checked* a, const Checked* b) {
    return std::pair(parts_of(a->test), a) < std::pair(parts_of(b->test), b);
  });
  for (std::size_t i = 0; i < std::min(most, unsound.size()); ++i) checker.minimise(*unsound[i]);
}

Ending ending_of_all(const CompileCheckResult& result) {
  bool failed = false;
  bool any = false;
  for (const Checked& one : result.checked) {
    if (one.verdict == CompileVerdict::unsound) return Ending::finding;
    any = any || one.verdict != CompileVerdict::error;
    failed = failed || (one.verdict == CompileVerdict::error && one.failure != Failure::test);
  }
  if (failed) return Ending::failed;
  if (!result.errors.empty() || !any) return Ending::bad_input;
  return Ending::fine;
}

}  // namespace

base::Result<CompileCheckResult> compile_check(const CompileCheckRequest& request) {
  base::Result<std::unique_ptr<compile::Checker>> checker = compile::Checker::make(request.options);
  if (!checker) return checker.errors();
  CompileCheckResult result;
  std::vector<LitmusTest> tests;
  std::vector<std::string> files;
  result.errors = for_each_test(request.tests, [&](LitmusTest&& test, const std::string& file) {
    tests.push_back(std::move(test));
    files.push_back(file);
  });
  if (const base::Status added = add_suites(request.suites, tests); !added) return added.errors();
  files.resize(tests.size());
  result.checked = (*checker)->check(tests);
  minimise(**checker, result.checked, request.minimal);
  const std::size_t rotations = request.options.compilers.size();
  for (const std::string& file : files) result.files.insert(result.files.end(), rotations, file);
  result.warnings = (*checker)->warnings();
  result.compiler_calls = (*checker)->compiler_calls();
  result.ending = is_stopped(request.options.judging.stop) ? Ending::cancelled : ending_of_all(result);
  return result;
}

}  // namespace weakspot::workbench
