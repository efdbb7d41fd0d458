// SPDX-License-Identifier: MIT
// Checks whether compilers keep the promises of their language: every outcome that the machine allows for the compiled
// test must be one that the language allows for the test as it was written.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "compile/compiler.h"
#include "compile/model_answers.h"
#include "compile/read_back.h"
#include "compile/source.h"
#include "litmus/outcome.h"
#include "litmus/test.h"

namespace weakspot::compile {

enum class CompileVerdict : std::uint8_t { sound, stronger, unsound, error };
std::string_view to_string(CompileVerdict verdict);  // sound stronger unsound error

// An outcome that the machine allows and the language does not. Both tests ask for it.
struct Counterexample {
  litmus::LitmusTest source;
  litmus::LitmusTest compiled;
  std::string outcome;  // "0:r0=0 /\ 1:r0=0", or that the machine gives the code no meaning
};

// The party at fault for an error.
enum class Failure : std::uint8_t {
  none,
  test,      // it cannot be compiled, or has no meaning
  compiler,  // it is missing, failed, crashed or did not end
  code,      // it is not understood
  model,     // it has no answer within its limits
};

struct Checked {
  litmus::LitmusTest test;  // the given test
  std::string compiler;     // the commands, separated by " | " if the threads have different ones
  CompileVerdict verdict = CompileVerdict::error;
  Failure failure = Failure::none;
  std::string reason;         // in one line; empty for sound
  std::string machine;        // empty where there is no code
  std::string source_model;   // likewise
  std::string machine_model;  // likewise
  std::size_t source_outcomes = 0;
  std::size_t compiled_outcomes = 0;
  std::optional<litmus::LitmusTest> compiled;
  std::optional<Counterexample> found;  // unsound: the test itself
  std::optional<Counterexample>
      minimal;  // unsound: the smallest part of it that still shows it, where it was asked for
};

struct CheckModels {
  std::string c = "cpp20";
  std::string scoped_c = "opencl-repaired:mutual-scopes";  // also of CUDA
  std::string opencl = "opencl-repaired";
  std::string wgsl = "webgpu";
  std::map<Machine, std::string> machines = {{Machine::aarch64, "aarch64"},
                                             {Machine::x86_64, "tso"},
                                             {Machine::ptx, "ptx"},
                                             {Machine::spirv_opencl, "opencl-repaired"},
                                             {Machine::spirv_vulkan, "vulkan"}};

  const std::string& of(Language language) const {
    if (language == Language::c) return c;
    if (language == Language::wgsl) return wgsl;
    return language == Language::opencl ? opencl : scoped_c;
  }
};

struct CheckOptions {
  Language language = Language::c;
  std::vector<std::string> compilers;  // commands; thread i of a test is compiled by i modulo their number
  CompilerLimits compiling;
  CheckModels models;
  model::Limits judging;
  unsigned threads = 1;  // tests judged at the same time
};

class Checker {
 public:
  // Fails if a model cannot be read.
  static base::Result<std::unique_ptr<Checker>> make(const CheckOptions& options);

  // With several compilers, each test is checked once for each rotation of them: which one compiles the first thread.
  std::vector<Checked> check(const std::vector<litmus::LitmusTest>& tests);

  // Finds the smallest part of an unsound test that is unsound and sets `minimal`.
  void minimise(Checked& checked);

  // The compilers' warnings, each once: "COMPILER: MESSAGE".
  std::vector<std::string> warnings() const;
  std::size_t compiler_calls() const;
  std::size_t judged() const { return answers_.judged(); }

 private:
  explicit Checker(const CheckOptions& options);

  struct Work {
    const litmus::LitmusTest* test = nullptr;
    std::size_t rotation = 0;
    const base::Result<TestSource>* source = nullptr;
  };
  std::size_t compiler_of(std::size_t thread, std::size_t rotation) const {
    return (thread + rotation) % compilers_.size();
  }
  void compile(const std::vector<Work>& work);
  Checked check(const Work& work, bool look_for_weaker);
  void compare(const TestSource& source, const CompiledTest& compiled, Machine machine, Checked& checked,
               bool look_for_weaker);
  // The instruction that could be weaker, in words; empty if there is none.
  std::string weaker_instruction(const TestSource& source, const CompiledTest& compiled, const std::string& model,
                                 const litmus::OutcomeSet& allowed, std::size_t shown);

  CheckOptions options_;
  std::vector<Compiler> compilers_;
  ModelAnswers answers_;
};

}  // namespace weakspot::compile
