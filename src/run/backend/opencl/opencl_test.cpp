// SPDX-License-Identifier: MIT
#include "backend/opencl/opencl.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <set>
#include <thread>

#include "backend/opencl/opencl_program.h"
#include "codegen/opencl/print_opencl.h"
#include "support/device_runs.h"

namespace weakspot::backend::opencl_test {
namespace {

using testing_support::corpus_tests;
using testing_support::run_on;

TEST(OpenclLog, ErrorsPointIntoTheText) {
  const std::string text = "kernel void f() {\n  wish();\n}\n";
  const std::string log =
      "error: /tmp/cache/tempfile_1.cl:2:3: warning: nothing\n"
      "/tmp/cache/tempfile_1.cl:2:3: error: implicit declaration of function 'wish'\n"
      "1 error generated.\n";
  EXPECT_EQ(
      "program.cl:2:3: error: implicit declaration of function 'wish'\n"
      "   wish();\n"
      "   ^\n",
      base::render(opencl::compile_errors(text, log, "CL_BUILD_PROGRAM_FAILURE")));
  EXPECT_EQ("error: opencl: the driver cannot compile the program: CL_BUILD_PROGRAM_FAILURE; it says: no\n",
            base::render(opencl::compile_errors(text, "no", "CL_BUILD_PROGRAM_FAILURE")));
  EXPECT_EQ("error: opencl: the driver cannot compile the program: CL_OUT_OF_HOST_MEMORY\n",
            base::render(opencl::compile_errors(text, "", "CL_OUT_OF_HOST_MEMORY")));
}

TEST(OpenclLog, TheOtherOrderOfWords) {
  EXPECT_EQ("program.cl:1:8: error: expected something\n kernel void f() {\n        ^\n",
            base::render(opencl::compile_errors("kernel void f() {\n", "error: a.cl:1:8: expected something\n", "")));
}

TEST(OpenclLog, RegistersOfAnEntry) {
  const std::string log =
      "ptxas info    : Compiling entry function 'run' for 'sm_90'\n"
      "ptxas info    : Function properties for run\n"
      "ptxas info    : Used 40 registers, 4 bytes smem, 424 bytes cmem[0]\n"
      "ptxas info    : Compiling entry function 'collect' for 'sm_90'\n"
      "ptxas info    : Used 22 registers, 424 bytes cmem[0]\n";
  EXPECT_EQ(40u, opencl::registers_in_log(log, "run"));
  EXPECT_EQ(22u, opencl::registers_in_log(log, "collect"));
  EXPECT_EQ(0u, opencl::registers_in_log(log, "init"));
}

TEST(OpenclOccupancy, TheScarcestDecides) {
  EXPECT_EQ(32u, opencl::nvidia_occupancy(32, 16, 4));         // workgroups
  EXPECT_EQ(8u, opencl::nvidia_occupancy(256, 32, 4));         // threads
  EXPECT_EQ(4u, opencl::nvidia_occupancy(256, 64, 4));         // registers
  EXPECT_EQ(2u, opencl::nvidia_occupancy(64, 32, 24 * 1024));  // shared memory
  EXPECT_EQ(1u, opencl::nvidia_occupancy(1024, 255, 4));       // never none
}

// PoCL compiles into a folder of our own; it reads the name when devices are first listed.
class CompilerCache {
 public:
  CompilerCache() {
    std::filesystem::create_directories(folder_);
    ::setenv("POCL_CACHE_DIR", folder_.c_str(), 1);
  }
  ~CompilerCache() { std::filesystem::remove_all(folder_); }

 private:
  std::filesystem::path folder_ = std::filesystem::temp_directory_path() / fmt::format("weakspot_pocl_{}", ::getpid());
};
const CompilerCache kCompilerCache;

std::vector<std::string> device_ids() {
  std::vector<std::string> ids;
  for (const DeviceInfo& info : list_opencl_devices()) ids.push_back(info.id);
  // A skipped test says more than a missing one.
  if (ids.empty()) ids.emplace_back("opencl:0");
  return ids;
}

// On every OpenCL device.
class OpenclDevice : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    auto opened = open_device(GetParam());
    if (!opened) GTEST_SKIP() << opened.errors().front().message;
    device_ = *std::move(opened);
  }

