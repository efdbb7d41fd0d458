// SPDX-License-Identifier: MIT
#include "backend/opencl/opencl_compilers.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace weakspot::backend::opencl_compilers_test {
namespace {

using opencl::Compiled;
using opencl::Compilers;

// A process that answers each line in the same way.
std::vector<std::string> answering(const std::string& answer) {
  return {"/bin/sh", "-c", "while read -r line; do echo '" + answer + "'; done"};
}

// Three threads load at the same time, which is when processes are worth while.
std::optional<Compiled> compile_among_others(Compilers& compilers, const std::string& text) {
  const Compilers::Loading first(compilers);
  const Compilers::Loading second(compilers);
  const Compilers::Loading third(compilers);
  return compilers.compile(text);
}

TEST(OpenclCompilers, LinesReadBack) {
  const Compiled compiled{std::string("\x7f"
                                      "E\0\xff\n\"",
                                      6),
                          "ptxas info: Used 4 registers\nline two"};
  EXPECT_EQ(compiled, opencl::compiled_from_line(opencl::to_line(compiled)));
  const std::string text = "kernel void run() {\n\t// \"quoted\" \\ \n}\n";
  const std::string line = opencl::to_line(std::string_view(text));
  EXPECT_EQ(std::string::npos, line.find('\n'));
  EXPECT_EQ(text, opencl::text_from_line(line));
}

TEST(OpenclCompilers, LinesThatAreNoAnswer) {
  for (const char* line : {"", "{", "[]", "{}", R"({"binary":"","log":"no"})", R"({"binary":"0","log":""})",
                           R"({"binary":"0g","log":""})", R"({"binary":7})"}) {
    EXPECT_EQ(std::nullopt, opencl::compiled_from_line(line)) << line;
  }
  for (const char* line : {"", "{}", R"({"text":1})"}) EXPECT_EQ(std::nullopt, opencl::text_from_line(line)) << line;
}

TEST(OpenclCompilers, FewProgramsAreCompiledHere) {
  Compilers compilers(answering(R"({"binary":"6162","log":"x"})"));
  EXPECT_EQ(std::nullopt, compilers.compile("a"));
  const Compilers::Loading one(compilers);
  EXPECT_EQ(std::nullopt, compilers.compile("a"));
}

TEST(OpenclCompilers, ManyAreCompiledByProcesses) {
  Compilers compilers(answering(R"({"binary":"6162","log":"x"})"));
  EXPECT_EQ((Compiled{"ab", "x"}), compile_among_others(compilers, "a"));
  EXPECT_EQ((Compiled{"ab", "x"}), compilers.compile("b")) << "they have started";
  std::vector<std::thread> threads;
  std::atomic<int> compiled = 0;
  for (int i = 0; i < 8; ++i) threads.emplace_back([&] { compiled += compilers.compile("c").has_value() ? 1 : 0; });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(8, compiled) << "each waits for a process";
}

TEST(OpenclCompilers, WithoutProcessesTheCallerCompiles) {
  Compilers none({});
  EXPECT_EQ(std::nullopt, compile_among_others(none, "a"));
  Compilers missing({"/no/such/program"});
  EXPECT_EQ(std::nullopt, compile_among_others(missing, "a"));
  Compilers ends({"/bin/sh", "-c", "exit 3"});
  for (int i = 0; i < 6; ++i) EXPECT_EQ(std::nullopt, compile_among_others(ends, "a")) << "no process is left";
  Compilers refuses(answering(R"({"binary":"","log":"a mistake"})"));
  EXPECT_EQ(std::nullopt, compile_among_others(refuses, "a"));
}

}  // namespace
}  // namespace weakspot::backend::opencl_compilers_test
