// SPDX-License-Identifier: MIT
// Tests run on a device, for the tests of backends.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "backend/device.h"
#include "base/source.h"
#include "codegen/test_program.h"
#include "litmus/dialect.h"
#include "support/corpus_tests.h"

namespace weakspot::testing_support {

struct DeviceRun {
  backend::RunResult result;
  codegen::Decoded decoded;
  std::uint64_t planned = 0;  // instances
  std::uint64_t matches = 0;  // instances where the condition's proposition holds
};

// Compiles, loads, runs and decodes a test. Any failure fails the test around it.
inline DeviceRun run_on(backend::Device& device, const litmus::LitmusTest& test, const std::string& environment,
                        std::uint32_t rounds = 2,
                        std::chrono::milliseconds deadline = std::chrono::milliseconds(60'000)) {
  DeviceRun ran;
  const auto parsed = codegen::parse_environment(base::Source("--env", environment));
  EXPECT_TRUE(parsed.ok()) << base::render(parsed.errors());
  const auto program = codegen::TestProgram::compile(test, *parsed, device.info().target, device.info().limits);
  EXPECT_TRUE(program.ok()) << base::render(program.errors());
  if (!program) return ran;
  const auto loaded = device.load(program->program());
  EXPECT_TRUE(loaded.ok()) << base::render(loaded.errors());
  if (!loaded) return ran;
  const auto planned = program->plan({.resident_workgroups = (*loaded)->resident_workgroups(program->run_entry()),
                                      .memory_bytes = std::uint64_t{1} << 28,
                                      .rounds = rounds,
                                      .seed = 7,
                                      .multiprocessors = device.info().multiprocessors});
  EXPECT_TRUE(planned.ok()) << base::render(planned.errors());
  if (!planned) return ran;
  ran.planned = planned->instances_per_round() * rounds;
  const auto result = (*loaded)->run(planned->launch, deadline);
  EXPECT_TRUE(result.ok()) << base::render(result.errors());
  if (!result) return ran;
  ran.result = *result;
  EXPECT_NE(backend::RunStatus::lost, result->status) << result->message;
  if (result->status == backend::RunStatus::lost) return ran;
  const auto decoded = program->decode(*planned, result->buffers);
  EXPECT_TRUE(decoded.ok()) << base::render(decoded.errors());
  if (!decoded) return ran;
  ran.decoded = *decoded;
  const std::vector<litmus::Observable> observed = test.observed();
  for (const auto& [outcome, count] : decoded->histogram.counts()) {
    const bool holds = litmus::holds(test.condition.proposition, [&, &seen = outcome](const litmus::Observable& item) {
      const auto at = std::find(observed.begin(), observed.end(), item);
      return seen[static_cast<std::size_t>(at - observed.begin())];
    });
    if (holds) ran.matches += count;
  }
  return ran;
}

}  // namespace weakspot::testing_support
