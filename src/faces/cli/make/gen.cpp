// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <map>

#include "base/plural.h"
#include "cli/command/commands.h"
#include "cli/command/shared_options.h"
#include "cli/make/test_writer.h"
#include "console/interrupt.h"
#include "questions/make_tests.h"

namespace weakspot::cli {
namespace {

constexpr const char* kArchs = "generic, ptx-2015, ptx, vulkan, opencl, c, aarch64 or x86-64";

struct Generate {
  questions::GenerateRequest request;
  std::map<std::string, std::string> keys;  // configuration keys; empty values were not given
  bool observers = false;
  bool all_cycles = false;
  std::size_t limit = 0;
  TestWriterOptions output;

  int run() {
    for (const auto& [key, value] : keys) {
      if (!value.empty()) request.settings.emplace_back(key, value);
    }
    if (all_cycles) request.settings.emplace_back("critical", "no");
    if (observers) request.settings.emplace_back("observers", "yes");
    request.filter.stop = InterruptGuard::flag();
    const InterruptGuard guard;
    TestWriter writer(output);
    const base::Result<questions::GenerateResult> result = questions::generate_tests(
        request,
        [&](const litmus::LitmusTest& test) { return writer.write(test) && (limit == 0 || writer.count() < limit); });
    if (!result) {
      const int code = fail(result.errors());
      const bool nothing = keys["edges"].empty() && request.config_file.empty();
      if (request.cycles.empty() && (nothing || !request.minimal.empty())) {
        print_error("see 'weakspot gen --help'\n");
      }
      return code;
    }
    base::Diagnostics errors = result->errors;
    const base::Diagnostics unwritten = writer.finish();
    errors.insert(errors.end(), unwritten.begin(), unwritten.end());
    if (result->refused > 0) {
      print_error(fmt::format("{} of {} left out: the dialect cannot express {}\n", result->refused,
                              base::counted(result->cycles, "cycle"), base::plural(result->refused, "it", "them")));
    }
    return writer.ended(errors.empty() ? kFine : fail(errors));
  }
};

}  // namespace

void add_gen(Command& app, int& exit_code) {
  auto options = std::make_shared<Generate>();
  questions::GenerateRequest& request = options->request;
  Command* command = app.add_subcommand("gen", "Make tests from cycles: one by one, or all of some edges");
  auto key = [&](const std::string& option, const std::string& name, const std::string& help) {
    command->add_option(option, options->keys[name], help);
  };
  command->add_option("CYCLE ...", request.cycles, "cycles ('Rfe PodRR Fre PodWW') or their names (MP+fence.sc+addr)");
  command->add_option("--config FILE", request.config_file, "'key = value' lines, which options override");
  key("--edges LIST", "edges", "the vocabulary, such as 'Rfe Fre Coe Pod** Membar.gld**'");
  key("--size RANGE", "size", "edges of a cycle, such as 6 or 4..6 (default 2..4)");
  key("--threads RANGE", "threads", "threads of a test, such as 4 or 2..3 (default 2..4)");
  key("--internal N", "internal", "most edges within one thread (default 1)");
  key("--dialect NAME", "dialect", fmt::format("the tests' architecture: {} (default generic)", kArchs));
  key("--scopes LIST", "scopes", "what neighbouring threads share: sg wg cluster dev sys (default dev)");
  key("--annotations LIST", "annotations", "kinds of accesses, such as '- cg acq/rel' for reads/writes (default -)");
  key("--spaces LIST", "spaces", "memory spaces of locations: none global shared (default none)");
  command->add_flag("--all-cycles", options->all_cycles, "also make cycles that a shorter one implies");
  command->add_flag("--observers", options->observers, "show coherence by observer threads, never by final values");
  add_filter_options(*command, request.filter);
  command->add_option("--minimal NAME", request.minimal,
                      "with cycles: the weakest orders with which this model forbids them");
  command->add_option("--limit N", options->limit, "stop after this many tests (default 0: no limit)");
  add_writer_options(*command, options->output);
  command->footer(
      "Examples:\n  weakspot gen 'Rfe PodRR Fre PodWW' --dialect ptx\n"
      "  weakspot gen --edges 'Rfe Fre Coe Pod**' --forbidden-by sc --allowed-by tso");
  command->callback([options, &exit_code] { exit_code = options->run(); });
}

}  // namespace weakspot::cli
