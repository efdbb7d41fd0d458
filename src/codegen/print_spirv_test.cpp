#include "codegen/print_spirv.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/build_info.h"
#include "base/file.h"
#include "base/subprocess.h"
#include "codegen/test_program.h"
#include "litmus/dialect.h"

namespace weakspot::codegen {
namespace {

TargetLimits lavapipe() {
  TargetLimits limits;
  limits.subgroup_size = 4;
  limits.max_shared_bytes = 32 * 1024;
  return limits;
}

std::string bytes_of(const std::vector<std::uint32_t>& words) {
  return {reinterpret_cast<const char*>(words.data()), words.size() * sizeof(std::uint32_t)};
}

// ---- with the validator ----

class SpirvVal : public testing::Test {
 protected:
  void SetUp() override {
    const base::Result<base::ProcessResult> version = base::run_process({"spirv-val", "--version"});
    if (!version || !version->succeeded()) GTEST_SKIP() << "spirv-val is not on the PATH";
    path_ = (std::filesystem::temp_directory_path() / fmt::format("weakspot_spirv_{}.spv", ::getpid())).string();
  }
  void TearDown() override { std::filesystem::remove(path_); }

  void validate(const std::string& name, const std::vector<std::uint32_t>& words) {
    ASSERT_TRUE(base::write_file(path_, bytes_of(words)).ok());
    const base::Result<base::ProcessResult> result =
        base::run_process({"spirv-val", "--target-env", "vulkan1.3", path_}, {.deadline = std::chrono::seconds(60)});
    ASSERT_TRUE(result.ok());
    EXPECT_TRUE(result->succeeded()) << name << ": " << result->errors.substr(0, 2000)
                                     << result->output.substr(0, 2000);
  }

  // Every test in one environment, in turn, so that all meet.
  void validate_all(const std::vector<litmus::LitmusTest>& tests, const std::vector<std::string>& environments) {
    std::size_t programs = 0;
    for (std::size_t i = 0; i < tests.size(); ++i) {
      const std::string& env = environments[i % environments.size()];
      const auto program =
          TestProgram::compile(tests[i], *parse_environment(base::Source("--env", env)), Target::spirv, lavapipe());
      if (!program) {
        EXPECT_NE(std::string::npos, program.errors().front().message.find("cannot run")) << tests[i].name;
        continue;
      }
      ++programs;
      validate(fmt::format("{} in {}", tests[i].name, env), program->program().words);
    }
    EXPECT_GT(programs * 3, tests.size());
  }

  std::string path_;
};

std::vector<litmus::LitmusTest> corpus(std::size_t every) {
  const base::Result<std::vector<litmus::LitmusTest>> tests =
      litmus::read_test_file(std::string(base::kSourceDirectory) + "/corpus/@all");
  EXPECT_TRUE(tests.ok());
  std::vector<litmus::LitmusTest> chosen;
  for (std::size_t i = 0; tests && i < tests->size(); i += every) chosen.push_back((*tests)[i]);
  return chosen;
}

TEST_F(SpirvVal, AcceptsTheCorpus) { validate_all(corpus(1), {"basic"}); }

TEST_F(SpirvVal, AcceptsTheCorpusInOtherEnvironments) {
  validate_all(corpus(3), {"stress", "interleave,role_order=by_lane,result_store=at_once", "site", "pte,pairing=half",
                           "assignment=one,barrier=partner,pairing=neighbour,layout=arrays,second_stride=8",
                           "stress,memory_stress_percent=40,barrier_percent=30,memory_store_first_percent=50,"
                           "stress_spread=line,role_order=by_warp,pairing=next",
                           "access_width=wide"});
}

}  // namespace
}  // namespace weakspot::codegen
