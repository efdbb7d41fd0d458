// SPDX-License-Identifier: MIT
#include "codegen/random_environment.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/source.h"
#include "support/shared_data.h"

namespace weakspot::codegen::draw_test {
namespace {

// The `params` objects of a result file of the MC Mutants study, in file order.
std::vector<std::string> params_of(const std::string& path) {
  std::vector<std::string> found;
  const base::Result<std::string> text = base::read_file(path);
  if (!text) return found;
  constexpr std::string_view kKey = "\"params\":";
  for (std::size_t at = text->find(kKey); at != std::string::npos; at = text->find(kKey, at + 1)) {
    const std::size_t begin = text->find('{', at);
    const std::size_t end = text->find('}', begin);
    found.push_back(text->substr(begin, end - begin + 1));
  }
  return found;
}

class McMutantsData : public testing::Test {
 protected:
  void SetUp() override {
    root_ = support::shared_data("mc-mutants");
    if (root_.empty()) GTEST_SKIP() << "the measurements of the MC Mutants study are not beside the source tree";
  }

  // Files of the folder with their params; each is expected to have some.
  std::vector<std::vector<std::string>> folder(const char* name) {
    std::vector<std::vector<std::string>> all;
    const base::Result<std::vector<std::string>> files = base::files_under((root_ / name).string(), ".json");
    EXPECT_TRUE(files.ok());
    if (!files) return all;
    for (const std::string& file : *files) {
      all.push_back(params_of(file));
      EXPECT_FALSE(all.back().empty()) << file;
    }
    return all;
  }

  static TestEnvironment read(const std::string& text) {
    const base::Result<TestEnvironment> environment = environment_from_json(base::Source("params", text));
    EXPECT_TRUE(environment.ok()) << text << base::render(environment.errors());
    return environment ? *environment : TestEnvironment{};
  }

  std::filesystem::path root_;
};

TEST_F(McMutantsData, ParametersAreEnvironments) {
  for (const char* name : {"pte", "site", "correlation_analysis"}) {
    for (const auto& params : folder(name)) {
      for (const std::string& text : params) read(text);
    }
  }
  for (const char* name : {"pte_baseline", "site_baseline"}) {
    for (const auto& params : folder(name)) {
      for (const std::string& text : params) EXPECT_EQ(0, read(text).memory_stress_percent);
    }
  }
}

TEST(Draw, EveryDrawIsValid) {
  base::Rng rng(7);
  for (int i = 0; i < 2000; ++i) {
    const TestEnvironment e = draw_environment(rng, TestEnvironment{}, {});
    const base::Status status = validate(e);
    ASSERT_TRUE(status.ok()) << base::render(status.errors());
  }
}

TEST(Draw, SameSeedSameEnvironment) {
  base::Rng a(11);
  base::Rng b(11);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(draw_environment(a, {}, {}), draw_environment(b, {}, {}));
}

}  // namespace
}  // namespace weakspot::codegen::draw_test
