// SPDX-License-Identifier: MIT
// Loads through textures and from constant memory: what the kernels do, on an interpreter, and what is refused.
#include <gtest/gtest.h>

#include <string>

#include "base/source.h"
#include "codegen/buffer_words.h"
#include "codegen/test_program.h"
#include "litmus/dialect.h"
#include "support/kernel_interpreter.h"

namespace weakspot::codegen::harness_views_test {
namespace {

litmus::LitmusTest read(const std::string& text) {
  base::Result<std::vector<litmus::LitmusTest>> tests = litmus::read_tests(base::Source("test", text));
  EXPECT_TRUE(tests.ok()) << base::render(tests.errors());
  return tests->front();
}

TestEnvironment environment(const std::string& text) {
  const base::Result<TestEnvironment> parsed = parse_environment(base::Source("--env", text));
  EXPECT_TRUE(parsed.ok()) << base::render(parsed.errors());
  return *parsed;
}

TargetLimits limits() {
  TargetLimits limits;
  limits.ptx_arch = 90;
  limits.max_cluster = 8;
  return limits;
}

std::string through(const std::string& proxy) {
  return "weakspot VIEW\nArch=ptx\n{ x = 3; t @ " + proxy + " aliases x; y = 5; }\n P0 ;\n st.na x, 1 ;\n ld.na." +
         proxy + " r0, t ;\n ld.na r1, y ;\nexists (0:r0=3 /\\ 0:r1=5)\n";
}

// Another name of a location is the same memory, has no initial value of its own, and takes no room.
TEST(Views, TexturesAndConstantMemoryShowTheLocation) {
  for (const std::string proxy : {"texture", "constant"}) {
    for (const std::string env : {"workgroup_size=8,iterations=6",
                                  "workgroup_size=8,iterations=6,layout=arrays,"
                                  "pre_read_percent=100,access_gap=4,memory_stride=2"}) {
      const auto program = TestProgram::compile(read(through(proxy)), environment(env), Target::ptx, limits());
      ASSERT_TRUE(program.ok()) << base::render(program.errors());
      const auto planned = program->plan({.resident_workgroups = 4, .memory_bytes = 1u << 26, .rounds = 2, .seed = 5});
      ASSERT_TRUE(planned.ok()) << base::render(planned.errors());
      testing_support::Interpreter interpreter(program->kernels());
      const auto decoded = program->decode(*planned, interpreter.run(planned->launch, {}));
      ASSERT_TRUE(decoded.ok()) << base::render(decoded.errors());
      EXPECT_EQ(decoded->instances, 4u * 8 * 6 * 2);
      const litmus::Outcome seen{litmus::integer(1), litmus::integer(5)};
      EXPECT_EQ((litmus::OutcomeSet{seen}), decoded->histogram.outcomes()) << proxy << env;
    }
  }
}

TEST(Views, WhatTexturesAndConstantMemoryShowIsBounded) {
  auto words = [](const std::string& proxy, const std::string& env) {
    const auto program = TestProgram::compile(read(through(proxy)), environment(env), Target::ptx, limits());
    EXPECT_TRUE(program.ok()) << base::render(program.errors());
    EXPECT_TRUE(program->has_views());
    const auto planned =
        program->plan({.resident_workgroups = 1000, .memory_bytes = std::uint64_t{1} << 36, .rounds = 1, .seed = 5});
    return planned ? planned->launch.buffers[kMemoryBuffer].words : 0;
  };
  EXPECT_EQ(words("constant", "workgroup_size=256,iterations=100"), kConstantWords);
  EXPECT_EQ(words("constant", "workgroup_size=64,iterations=100,max_workgroups=3"), kConstantWords / 384 * 384);
  EXPECT_EQ(words("constant", "workgroup_size=1024,memory_stride=64"), 0u);
  EXPECT_EQ(words("texture", "workgroup_size=256,iterations=100"), 256u * 1000 * 2 * 100);
  EXPECT_LE(words("texture", "workgroup_size=256,iterations=100000"), kTextureWords);
  EXPECT_GT(words("texture", "workgroup_size=256,iterations=100000"), kTextureWords / 2);
}

TEST(Views, OnlyWeakLoadsGoThroughOtherProxies) {
  auto reason = [](const std::string& locations, const std::string& code) {
    const auto program = TestProgram::compile(
        read("weakspot V\nArch=ptx\n{ " + locations + " }\n P0 ;\n st.na x, 1 ;\n " + code + " ;\nexists (x=1)\n"),
        TestEnvironment{}, Target::ptx, limits());
    return program ? "" : program.errors().front().message;
  };
  EXPECT_EQ(reason("t @ texture aliases x;", "ld.na.texture r0, t"), "");
  EXPECT_EQ(reason("t @ texture aliases x;", "ld.texture r0, t"),
            "V: cannot run: loads through the texture proxy are weak and have no cache operator");
  EXPECT_EQ(reason("t @ constant aliases x;", "st.na.constant t, 2"), "V: cannot run: the constant proxy only reads");
  EXPECT_EQ(reason("t aliases x;", "ld.na r0, t"), "V: cannot run: 't' is an alias of another location");
  EXPECT_EQ(reason("s64 x; s64 t @ texture aliases x;", "ld.na.texture r0, t"),
            "V: cannot run: loads through the texture proxy have 32 bits");
}

}  // namespace
}  // namespace weakspot::codegen::harness_views_test