  static codegen::DeviceProgram counting(const std::string& statement) {
    codegen::DeviceProgram program;
    program.target = codegen::Target::opencl;
    program.text = "kernel void count(global uint* data) {\n  " + statement + "\n}\n";
    program.entries = {{"count", 64, 0}};
    program.buffers = {"data"};
    return program;
  }

  std::unique_ptr<Device> device_;
};

INSTANTIATE_TEST_SUITE_P(All, OpenclDevice, testing::ValuesIn(device_ids()), [](const auto& id) {
  std::string name = id.param;
  std::replace(name.begin(), name.end(), ':', '_');
  return name;
});

TEST_P(OpenclDevice, ThreadsLoadProgramsAtOnce) {
  std::vector<std::optional<Device::Loaded>> loaded(4);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < loaded.size(); ++i) {
    threads.emplace_back([&, i] { loaded[i] = device_->load(counting(i % 2 == 0 ? "data[2] = 7;" : "data[2] = 8;")); });
  }
  for (std::thread& thread : threads) thread.join();
  codegen::Launch launch;
  launch.buffers = {{.words = 4, .zero_first = true, .read_back = true}};
  launch.passes = {{0, 1, false}};
  for (std::size_t i = 0; i < loaded.size(); ++i) {
    ASSERT_TRUE(loaded[i]->ok()) << base::render(loaded[i]->errors());
    const auto result = (**loaded[i])->run(launch, std::chrono::seconds(60));
    ASSERT_TRUE(result.ok()) << base::render(result.errors());
    EXPECT_EQ(i % 2 == 0 ? 7u : 8u, result->buffers[0][2]);
  }
}

TEST_P(OpenclDevice, RunsAProgram) {
  auto program = device_->load(counting("atomic_add(data + 2, 1u);"));
  ASSERT_TRUE(program.ok()) << base::render(program.errors());
  codegen::Launch launch;
  launch.buffers = {{.words = 100, .zero_first = true, .read_back = true}};
  launch.passes = {{0, 3, false}};
  launch.rounds = 5;
  const auto result = (*program)->run(launch, std::chrono::seconds(60));
  ASSERT_TRUE(result.ok()) << base::render(result.errors());
  EXPECT_EQ(RunStatus::finished, result->status);
  EXPECT_EQ(5u, result->rounds);
  EXPECT_EQ(5u * 3 * 64, result->buffers[0][2]);
  EXPECT_EQ(4u, result->buffers[0][0]);  // the last round's number
  EXPECT_EQ(0u, result->buffers[0][99]);
  EXPECT_GT(result->device_seconds, 0);
}

TEST_P(OpenclDevice, ShowsTheLineOfAMistake) {
  const auto program = device_->load(counting("data[0] = wish;"));
  ASSERT_FALSE(program.ok());
  EXPECT_NE(std::string::npos, base::render(program.errors()).find("program.cl:2:13: error: "))
      << base::render(program.errors());
}

TEST_P(OpenclDevice, StopsAtTheDeadline) {
  // Runs until told to stop; the bound is for drivers that cannot do that.
  auto program = device_->load(
      counting("for (uint i = 0; i < 4000000000u && ((volatile global uint*)data)[1] == 0; ++i) data[2] = i;"));
  ASSERT_TRUE(program.ok()) << base::render(program.errors());
  codegen::Launch launch;
  launch.buffers = {{.words = 4, .content = {0, 0}, .read_back = true}};
  launch.passes = {{0, 1, false}};
  launch.rounds = 100;
  const auto result = (*program)->run(launch, std::chrono::milliseconds(50));
  ASSERT_TRUE(result.ok()) << base::render(result.errors());
  EXPECT_EQ(RunStatus::stopped, result->status);
  EXPECT_LT(result->rounds, 100u);
}

TEST_P(OpenclDevice, RefusesMoreMemoryThanThereIs) {
  auto program = device_->load(counting("data[0] = 1;"));
  ASSERT_TRUE(program.ok()) << base::render(program.errors());
  codegen::Launch launch;
  launch.buffers = {{.words = std::uint64_t{1} << 50}};
  launch.passes = {{0, 1, false}};
  const auto result = (*program)->run(launch, std::chrono::seconds(1));
  ASSERT_FALSE(result.ok());
  EXPECT_TRUE(result.errors().front().message.starts_with("opencl: out of memory: ")) << base::render(result.errors());
}

