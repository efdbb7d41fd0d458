// What a command line names as tests: files, standard input, folders, indexes, and tests of the corpus by name.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "litmus/test.h"

namespace weakspot::cli {

struct TestInput {
  litmus::LitmusTest test;
  std::string file;
};

struct TestInputs {
  std::vector<TestInput> tests;
  base::Diagnostics errors;  // of the inputs that gave no tests; the others are there all the same
};

using VisitTest = std::function<void(litmus::LitmusTest&& test, const std::string& file)>;

// Shows the tests of the arguments in turn, one file at a time, and says what gave none.
//
// An argument is a file, an index (its name starts with '@'), a folder (every .litmus and .json file in it), '-' for
// standard input, or else a test of the corpus: `MP`, `classic/MP`, or a folder of the corpus such as `classic`.
base::Diagnostics for_each_test(const std::vector<std::string>& arguments, const VisitTest& visit);
TestInputs load_tests(const std::vector<std::string>& arguments);

}  // namespace weakspot::cli
