// SPDX-License-Identifier: MIT
#include "workbench/convert.h"

#include "workbench/test_folder.h"

namespace weakspot::workbench {
namespace {

base::Diagnostics write_folder(const ConvertRequest& request, const std::vector<ConvertedTest>& tests) {
  base::Result<TestFolder> folder = TestFolder::create(request.folder);
  if (!folder) return folder.errors();
  base::Diagnostics errors;
  for (const ConvertedTest& one : tests) {
    const base::Status added = folder->add(one.input.test.name, request.dialect, one.text);
    errors.insert(errors.end(), added.errors().begin(), added.errors().end());
    if (!added) break;
  }
  const base::Status finished = folder->finish();
  errors.insert(errors.end(), finished.errors().begin(), finished.errors().end());
  return errors;
}

}  // namespace

ConvertResult convert(const ConvertRequest& request) {
  TestInputs inputs = load_tests(request.tests);
  ConvertResult result;
  result.errors = std::move(inputs.errors);
  auto fail = [&](const base::Diagnostics& more) {
    result.errors.insert(result.errors.end(), more.begin(), more.end());
  };
  for (TestInput& input : inputs.tests) {
    base::Result<std::string> text = litmus::print(input.test, request.dialect);
    if (text) {
      result.tests.push_back({std::move(input), *std::move(text)});
    } else {
      result.left_out.add(input.test.name, text.errors());
    }
  }
  const bool nothing = result.tests.empty() && !result.left_out.empty();
  if (!request.folder.empty() && !nothing) fail(write_folder(request, result.tests));
  return result;
}

}  // namespace weakspot::workbench