// All kernels in one program: starting a compiler costs more than compiling.
void compile_corpus(Device& device, const codegen::TargetLimits& limits, const std::vector<std::string>& environments,
                    std::size_t every) {
  const std::vector<litmus::LitmusTest> tests = corpus_tests();
  std::set<std::string> known;
  codegen::KernelModule all;
  std::size_t programs = 0;
  std::size_t refused = 0;
  for (std::size_t i = 0; i < tests.size(); i += every) {
    const std::string& text = environments[i / every % environments.size()];
    const auto environment = codegen::parse_environment(base::Source("--env", text));
    ASSERT_TRUE(environment.ok()) << base::render(environment.errors());
    const auto program = codegen::TestProgram::compile(tests[i], *environment, codegen::Target::opencl, limits);
    if (!program) {
      EXPECT_NE(std::string::npos, program.errors().front().message.find("cannot run"));
      refused += testing_support::is_ordinary(tests[i]);
      continue;
    }
    ++programs;
    all.buffers = program->kernels().buffers;
    for (codegen::Kernel kernel : program->kernels().kernels) {
      if (!known.insert(print_opencl({all.buffers, {kernel}}, limits.opencl)).second) continue;
      kernel.name = fmt::format("k{}", all.kernels.size());
      all.kernels.push_back(std::move(kernel));
    }
  }
  EXPECT_GT(programs, refused);
  codegen::DeviceProgram program;
  program.target = codegen::Target::opencl;
  program.text = print_opencl(all, limits.opencl);
  program.buffers = all.buffers;
  const auto loaded = device.load(program);
  EXPECT_TRUE(loaded.ok()) << base::render(loaded.errors()).substr(0, 4000);
}

TEST_P(OpenclDevice, CompilesTheCorpus) { compile_corpus(*device_, device_->info().limits, {"basic"}, 1); }

TEST_P(OpenclDevice, CompilesTheCorpusInOtherEnvironments) {
  compile_corpus(*device_, device_->info().limits,
                 {"stress", "interleave,role_order=by_lane,result_store=at_once", "site", "pte,pairing=half",
                  "assignment=one,barrier=partner,pairing=neighbour,layout=arrays,second_stride=8", "access_width=wide",
                  "stress,memory_stress_percent=40,barrier_percent=30,memory_store_first_percent=50,"
                  "stress_spread=line,role_order=by_warp,pairing=next"},
                 7);
}

TEST_P(OpenclDevice, CompilesLegacyAtomics) {
  codegen::TargetLimits limits = device_->info().limits;
  limits.opencl.mapping = codegen::OpenclMapping::legacy;
  compile_corpus(*device_, limits, {"basic"}, 5);
}

constexpr const char* kSmall = "workgroup_size=16,iterations=32";

// Each costs the driver half a second to compile: some of each kind.
TEST_P(OpenclDevice, ConformanceTestsShowNothingForbidden) {
  for (const litmus::LitmusTest& test : corpus_tests("conformance/@all")) {
    static const std::set<std::string> kChosen = {"CoRR", "CoWW-rmw", "MP-CO", "MP-relacq", "SB-rmw"};
    if (!kChosen.contains(test.name)) continue;
    const auto ran = run_on(*device_, test, kSmall);
    EXPECT_EQ(RunStatus::finished, ran.result.status) << test.name;
    EXPECT_EQ(ran.planned, ran.decoded.instances) << test.name;
    EXPECT_EQ(ran.planned, ran.decoded.histogram.total()) << test.name;
    EXPECT_EQ(0u, ran.matches) << test.name;
  }
}

litmus::LitmusTest read(const std::string& text) {
  const auto tests = litmus::read_tests(base::Source("test", text));
  EXPECT_TRUE(tests.ok()) << base::render(tests.errors());
  return tests->front();
}

