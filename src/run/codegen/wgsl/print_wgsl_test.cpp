// SPDX-License-Identifier: MIT
#include "codegen/wgsl/print_wgsl.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/build_info.h"
#include "base/file.h"
#include "base/source.h"
#include "codegen/buffer_words.h"
#include "codegen/program_json.h"
#include "codegen/test_program.h"
#include "litmus/dialect.h"
#include "support/corpus_tests.h"
#include "system/subprocess.h"

namespace weakspot::codegen::print_wgsl_test {
namespace {

base::Result<TestProgram> compile(const litmus::LitmusTest& test, const std::string& env = "basic") {
  return TestProgram::compile(test, *parse_environment(base::Source("--env", env)), Target::wgsl, webgpu_limits());
}

base::Result<TestProgram> compile(const std::string& text, const std::string& env = "basic") {
  const base::Result<std::vector<litmus::LitmusTest>> tests = litmus::read_tests(base::Source("test", text));
  EXPECT_TRUE(tests.ok()) << base::render(tests.errors());
  return compile(tests->front(), env);
}

// The text between a role's comments, without indentation; the numbers of variables depend on the harness.
std::string role(const base::Result<TestProgram>& program, int number) {
  EXPECT_TRUE(program.ok()) << base::render(program.errors());
  if (!program) return {};
  const std::string& text = program->program().text;
  const std::string begin = fmt::format("// role {}\n", number);
  const std::size_t from = text.find(begin) + begin.size();
  std::string out;
  bool at_start = true;
  for (std::size_t at = from; at < text.find(fmt::format("// end of role {}\n", number)); ++at) {
    const char c = text[at];
    if (at_start && c == ' ') continue;
    at_start = c == '\n';
    const bool of_variable =
        std::isdigit(static_cast<unsigned char>(c)) && (out.ends_with("v") || out.ends_with("offset"));
    const bool goes_on = std::isdigit(static_cast<unsigned char>(c)) && out.ends_with("#");
    if (of_variable) out += '#';
    if (!of_variable && !goes_on) out += c;
  }
  return out;
}

constexpr const char* kMp =
    "weakspot MP\n"
    " P0      | P1       ;\n"
    " st x, 1 | ld r0, y ;\n"
    " st y, 1 | ld r1, x ;\n"
    "exists (1:r0=1 /\\ 1:r1=0)\n";

TEST(Wgsl, MessagePassing) {
  const auto program = compile(kMp);
  EXPECT_EQ(
      "atomicStore(&memory[(offset# >> 2u)], 1u);\n"
      "atomicStore(&memory[(offset# >> 2u)], 1u);\n",
      role(program, 0));
  EXPECT_EQ(
      "v# = 0u;\n"
      "v# = 0u;\n"
      "v# = atomicLoad(&memory[(offset# >> 2u)]);\n"
      "v# = atomicLoad(&memory[(offset# >> 2u)]);\n",
      role(program, 1));
  EXPECT_TRUE(program->program().text.starts_with(
      "@group(0) @binding(0) var<storage, read> control: array<u32>;\n"
      "@group(0) @binding(2) var<storage, read_write> memory: array<atomic<u32>>;\n"
      "@group(0) @binding(3) var<storage, read_write> results: array<u32>;\n"
      "@group(0) @binding(5) var<storage, read_write> progress: array<atomic<u32>>;\n"
      "@group(0) @binding(7) var<storage, read_write> counts: array<atomic<u32>>;\n"
      "@group(0) @binding(8) var<storage, read_write> overflow: array<u32>;\n"
      "\n"
      "@compute @workgroup_size(64)\n"
      "fn run(@builtin(local_invocation_id) local_id: vec3<u32>, @builtin(workgroup_id) workgroup_id: vec3<u32>) {\n"))
      << program->program().text.substr(0, 1000);
  EXPECT_EQ((std::vector<std::uint32_t>{kControlBuffer, kMemoryBuffer, kResultBuffer, kProgressBuffer, kCountBuffer}),
            program->program().entries[0].buffers);
}

TEST(Wgsl, ReadModifyWrites) {
  EXPECT_EQ(
      "v# = 0u;\n"
      "atomicExchange(&memory[(offset# >> 2u)], 1u);\n"
      "v# = atomicAdd(&memory[(offset# >> 2u)], 2u);\n"
      "v# = v#;\n"
      "v# = 0u;\n"
      "loop {\n"
      "let exchange = atomicCompareExchangeWeak(&memory[(offset# >> 2u)], v#, 5u);\n"
      "v# = exchange.old_value;\n"
      "if (exchange.exchanged || exchange.old_value != v#) { break; }\n"
      "}\n"
      "v# = v#;\n",
      role(compile("weakspot T\n P0 ;\n atom.exch _, x, 1 ;\n atom.add r0, x, 2 ;\n atom.cas r0, x, 0, 5 ;\n"
                   "exists (0:r0=1)\n"),
           0));
}

TEST(Wgsl, PlainMemoryIsPlain) {
  const auto program = compile(
      "weakspot T\n{ shared s; }\n P0 | P1 ;\n st.na x, 1 | st.na s, 1 ;\n bar | bar ;\n ld.na r0, s | ld.na r0, x ;\n"
      "scopes (wg (sg P0) (sg P1))\nexists (0:r0=0)\n");
  ASSERT_TRUE(program.ok()) << base::render(program.errors());
  const std::string& text = program->program().text;
  EXPECT_NE(std::string::npos, text.find("var<storage, read_write> memory: array<u32>;")) << text;
  EXPECT_NE(std::string::npos, text.find("var<workgroup> run_memory: array<u32, ")) << text;
  EXPECT_NE(std::string::npos, text.find("storageBarrier();\n      workgroupBarrier();\n")) << text;
}

// No environment makes a kernel use more buffers than WebGPU guarantees.
TEST(Wgsl, NoKernelUsesMoreThanEightBuffers) {
  for (const char* env : {"stress,barrier=partner", "pte,access_gap=8", "site"}) {
    const auto program = compile(kMp, env);
    ASSERT_TRUE(program.ok()) << base::render(program.errors());
    for (const Entry& entry : program->program().entries) EXPECT_LE(entry.buffers.size(), 8u) << env << entry.name;
  }
}

TEST(Wgsl, RefusesWhatItCannotSay) {
  const std::pair<const char*, const char*> cases[] = {
      {"ld.acq r0, x", "WGSL has only relaxed atomics"},
      {"st.sc x, 1", "WGSL has only relaxed atomics"},
      {"fence.sc", "WGSL has no fences, only workgroup barriers"},
      {"membar", "WGSL has no fences, only workgroup barriers"},
      {"ld.wg r0, x", "WGSL's atomics on storage memory have device scope, never a smaller one"},
      {"ld.sys r0, x", "WGSL has no atomics of scope 'sys'"},
      {"ld.na r0, x", "the test accesses global memory both plainly and atomically; WGSL memory is one or the other"},
      {"ld.na.cg r0, x", "WGSL has no cache operators"},
      {"atom.inc r0, x, 1", "WGSL has no atom.inc"},
      {"atom.max r0, x, 1", "the test has a signed minimum or maximum, and memory is unsigned in this WGSL"},
      {"ld.na.vol r0, x", "WGSL has no volatile accesses"},
  };
  for (const auto& [code, why] : cases) {
    const auto program = compile(fmt::format("weakspot T\n P0 | P1 ;\n {} | st x, 1 ;\nexists (x=1)\n", code));
    ASSERT_FALSE(program.ok()) << code;
    EXPECT_EQ(fmt::format("T: cannot run: {}", why), program.errors().front().message);
  }
  EXPECT_EQ(
      "T: cannot run: the test has locations of 64 bits; WGSL has 32",
      compile("weakspot T\n{ s64 x; }\n P0 | P1 ;\n st x, 1 | st x, 2 ;\nexists (x=1)\n").errors().front().message);
}

// ---- with a compiler ----

TEST(WgslCompiler, AcceptsTheCorpus) {
  const std::string compiler = std::string(base::kSourceDirectory) + "/build/wgsl";
  if (!std::filesystem::exists(compiler + "/node_modules/webgpu")) {
    GTEST_SKIP() << "there is no WGSL compiler; tools/wgsl_compiler installs one with npm";
  }
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / fmt::format("weakspot_wgsl_{}", ::getpid());
  std::filesystem::create_directories(folder);
  const char* const environments[] = {
      "basic",
      "stress",
      "interleave,role_order=by_lane,result_store=at_once",
      "site",
      "assignment=one,barrier=partner,pairing=neighbour,layout=arrays,second_stride=8",
      "pte,memory_stress_percent=40,barrier_percent=30,memory_store_first_percent=50,stress_spread=line,access_gap=8"};
  std::size_t written = 0;
  for (const litmus::LitmusTest& test : testing_support::corpus_tests()) {
    const auto program = compile(test, environments[written % std::size(environments)]);
    if (!program) continue;
    ASSERT_TRUE(base::write_file((folder / fmt::format("{}.wgsl", written++)).string(), program->program().text).ok());
  }
  EXPECT_GT(written, 100u);
  const auto result =
      base::run_process({"node", compiler + "/compile.mjs", folder.string()}, {.deadline = std::chrono::seconds(200)});
  std::filesystem::remove_all(folder);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(0, result->exit_code) << result->output.substr(0, 4000) << result->errors.substr(0, 2000);
  EXPECT_TRUE(result->output.starts_with(fmt::format("{} files, ", written))) << result->output.substr(0, 4000);
}

}  // namespace
}  // namespace weakspot::codegen::print_wgsl_test
