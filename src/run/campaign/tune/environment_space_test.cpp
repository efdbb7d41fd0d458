// SPDX-License-Identifier: MIT
#include "campaign/environment_space.h"

#include <gtest/gtest.h>

#include <set>

#include "base/source.h"
#include "codegen/test_program.h"
#include "litmus/dialect.h"

namespace weakspot::campaign {
namespace {

// The text that a driver would have to compile.
std::string program_text(const codegen::TestEnvironment& environment) {
  static const litmus::LitmusTest kTest =
      litmus::read_tests(base::Source("test",
                                      "weakspot MP\n P0 | P1 ;\n st x, 1 | ld r0, y ;\n st y, 1 | ld r1, x ;\n"
                                      "exists (1:r0=1 /\\ 1:r1=0)\n"))
          ->front();
  codegen::TargetLimits limits;
  limits.max_workgroup_size = 1024;
  limits.max_shared_bytes = 48 << 10;
  limits.subgroup_size = 32;
  limits.ptx_arch = 90;
  const auto program = codegen::TestProgram::compile(kTest, environment, codegen::Target::ptx, limits);
  return program ? program->program().text : "refused";
}

TEST(EnvironmentSpace, HalfOfTheVariationsOnAGpuNeedNoCompiling) {
  base::Rng rng(3);
  const auto space = parameter_space(SpaceFor::gpu, {});
  const Tried none = [](std::size_t) { return false; };
  std::size_t same = 0, all = 0;
  for (int i = 0; i < 10; ++i) {
    const std::size_t parent = *space->draw(none, rng);
    const std::string text = program_text(space->at(parent));
    for (int child = 0; child < 30; ++child, ++all) {
      const auto varied = space->vary(parent, none, rng);
      ASSERT_TRUE(varied.has_value());
      if (program_text(space->at(*varied)) == text) ++same;
    }
  }
  EXPECT_GT(same, all * 2 / 5);
  EXPECT_LT(same, all * 4 / 5);
}

}  // namespace
}  // namespace weakspot::campaign
