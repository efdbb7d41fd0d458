// SPDX-License-Identifier: MIT
// Tests of the corpus, for unit tests.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "base/build_info.h"
#include "litmus/dialect.h"

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

}  // namespace weakspot::testing_support
