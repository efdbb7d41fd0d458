// SPDX-License-Identifier: MIT
#include "system/subprocess.h"

#include <gtest/gtest.h>

#include <csignal>

namespace weakspot::base {
namespace {

ProcessResult shell(const std::string& script, const ProcessOptions& options = {}) {
  Result<ProcessResult> result = run_process({"sh", "-c", script}, options);
  EXPECT_TRUE(result.ok());
  return *result;
}

TEST(Subprocess, GivesOutputErrorsAndExitCode) {
  const ProcessResult result = shell("echo out; echo err >&2; exit 3");
  EXPECT_EQ(result.output, "out\n");
  EXPECT_EQ(result.errors, "err\n");
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(result.signal, 0);
  EXPECT_FALSE(result.succeeded());
}

TEST(Subprocess, FeedsALargeInputWhileReading) {
  const std::string input(1 << 20, 'x');
  const ProcessResult result = shell("cat", {.input = input});
  EXPECT_EQ(result.output, input);
  EXPECT_TRUE(result.succeeded());
}

TEST(Subprocess, AChildThatDoesNotReadIsNoError) {
  EXPECT_TRUE(shell("exit 0", {.input = std::string(1 << 20, 'x')}).succeeded());
}

TEST(Subprocess, ReportsTheSignal) { EXPECT_EQ(shell("kill -SEGV $$").signal, SIGSEGV); }

TEST(Subprocess, ADeadlineEndsTheWholeGroup) {
  const auto start = std::chrono::steady_clock::now();
  const ProcessResult result = shell("sleep 60 & sleep 60", {.deadline = std::chrono::milliseconds(200)});
  EXPECT_TRUE(result.timed_out);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

TEST(Subprocess, KeepsNoMoreThanTheLimit) {
  const ProcessResult result = shell("head -c 100000 /dev/zero", {.output_limit = 1000});
  EXPECT_EQ(result.output.size(), 1000u);
  EXPECT_TRUE(result.succeeded());
}

TEST(Subprocess, EnvironmentIsAddedAndReplaced) {
  EXPECT_EQ(shell("echo $WEAKSPOT_A", {.environment = {"WEAKSPOT_A=1"}}).output, "1\n");
  EXPECT_EQ(shell("echo $HOME", {.environment = {"HOME=/nowhere"}}).output, "/nowhere\n");
}

TEST(Subprocess, AMissingProgramIsAnError) {
  EXPECT_EQ(render(run_process({"weakspot-no-such-program"}).errors()),
            "error: cannot start 'weakspot-no-such-program': No such file or directory\n");
}

}  // namespace
}  // namespace weakspot::base
