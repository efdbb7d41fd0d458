// SPDX-License-Identifier: MIT
#include "codegen/random_environment.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/hash.h"
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

void expect_drawn(const std::vector<std::string>& params, const DrawLimits& limits,
                  TestEnvironment (*read)(const std::string&)) {
  for (std::size_t i = 0; i < params.size(); ++i) {
    TestEnvironment drawn = draw_historic(DrawMode::seedrandom, "webgpu", i, limits);
    TestEnvironment published = read(params[i]);
    // The files leave out the values that were fixed at the time.
    published.workgroup_size = 256;
    published.permute_threads = 109;
    published.permute_locations = 419;
    ASSERT_EQ(to_text(published), to_text(drawn)) << "environment " << i;
  }
}

// The 150 environments of a study as one hash. The tests below check each of them against the study's files, if these
// are at hand.
std::string hash_of_drawn(const DrawLimits& limits) {
  std::string text;
  for (std::size_t i = 0; i < 150; ++i) {
    text += to_text(draw_historic(DrawMode::seedrandom, "webgpu", i, limits)) + "\n";
  }
  return base::hash_bytes(text).hex();
}

TEST(Draw, SeedrandomDrawsTheEnvironmentsOfTheStudies) {
  EXPECT_EQ("c3c684ca9bf90c1d59cd09114ca7ea8c", hash_of_drawn({.workgroups = 1024}));
  EXPECT_EQ("81c10c61c749719e5269419f19ce2846", hash_of_drawn({.workgroups = 64}));
}

TEST_F(McMutantsData, SeedrandomDrawsEveryPteEnvironment) {
  for (const char* name : {"pte", "correlation_analysis"}) {
    for (const auto& params : folder(name)) expect_drawn(params, {.workgroups = 1024}, read);
  }
}

TEST_F(McMutantsData, SeedrandomDrawsEverySiteEnvironment) {
  for (const auto& params : folder("site")) expect_drawn(params, {.workgroups = 64}, read);
}

TEST_F(McMutantsData, BaselinesAreValidEnvironments) {
  for (const char* name : {"pte_baseline", "site_baseline"}) {
    for (const auto& params : folder(name)) {
      for (const std::string& text : params) EXPECT_EQ(0, read(text).memory_stress_percent);
    }
  }
}

TEST(Draw, SeedrandomFirstEnvironment) {
  const TestEnvironment e = draw_historic(DrawMode::seedrandom, "webgpu", 0, {});
  EXPECT_EQ(551, e.testing_workgroups);
  EXPECT_EQ(736, e.max_workgroups);
  EXPECT_EQ(100, e.shuffle_percent);
  EXPECT_EQ(100, e.pre_stress_percent);
  EXPECT_EQ(1024, e.stress_line_words);
  EXPECT_EQ(4, e.stress_target_lines);
  EXPECT_EQ(5, e.memory_stride);
}

TEST(Draw, ParkMillerLikeFirstNumbers) {
  ParkMillerLike random("rbjnMzXroA");
  EXPECT_EQ(1950385197, random.next());
  EXPECT_EQ(933602907, random.next());
  EXPECT_EQ(1548525661, random.next());
}

TEST(Draw, ParkMillerLikeKeepsTheParity) {
  ParkMillerLike random("rbjnMzXroA");
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(1, random.next() % 2);
}

TEST(Draw, EveryDrawIsValid) {
  base::Rng rng(7);
  for (int i = 0; i < 2000; ++i) {
    const TestEnvironment e = draw_environment(rng, TestEnvironment{}, {});
    const base::Status status = validate(e);
    ASSERT_TRUE(status.ok()) << base::render(status.errors());
  }
  for (const DrawMode mode : {DrawMode::seedrandom, DrawMode::park_miller}) {
    for (std::size_t i = 0; i < 50; ++i) {
      const base::Status status = validate(draw_historic(mode, "seed", i, {}));
      ASSERT_TRUE(status.ok()) << base::render(status.errors());
    }
  }
}

TEST(Draw, SameSeedSameEnvironment) {
  base::Rng a(11);
  base::Rng b(11);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(draw_environment(a, {}, {}), draw_environment(b, {}, {}));
}

TEST(Draw, ModesHaveNames) {
  EXPECT_EQ("park-miller-like", to_string(DrawMode::park_miller));
  EXPECT_EQ(DrawMode::seedrandom, draw_mode_named("seedrandom"));
  EXPECT_FALSE(draw_mode_named("mersenne").has_value());
}

}  // namespace
}  // namespace weakspot::codegen::draw_test
