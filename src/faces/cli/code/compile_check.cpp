// SPDX-License-Identifier: MIT
#include "workbench/compile_check.h"

#include <fmt/format.h>

#include <thread>

#include "base/file.h"
#include "base/plural.h"
#include "cli/command/commands.h"
#include "cli/command/shared_options.h"
#include "compile/report.h"
#include "console/interrupt.h"
#include "litmus/dialect.h"

namespace weakspot::cli {
namespace {

using compile::Checked;
using compile::CompileVerdict;
using compile::Machine;

struct CompileCheckCommand {
  workbench::CompileCheckRequest request;
  std::string source, source_model, machine_model, sarif;
  bool json = false;
  double compiler_seconds = 20;
  double seconds = 20;
  unsigned jobs = 0;

  int run() {
    if (request.tests.empty() && request.suites.empty()) {
      return fail({base::error("a test or --suite is required")});
    }
    if (!source.empty()) {
      const std::optional<compile::Language> language = compile::language_named(source);
      if (!language) {
        return fail({base::error(
            fmt::format("there is no source language '{}'; expected {}", source, compile::language_names()))});
      }
      request.options.language = *language;
    }
    set_options();
    const InterruptGuard guard;
    request.options.judging.stop = InterruptGuard::flag();
    request.options.compiling.stop = InterruptGuard::flag();
    const base::Result<workbench::CompileCheckResult> result = workbench::compile_check(request);
    if (!result) return fail(result.errors());
    for (const std::string& warning : result->warnings) print_error(fmt::format("{}\n", warning));
    if (json) {
      base::JsonValue array = base::json_array();
      for (const Checked& checked : result->checked) array.push_back(compile::to_json(checked));
      print_output(json_text(array));
    } else {
      print_text(*result);
    }
    if (!sarif.empty()) {
      const base::Status written =
          base::write_file(sarif, compile::to_sarif(result->checked, result->files, result->warnings));
      if (!written) return fail(written.errors());
    }
    if (!result->errors.empty()) fail(result->errors);
    return exit_code_of(result->ending);
  }

 private:
  void set_options() {
    compile::CheckOptions& options = request.options;
    if (!source_model.empty()) {
      options.models.c = options.models.scoped_c = options.models.opencl = options.models.wgsl = source_model;
    }
    if (!machine_model.empty()) {
      for (auto& [machine, name] : options.models.machines) name = machine_model;
    }
    auto milliseconds = [](double time) { return std::chrono::milliseconds(static_cast<std::int64_t>(time * 1000)); };
    options.judging.time = milliseconds(seconds);
    options.judging.memory = std::uint64_t{1} << 30;
    options.compiling.time = milliseconds(compiler_seconds);
    options.threads = jobs != 0 ? jobs : std::max(1u, std::thread::hardware_concurrency());
    options.compiling.threads = options.threads;
  }

  void print_text(const workbench::CompileCheckResult& result) const {
    const bool several = request.options.compilers.size() > 1;
    std::size_t counts[4] = {};
    for (const Checked& checked : result.checked) {
      ++counts[static_cast<std::size_t>(checked.verdict)];
      print_results(line_of(checked, several));
      if (checked.minimal) print_output(counterexample_text(*checked.minimal));
    }
    print_results(fmt::format("checked {}: {} sound, {} stronger than needed, {} unsound, {} not checked\n",
                              base::counted(result.checked.size(), "test"), counts[0], counts[1], counts[2],
                              counts[3]));
  }

  static std::string line_of(const Checked& checked, bool several) {
    std::string line = fmt::format("{:<9} {}", to_string(checked.verdict), checked.test.name);
    if (several) line += fmt::format("  {}", checked.compiler);
    if (!checked.reason.empty()) line += fmt::format("  {}", checked.reason);
    return line + "\n";
  }

  static std::string indented(const litmus::LitmusTest& test) {
    base::Result<std::string> text = litmus::print(test, litmus::dialect_of(test.arch));
    if (!text) text = litmus::print(test, litmus::Dialect::canonical);
    if (!text) return {};
    std::string lines = "    ";
    for (std::size_t i = 0; i < text->size(); ++i) {
      lines += (*text)[i];
      if ((*text)[i] == '\n' && i + 1 < text->size() && (*text)[i + 1] != '\n') lines += "    ";
    }
    return lines;
  }

  static std::string counterexample_text(const compile::Counterexample& found) {
    return "  the smallest test that shows it:\n" + indented(found.source) + "  compiled:\n" + indented(found.compiled);
  }
};

}  // namespace

void add_compile_check(Command& app, int& exit_code) {
  auto options = std::make_shared<CompileCheckCommand>();
  workbench::CompileCheckRequest& request = options->request;
  Command* command =
      app.add_subcommand("compile-check", "Compile tests and check that code keeps its language's promises");
  command->add_option("TEST", request.tests, "files, folders, indexes or tests of the corpus");
  command
      ->add_option(
          "--compiler COMMAND", request.options.compilers,
          "a compiler with its options, as for a shell; {in} and {out} are the names of the files, and without them "
          "-S, -o and the names are added. Several: the threads of a test are compiled by them in turn, in every "
          "rotation")
      ->required()
      ->repeatable();
  command->add_option("--source LANGUAGE", options->source,
                      "what tests are written in: c, opencl, cuda, cuda-builtins, cuda-fences or wgsl (default c)");
  command->add_option("--suite NAME", request.suites, "tests of a generated suite, such as c11")->repeatable();
  command->add_option(
      "--source-model NAME", options->source_model,
      "the model of the language (default: cpp20; webgpu for WGSL; opencl-repaired for tests with scopes, "
      "OpenCL C and CUDA)");
  command->add_option("--machine-model NAME", options->machine_model,
                      "the model of the machine (default: aarch64, tso, ptx, opencl-repaired or vulkan, by the code)");
  command->add_option("--minimal N", request.minimal,
                      "find the smallest part of so many unsound tests, small ones first (default 10)");
  command
      ->add_option("--compiler-seconds TIME", options->compiler_seconds,
                   "time for a call of the compiler, such as 500ms or 2min (default 20s)")
      ->as_time();
  command->add_option("--seconds TIME", options->seconds, "time to judge a test (default 20s)")->as_time();
  command->add_option("--jobs N", options->jobs,
                      "compile and judge so many at a time; 0: one for each core (default 0)");
  command->add_flag("--json", options->json, "print an array of verdicts");
  command->add_option("--sarif FILE", options->sarif, "write what is not sound as SARIF");
  command->footer(
      "Verdicts are sound, stronger (an instruction is stronger than the test needs),\n"
      "unsound and error (why it was not checked). The exit code is 1 if a test is\n"
      "unsound, 3 if a compiler failed or its code was not understood.\n\n"
      "Examples:\n  weakspot compile-check --compiler 'clang --target=aarch64-linux-gnu -O2' MP+rel+acq\n"
      "  weakspot compile-check --source wgsl --compiler 'naga {in} {out}' --suite wgsl --sarif found.sarif");
  command->callback([options, &exit_code] { exit_code = options->run(); });
}

}  // namespace weakspot::cli
