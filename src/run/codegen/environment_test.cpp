// SPDX-License-Identifier: MIT
#include "codegen/environment.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "base/build_info.h"
#include "base/file.h"
#include "base/rng.h"
#include "base/source.h"
#include "codegen/random_environment.h"
#include "codegen/sweep.h"
#include "json/json.h"

namespace weakspot::codegen::environment_test {
namespace {

base::Source option(std::string text) { return base::Source("--env", std::move(text)); }

std::string mistakes_of(const std::string& text) {
  const base::Result<TestEnvironment> parsed = parse_environment(option(text));
  return parsed ? "" : base::render(parsed.errors());
}

TEST(Environment, DefaultsAndPresetsAreValid) {
  EXPECT_TRUE(validate(TestEnvironment{}).ok());
  for (const Preset& preset : presets()) EXPECT_TRUE(validate(preset.environment).ok()) << preset.name;
}

TEST(Environment, TableNamesAreDistinct) {
  std::set<std::string_view> names;
  for (const Parameter& parameter : parameters()) {
    EXPECT_TRUE(names.insert(parameter.name).second) << parameter.name;
    EXPECT_TRUE(parameter.accepts(parameter.default_value())) << parameter.name;
    EXPECT_FALSE(parameter.meaning.empty()) << parameter.name;
  }
  // Every field is in the table: changing all of them changes all bytes that carry one.
  EXPECT_EQ(42u, parameters().size());
}

TEST(Environment, TextRoundTrip) {
  base::Rng rng(3);
  for (int i = 0; i < 300; ++i) {
    const TestEnvironment e = draw_environment(rng, TestEnvironment{}, {});
    const base::Result<TestEnvironment> back = parse_environment(option(to_text(e)));
    ASSERT_TRUE(back.ok()) << base::render(back.errors());
    EXPECT_EQ(e, *back);
    const base::Result<TestEnvironment> json =
        environment_from_json(base::Source("json", base::json_compact(to_json(e))));
    ASSERT_TRUE(json.ok()) << base::render(json.errors());
    EXPECT_EQ(e, *json);
  }
}

TEST(Environment, PresetThenChanges) {
  const base::Result<TestEnvironment> e = parse_environment(option("stress, workgroup_size=32 ,barrier=none"));
  ASSERT_TRUE(e.ok()) << base::render(e.errors());
  EXPECT_EQ(100, e->memory_stress_percent);
  EXPECT_EQ(32, e->workgroup_size);
  EXPECT_EQ(BarrierKind::none, e->barrier);
  EXPECT_EQ("basic", to_text(TestEnvironment{}));
}

TEST(Environment, MistakesPointIntoTheText) {
  EXPECT_EQ(
      "--env:1:9: error: 'barrier' takes none, block, partner or grid\n"
      " barrier=sometimes,shufle_percent=3\n"
      "         ^~~~~~~~~\n"
      "--env:1:19: error: unknown parameter 'shufle_percent'; did you mean 'shuffle_percent'?\n"
      " barrier=sometimes,shufle_percent=3\n"
      "                   ^~~~~~~~~~~~~~\n",
      mistakes_of("barrier=sometimes,shufle_percent=3"));
  EXPECT_EQ(
      "--env:1:16: error: 'workgroup_size' takes 1 to 1024\n"
      " workgroup_size=2048\n"
      "                ^~~~\n",
      mistakes_of("workgroup_size=2048"));
  EXPECT_EQ(
      "--env:1:1: error: expected name=value or a preset: basic, interleave, stress, site-baseline, site, "
      "pte-baseline, pte\n"
      " fast\n"
      " ^~~~\n",
      mistakes_of("fast"));
  EXPECT_EQ(
      "--env:1:7: error: expected name=value\n"
      " basic,stress\n"
      "       ^~~~~~\n",
      mistakes_of("basic,stress"));
  EXPECT_EQ(
      "--env:1:14: error: 'iterations' is given twice\n"
      " iterations=1,iterations=2\n"
      "              ^~~~~~~~~~\n",
      mistakes_of("iterations=1,iterations=2"));
  EXPECT_EQ(
      "--env:1:19: error: 'stress_line_words' takes a power of two from 2 to 1024\n"
      " stress_line_words=48\n"
      "                   ^~\n",
      mistakes_of("stress_line_words=48"));
  EXPECT_NE("", mistakes_of(""));
  EXPECT_NE("", mistakes_of("iterations="));
  EXPECT_NE("", mistakes_of("iterations=99999999999999999999"));
  EXPECT_NE("", mistakes_of("=3"));
}

TEST(Environment, ParametersMustAgree) {
  EXPECT_EQ(
      "--env:1:1: error: environment: testing_workgroups is 10, more than max_workgroups 4\n"
      " testing_workgroups=10,max_workgroups=4\n"
      " ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n",
      mistakes_of("testing_workgroups=10,max_workgroups=4"));
  EXPECT_NE("", mistakes_of("scratch_words=64,stress_line_words=64,stress_target_lines=2"));
}

TEST(Environment, JsonMistakes) {
  for (const char* text : {"", "{", "[]", "{\"mode\":}", "{\"mode\":\"pte\"", "{\"mode\":\"fast\"}", "{\"x\":1}",
                           "{\"mode\":\"pte\"}}", "{\"mode\" \"pte\"}", "{\"workgroup_size\":1e9}", "{\"mode"}) {
    EXPECT_FALSE(environment_from_json(base::Source("json", text)).ok()) << text;
  }
}

TEST(Environment, TheManualIsThatOfTheTable) {
  const std::string path = std::string(base::kSourceDirectory) + "/docs/stress.md";
  const base::Result<std::string> manual = base::read_file(path);
  ASSERT_TRUE(manual.ok());
  const std::string expected = parameter_manual();
  const std::size_t begin = manual->find("## Presets\n");
  ASSERT_NE(std::string::npos, begin);
  EXPECT_EQ(expected, manual->substr(begin)) << "docs/stress.md is out of date; from '## Presets' on it must be:\n"
                                             << expected;
}

}  // namespace

TEST(Sweep, EveryEnvironmentIsValidAndDifferent) {
  for (const SweepFor machine : {SweepFor::gpu, SweepFor::host_driver, SweepFor::cpu, SweepFor::mixed}) {
    const std::vector<TestEnvironment> sweep = default_sweep(machine);
    EXPECT_FALSE(sweep.empty());
    for (std::size_t i = 0; i < sweep.size(); ++i) {
      EXPECT_TRUE(validate(sweep[i]).ok()) << default_sweep_texts(machine)[i];
      for (std::size_t j = 0; j < i; ++j) EXPECT_NE(sweep[i], sweep[j]) << default_sweep_texts(machine)[i];
    }
  }
}

}  // namespace weakspot::codegen::environment_test
