// SPDX-License-Identifier: MIT
#include "lsp/features/proofs.h"

#include <gtest/gtest.h>

#include "base/diagnostic.h"

namespace weakspot::lsp::proofs_test {
namespace {

constexpr const char* kTwo = R"(// weakspot: arg n=3
// weakspot: launch grid=2 block=1
// weakspot: arg x=int[4] fill=iota
__global__ void one(int* x, int n) {}

  // weakspot: launch kernel=two grid=1 block=8,2
__global__ void two(int* x, int n) {}
)";

TEST(Proofs, LaunchesHaveTheirArguments) {
  const std::vector<LaunchInText> launches = launches_in("k.cu", kTwo);
  ASSERT_EQ(launches.size(), 2u);
  EXPECT_EQ(launches[0].line, 1u);
  EXPECT_EQ(launches[0].title, "grid=2 block=1");
  EXPECT_EQ(launches[0].words,
            (std::vector<std::string>{"--launch=grid=2 block=1", "--arg=n=3", "--arg=x=int[4] fill=iota"}));
  EXPECT_EQ(launches[1].line, 5u);
  EXPECT_EQ(launches[1].title, "two, grid=1 block=8,2");
  EXPECT_EQ(launches[1].words, (std::vector<std::string>{"--launch=grid=1 block=8,2", "--kernel=two", "--arg=n=3"}));
  EXPECT_TRUE(launches_in("k.cu", "// weakspot: launch grid=0\n").empty());
  EXPECT_TRUE(launches_in("k.cu", "__global__ void one(int* x) {}\n").empty());
}

TEST(Proofs, TheLaunchOfALineIsTheOneAboveIt) {
  const std::vector<LaunchInText> launches = launches_in("k.cu", kTwo);
  EXPECT_EQ(launch_at(launches, 0), &launches[0]);
  EXPECT_EQ(launch_at(launches, 4), &launches[0]);
  EXPECT_EQ(launch_at(launches, 5), &launches[1]);
  EXPECT_EQ(launch_at(launches, 99), &launches[1]);
  EXPECT_EQ(launch_at({}, 0), nullptr);
}

TEST(Proofs, ViolationsStandAtTheirLinesWithAnExecution) {
  const LaunchInText launch{.line = 1, .title = "grid=2 block=1", .words = {}};
  const base::Result<ProofReport> report = read_proof(
      R"json({"verdict": "violated", "properties": [
        {"kind": "ends", "what": "every thread ends (fair)", "verdict": "proved"},
        {"kind": "assertion", "what": "assert(x == 1)", "verdict": "violated", "place": {"file": "/w/k.cu", "line": 7, "column": 3},
         "witness": [{"block": 1, "thread": 0, "steps": [
           {"place": {"file": "/w/k.cu", "line": 6, "column": 5}, "text": "reads flag = 1", "from": {"file": "/w/k.cu", "line": 4, "column": 1}, "initial": false},
           {"place": {"file": "/w/k.cu", "line": 7, "column": 3}, "text": "reads x = 0", "initial": true}]}]},
        {"kind": "condition", "what": "x[0] == 1", "verdict": "unknown", "reason": "too much"},
        {"kind": "valid", "what": "no mistake", "verdict": "violated", "place": {"file": "/w/other.cuh", "line": 3, "column": 1}}]})json",
      "/w/k.cu", launch);
  ASSERT_TRUE(report) << base::render(report.errors());
  EXPECT_EQ(report->verdict, "violated");
  ASSERT_EQ(report->findings.size(), 3u);
  const RaceFinding& violated = report->findings[0];
  EXPECT_EQ(violated.severity, RaceFinding::Severity::error);
  EXPECT_EQ(violated.place.line, 7u);
  EXPECT_EQ(violated.place.message, "violated for grid=2 block=1: assert(x == 1)");
  ASSERT_EQ(violated.related.size(), 2u);
  EXPECT_EQ(violated.related[0].message, "thread 0 of block 1 reads flag = 1, of line 4");
  EXPECT_EQ(violated.related[1].message, "thread 0 of block 1 reads x = 0, as before the launch");
  const RaceFinding& unknown = report->findings[1];
  EXPECT_EQ(unknown.severity, RaceFinding::Severity::warning);
  EXPECT_EQ(unknown.place.line, 2u);
  EXPECT_EQ(unknown.place.message, "unknown for grid=2 block=1: x[0] == 1; too much");
  EXPECT_EQ(report->findings[2].place.line, 2u) << "a line of another file is told at the launch";
}

TEST(Proofs, WhatIsProvedIsANoteAtTheLaunch) {
  const LaunchInText launch{.line = 1, .title = "grid=2 block=1", .words = {}};
  const base::Result<ProofReport> proved = read_proof(
      R"({"verdict": "proved", "holds_for": "this launch", "properties": [
        {"what": "no data race", "verdict": "proved"}, {"what": "x[0] == 1", "verdict": "proved"}]})",
      "/w/k.cu", launch);
  ASSERT_TRUE(proved);
  ASSERT_EQ(proved->findings.size(), 1u);
  EXPECT_EQ(proved->findings[0].severity, RaceFinding::Severity::note);
  EXPECT_EQ(proved->findings[0].place.message, "proved: no data race, x[0] == 1; holds for this launch");
  const base::Result<ProofReport> nothing =
      read_proof(R"({"verdict": "unknown", "properties": [], "reason": "time"})", "/w/k.cu", launch);
  ASSERT_TRUE(nothing);
  ASSERT_EQ(nothing->findings.size(), 1u);
  EXPECT_EQ(nothing->findings[0].place.message, "unknown for grid=2 block=1: time");
  EXPECT_FALSE(read_proof("", "/w/k.cu", launch));
}

}  // namespace
}  // namespace weakspot::lsp::proofs_test