// Every way to build kernels: results add up, and impossible outcomes do not appear.
TEST_P(OpenclDevice, RunsTestsOfAllKinds) {
  struct Case {
    const char* text;
    const char* environment;
  };
  const Case cases[] = {
      // Shared memory and a barrier, within a workgroup.
      {"weakspot barrier\n{ shared s; }\n P0 | P1 ;\n st.na s, 1 | st.na x, 1 ;\n bar | bar ;\n"
       " ld.na r0, x | ld.na r0, s ;\nscopes (wg (sg P0) (sg P1))\nexists (0:r0=0 \\/ 1:r0=0)\n",
       "workgroup_size=32,iterations=32"},
      // Addresses in memory, and a branch.
      {"weakspot pointer\n{ p = &x; x = 1; y = 2; 1:s64 r1; }\n P0 | P1 ;\n st.rel p, &y | ld.acq r1, p ;\n"
       " | ld r2, [r1] ;\n | beq r2, 2, end ;\n | add r2, r2, 5 ;\n | end: ;\nexists ~(1:r2=2 \\/ 1:r2=6)\n",
       "workgroup_size=16,iterations=32,layout=arrays"},
      // A loop with a bound: some instances end in it.
      {"weakspot spin\n P0 | P1 ;\n st x, 1 | again: ;\n st.rel y, 1 | ld.acq r0, y ;\n | beq r0, 0, again ;\n"
       " | ld r1, x ;\nexists (1:r1=0)\n",
       "workgroup_size=16,iterations=32,loop_bound=1000"},
      // Read-modify-writes of 64 bits under stress.
      {"weakspot add\n P0 | P1 ;\n atom.add r0, x, 1 | atom.add r0, x, 1 ;\nexists ~x=2 \\/ (0:r0=0 /\\ 1:r0=0)\n",
       "stress,access_width=wide,workgroup_size=16,iterations=32,memory_stress_iterations=8,pre_stress_iterations=8"},
  };
  for (const Case& c : cases) {
    const litmus::LitmusTest test = read(c.text);
    const auto ran = run_on(*device_, test, c.environment);
    EXPECT_EQ(ran.planned, ran.decoded.instances) << test.name;
    EXPECT_EQ(ran.planned, ran.decoded.histogram.total() + ran.decoded.unfinished) << test.name;
    EXPECT_GT(ran.decoded.histogram.total(), 0u) << test.name;
    EXPECT_EQ(0u, ran.matches) << test.name;
  }
}

// 0: the devices that are listed, at least two, can be opened by their ids.
int open_all() {
  const std::vector<DeviceInfo> devices = list_opencl_devices();
  if (devices.size() < 2) return 2;
  for (const DeviceInfo& info : devices) {
    const auto device = open_opencl_device(info.id);
    if (!device || (*device)->info().id != info.id || (*device)->info().name != info.name) return 1;
  }
  const auto beyond = open_opencl_device(fmt::format("opencl:{}", devices.size()));
  const std::string expected =
      fmt::format("opencl: there is no device opencl:{}; this machine has {}", devices.size(), devices.size());
  return !beyond.ok() && beyond.errors().front().message == expected ? 0 : 1;
}

TEST(OpenclPlatforms, DevicesOfTwoAreNumberedOn) {
  const std::filesystem::path pocl = "/etc/OpenCL/vendors/pocl.icd";
  if (!std::filesystem::exists(pocl)) GTEST_SKIP() << "there is no PoCL to list twice";
  const std::string folder = testing::TempDir() + "opencl_test_platforms";
  std::filesystem::create_directories(folder);
  for (const char* name : {"/one.icd", "/two.icd"}) {
    std::filesystem::copy_file(pocl, folder + name, std::filesystem::copy_options::overwrite_existing);
  }
  // In a process of its own, which begins anew: loaders look for platforms once.
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  ::setenv("OCL_ICD_VENDORS", folder.c_str(), 1);
  int status = -1;
  auto remember = [&](int ended) {
    status = ended;
    return true;
  };
  EXPECT_EXIT(std::_Exit(open_all()), remember, "");
  ::unsetenv("OCL_ICD_VENDORS");
  std::filesystem::remove_all(folder);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 2) GTEST_SKIP() << "the loader lists one driver once";
  EXPECT_TRUE(testing::ExitedWithCode(0)(status)) << status;
}

}  // namespace
}  // namespace weakspot::backend::opencl_test
