// SPDX-License-Identifier: MIT
// Tests by name: files, standard input, folders, indexes, and tests of the corpus.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "litmus/test.h"

namespace weakspot::workbench {

struct TestInput {
  litmus::LitmusTest test;
  std::string file;
};

struct TestInputs {
  std::vector<TestInput> tests;
  base::Diagnostics errors;  // for arguments that gave no tests; `tests` has those of the others
};

using VisitTest = std::function<void(litmus::LitmusTest&& test, const std::string& file)>;

// Visits the tests of the arguments in turn, one file at a time. Returns the errors of arguments that gave no tests.
//
// An argument is a file, an index (its name starts with '@'), a folder (every .litmus and .json file in it), '-' for
// standard input, or else a part of the corpus: a test (`MP`, `classic/MP`) or a folder (`classic`).
base::Diagnostics for_each_test(const std::vector<std::string>& arguments, const VisitTest& visit);
TestInputs load_tests(const std::vector<std::string>& arguments);

}  // namespace weakspot::workbench
