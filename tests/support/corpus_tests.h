// SPDX-License-Identifier: MIT
// Tests of the corpus, for unit tests.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "base/build_info.h"
#include "litmus/dialect.h"
#include "litmus/instruction.h"

namespace weakspot::testing_support {

// Every `every`-th test of a list of the corpus.
inline std::vector<litmus::LitmusTest> corpus_tests(const std::string& list = "@all", std::size_t every = 1) {
  const base::Result<std::vector<litmus::LitmusTest>> tests =
      litmus::read_test_file(std::string(base::kSourceDirectory) + "/corpus/" + list);
  EXPECT_TRUE(tests.ok()) << base::render(tests.errors());
  std::vector<litmus::LitmusTest> chosen;
  for (std::size_t i = 0; tests && i < tests->size(); i += every) chosen.push_back((*tests)[i]);
  return chosen;
}

// True if the test has no asynchronous operations, split barriers, dependent launches or threads on a CPU, which few
// targets have.
inline bool is_ordinary(const litmus::LitmusTest& test) {
  if (test.scopes && (test.scopes->has_cpus() || !test.scopes->launches.empty())) return false;
  return std::all_of(test.threads.begin(), test.threads.end(), [](const litmus::Thread& thread) {
    return std::none_of(thread.instructions.begin(), thread.instructions.end(), [](const litmus::Instruction& one) {
      const auto* barrier = std::get_if<litmus::Barrier>(&one.operation);
      return litmus::is_asynchronous(one) || (barrier != nullptr && barrier->kind == litmus::Barrier::Kind::wait);
    });
  });
}

}  // namespace weakspot::testing_support
