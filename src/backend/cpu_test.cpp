// Whole runs on the machine itself. What is asserted holds on every machine, loaded or not: nothing here expects weak
// behaviour, only that what orders forbid never shows and that every instance is accounted for.
#include "backend/cpu.h"

#include <gtest/gtest.h>

#include "codegen/test_program.h"
#include "litmus/condition.h"
#include "litmus/dialect.h"

namespace weakspot::backend {
namespace {

litmus::LitmusTest read(const std::string& text) {
  const auto tests = litmus::read_tests(base::Source("test", text));
  EXPECT_TRUE(tests.ok()) << base::render(tests.errors());
  return tests->front();
}

struct Ran {
  codegen::PlannedRun planned;
  codegen::Decoded decoded;
  RunResult result;
};

Ran run(const litmus::LitmusTest& test, const std::string& environment_text, std::uint32_t rounds = 2,
        std::chrono::milliseconds deadline = std::chrono::minutes(2)) {
  const auto environment = codegen::parse_environment(base::Source("--env", environment_text));
  EXPECT_TRUE(environment.ok()) << base::render(environment.errors());
  auto device = open_device("cpu");
  EXPECT_TRUE(device.ok()) << base::render(device.errors());
  const auto program =
      codegen::TestProgram::compile(test, *environment, (*device)->info().target, (*device)->info().limits);
  EXPECT_TRUE(program.ok()) << base::render(program.errors());
  if (!program) return {};
  const auto loaded = (*device)->load(program->program());
  EXPECT_TRUE(loaded.ok()) << base::render(loaded.errors());
  if (!loaded) return {};
  const auto planned = program->plan({.resident_workgroups = (*loaded)->resident_workgroups(program->run_entry()),
                                      .memory_bytes = 1u << 28,
                                      .rounds = rounds,
                                      .seed = 3});
  EXPECT_TRUE(planned.ok()) << base::render(planned.errors());
  if (!planned) return {};
  auto result = (*loaded)->run(planned->launch, deadline);
  EXPECT_TRUE(result.ok()) << base::render(result.errors());
  const auto decoded = program->decode(*planned, result->buffers);
  EXPECT_TRUE(decoded.ok()) << base::render(decoded.errors());
  if (!decoded) return {};
  return {*planned, *decoded, *std::move(result)};
}

std::uint64_t matches(const litmus::LitmusTest& test, const litmus::Histogram& histogram) {
  const std::vector<litmus::Observable> observed = test.observed();
  std::uint64_t sum = 0;
  for (const auto& [outcome, count] : histogram.counts()) {
    const bool holds = litmus::holds(test.condition.proposition, [&](const litmus::Observable& item) {
      return outcome[static_cast<std::size_t>(std::find(observed.begin(), observed.end(), item) - observed.begin())];
    });
    if (holds) sum += count;
  }
  return sum;
}

constexpr const char* kMp =
    "weakspot MP\n P0 | P1 ;\n st x, 1 | ld r0, y ;\n st y, 1 | ld r1, x ;\nexists (1:r0=1 /\\ 1:r1=0)\n";
constexpr const char* kMpRelAcq =
    "weakspot MP\n P0 | P1 ;\n st x, 1 | ld.acq r0, y ;\n st.rel y, 1 | ld r1, x ;\nexists (1:r0=1 /\\ 1:r1=0)\n";

TEST(Cpu, IsADeviceAsOthersAre) {
  const auto device = open_device("cpu");
  ASSERT_TRUE(device.ok());
  EXPECT_EQ("cpu", (*device)->info().id);
  EXPECT_FALSE((*device)->info().name.empty());
  EXPECT_EQ("error: unknown device 'cpu:7'; expected cpu\n", base::render(open_device("cpu:7").errors()));
}

TEST(Cpu, RunsMessagePassing) {
  const litmus::LitmusTest test = read(kMp);
  const Ran ran = run(test, "iterations=40");
  EXPECT_EQ(RunStatus::finished, ran.result.status);
  EXPECT_EQ(2u, ran.result.rounds);
  EXPECT_EQ(ran.planned.instances_per_round() * 2, ran.decoded.instances);
  EXPECT_EQ(ran.decoded.instances, ran.decoded.histogram.total());
}

TEST(Cpu, ReleaseAndAcquireForbidMessagePassing) {
  const litmus::LitmusTest test = read(kMpRelAcq);
  for (const char* environment : {"basic", "layout=arrays", "layout=arrays,memory_stride=16,workgroup_size=16"}) {
    EXPECT_EQ(0u, matches(test, run(test, environment).decoded.histogram)) << environment;
  }
}

}  // namespace
}  // namespace weakspot::backend
