// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/file.h"
#include "litmus/dialect.h"

namespace weakspot::tests {

// The tests of a folder of the corpus. Throws if they cannot be read.
inline std::vector<litmus::LitmusTest> corpus_folder(const std::string& folder) {
  auto tests = litmus::read_test_file((base::data_directory("corpus") / folder / "@all").string());
  if (!tests) throw std::runtime_error(base::render(tests.errors()));
  return *std::move(tests);
}

}  // namespace weakspot::tests
