// SPDX-License-Identifier: MIT
#include "codegen/program_json.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "base/source.h"
#include "codegen/buffer_words.h"
#include "litmus/dialect.h"

namespace weakspot::codegen::program_json_test {
namespace {

using base::JsonValue;

constexpr const char* kMp =
    "weakspot MP\n"
    " P0      | P1       ;\n"
    " st x, 1 | ld r0, y ;\n"
    " st y, 1 | ld r1, x ;\n"
    "exists (1:r0=1 /\\ 1:r1=0)\n";

TestProgram message_passing() {
  const auto tests = litmus::read_tests(base::Source("test", kMp));
  return *TestProgram::compile(tests->front(), *parse_environment(base::Source("--env", "basic")), Target::wgsl, {});
}

// Reads an object with `read` and gives the first mistake, or "".
template <typename Read>
std::string mistake_in(const std::string& text, Read read) {
  const base::Source source("answer", text);
  base::Mistakes mistakes(source);
  const std::optional<JsonValue> value = base::read_json_text(mistakes);
  if (value) {
    base::JsonFields fields(*value, mistakes, "an answer");
    read(fields);
  }
  return mistakes.any() ? mistakes.take().front().message : "";
}

TEST(ProgramJson, AProgramIsTextEntriesAndBuffers) {
  const TestProgram program = message_passing();
  const JsonValue json = to_json(program);
  EXPECT_EQ(1u, json.at("format").whole());
  EXPECT_EQ("wgsl", json.at("target").text());
  EXPECT_EQ(program.program().text, json.at("text").text());
  EXPECT_EQ(0u, json.at("run_entry").whole());
  EXPECT_EQ(R"({"name":"run","workgroup_size":64,"shared_bytes":0,"buffers":[0,2,3,5,7]})",
            base::json_compact(json.at("entries").at(std::size_t{0})));
  EXPECT_EQ(R"(["control","plan","memory","results","scratch","progress","sync","counts","overflow"])",
            base::json_compact(json.at("buffers")));
}

TEST(ProgramJson, ALaunchSaysWhatEachBufferStartsWith) {
  Launch launch;
  launch.buffers = {{.words = 3, .content = {7, 4294967295u}},
                    {.words = 8, .zero_first = true, .read_back = true},
                    {.words = 4, .zero_each_round = true}};
  launch.passes = {{1, 16, true}, {0, 2, false}};
  launch.rounds = 5;
  launch.round_word = 2;
  EXPECT_EQ(R"({"buffers":[{"words":3,"content":[7,4294967295]},{"words":8,"zero_first":true,"read_back":true},)"
            R"({"words":4,"zero_each_round":true}],"passes":[{"entry":1,"workgroups":16},{"entry":0,"workgroups":2}],)"
            R"("rounds":5,"control":0,"round_word":2})",
            base::json_compact(to_json(launch)));
}

TEST(ProgramJson, APlannedRunSaysHowMuchItDoes) {
  const TestProgram program = message_passing();
  const auto run = program.plan({.resident_workgroups = 2, .memory_bytes = 1u << 20});
  ASSERT_TRUE(run.ok());
  const JsonValue json = to_json(*run);
  EXPECT_EQ(run->instances_per_round(), json.at("instances_per_round").whole());
  EXPECT_EQ(run->launch.bytes(), json.at("bytes").whole());
  EXPECT_EQ(2u, json.at("workgroups").whole());
  EXPECT_EQ(kBufferCount, json.at("launch").at("buffers").items().size());
}

TEST(ProgramJson, PlanOptionsTakeTheSeedOfTheRunAndTheNumberOfTheLaunch) {
  const char* const text =
      R"({"resident_workgroups":4,"memory_bytes":1000,"multiprocessors":2,"rounds":3,"most_instances":9,"seed":7,"launch":)";
  PlanOptions options;
  const auto read = [&](base::JsonFields& fields) { options = plan_options_from_json(fields); };
  EXPECT_EQ("", mistake_in(std::string(text) + "0}", read));
  EXPECT_EQ(4u, options.resident_workgroups);
  EXPECT_EQ(1000u, options.memory_bytes);
  EXPECT_EQ(3u, options.rounds);
  EXPECT_EQ(9u, options.most_instances);
  EXPECT_EQ(7u, options.seed);
  EXPECT_EQ("", mistake_in(std::string(text) + "2}", read));
  EXPECT_EQ(launch_seed(7, 2), options.seed);
  EXPECT_NE("", mistake_in(R"({"seed":-1})", read));
}

TEST(ProgramJson, LaunchesHaveSeedsOfTheirOwn) {
  EXPECT_EQ(7u, launch_seed(7, 0));
  std::set<std::uint64_t> seeds;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    for (std::uint64_t launch = 0; launch < 100; ++launch) seeds.insert(launch_seed(seed, launch));
  }
  EXPECT_EQ(1000u, seeds.size());
}

TEST(ProgramJson, LimitsOfTheAdapterBoundTheCode) {
  TargetLimits limits;
  EXPECT_EQ("", mistake_in(R"({"max_workgroup_size":1024,"max_shared_bytes":32768,"loop_rounds":99})",
                           [&](base::JsonFields& fields) { limits = limits_from_json(fields); }));
  EXPECT_EQ(1024u, limits.max_workgroup_size);
  EXPECT_EQ(32768u, limits.max_shared_bytes);
  EXPECT_EQ(99u, limits.loop_rounds);
  EXPECT_EQ(0u, limits.named_barriers);
}

TEST(ProgramJson, WordsComeBackWithoutTheZerosAtTheirEnd) {
  Launch launch;
  launch.buffers = {{.words = 3}, {.words = 4, .read_back = true}};
  std::vector<std::vector<std::uint32_t>> buffers;
  const auto read = [&](base::JsonFields& fields) { buffers = buffers_from_json(fields, launch); };
  EXPECT_EQ("", mistake_in(R"({"buffers":[null,[1,4294967295]]})", read));
  EXPECT_EQ((std::vector<std::vector<std::uint32_t>>{{}, {1, 4294967295u, 0, 0}}), buffers);

  const std::pair<const char*, const char*> cases[] = {
      {R"({})", "an answer needs 'buffers', an array"},
      {R"({"buffers":[[1]]})", "'buffers': expected an array of 2 buffers, found an array"},
      {R"({"buffers":[null,null]})", "buffer 1: expected an array of at most 4 words"},
      {R"({"buffers":[null,[1,2,3,4,5]]})", "buffer 1: expected an array of at most 4 words"},
      {R"({"buffers":[null,[-1]]})", "buffer 1: expected a word of 32 bits"},
      {R"({"buffers":[null,[4294967296]]})", "buffer 1: expected a word of 32 bits"},
      {R"({"buffers":[null,["1"]]})", "buffer 1: expected a word of 32 bits"},
  };
  for (const auto& [text, message] : cases) EXPECT_EQ(message, mistake_in(text, read)) << text;
}

}  // namespace
}  // namespace weakspot::codegen::program_json_test
