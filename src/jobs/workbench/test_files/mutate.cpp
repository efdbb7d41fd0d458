// SPDX-License-Identifier: MIT
#include "workbench/mutate.h"

#include "workbench/inputs.h"

namespace weakspot::workbench {

base::Result<MutateResult> mutate_tests(const MutateRequest& request, const questions::TestSink& sink) {
  TestInputs inputs = load_tests(request.tests);
  std::vector<litmus::LitmusTest> tests;
  for (TestInput& input : inputs.tests) tests.push_back(std::move(input.test));
  const base::Result<std::size_t> dropped = questions::mutate_tests(tests, request.options, sink);
  if (!dropped) return dropped.errors();
  return MutateResult{*dropped, std::move(inputs.errors)};
}

}  // namespace weakspot::workbench
