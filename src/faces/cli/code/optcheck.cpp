// SPDX-License-Identifier: MIT
#include "workbench/optcheck.h"

#include <fmt/format.h>

#include <map>

#include "cli/command/commands.h"
#include "cli/command/shared_options.h"
#include "console/interrupt.h"
#include "litmus/dialect.h"

namespace weakspot::cli {
namespace {

using workbench::CheckedTest;

struct Optcheck {
  workbench::OptcheckRequest request;
  bool json = false;
  bool show = false;

  int run() {
    const InterruptGuard guard;
    const base::Result<std::vector<CheckedTest>> checked =
        workbench::check_tests(request, [](std::size_t, std::size_t) { return !InterruptGuard::interrupted(); });
    if (!checked) return fail(checked.errors());
    if (InterruptGuard::interrupted()) return exit_code_of(workbench::Ending::cancelled);
    json ? print_json(*checked) : print_text(*checked);
    return exit_code_of(workbench::optcheck_ending(*checked));
  }

 private:
  static void print_json(const std::vector<CheckedTest>& checked) {
    base::JsonValue array = base::json_array();
    for (const CheckedTest& one : checked) array.push_back(workbench::optcheck_json(one));
    print_output(base::json_indented(array) + "\n");
  }

  void print_text(const std::vector<CheckedTest>& checked) const {
    std::map<std::string_view, std::size_t> tally;
    for (const CheckedTest& one : checked) {
      const std::string_view verdict = optcheck::to_string(one.check.verdict);
      ++tally[verdict];
      std::string text = fmt::format("{:<8} {}  {}", verdict, one.test.name, one.device);
      if (!one.check.reason.empty()) text += fmt::format("  {}", one.check.reason);
      print_results(text + "\n" + (show ? pairings(one) : ""));
    }
    if (checked.size() < 2) return;
    std::string sum;
    for (const auto& [verdict, count] : tally) sum += fmt::format("{}{} {}", sum.empty() ? "" : ", ", count, verdict);
    print_results(fmt::format("\n{}\n", sum));
  }

  static std::string pairings(const CheckedTest& one) {
    const std::vector<std::vector<std::string>> texts = litmus::instruction_texts(one.test);
    std::string text;
    for (const optcheck::Pairing& pairing : one.check.pairings) {
      text += fmt::format("  P{}  {:<24} {:#06x}  {}\n", pairing.thread, texts[pairing.thread][pairing.instruction],
                          pairing.at, pairing.code);
    }
    return text;
  }
};

}  // namespace

void add_optcheck(Command& app, int& exit_code) {
  auto options = std::make_shared<Optcheck>();
  workbench::OptcheckRequest& request = options->request;
  Command* command = app.add_subcommand("optcheck", "Check that the machine code a device runs is the test");
  add_tests(*command, request.tests);
  command->add_option("--device ID", request.device, "the device that compiles (default: the first GPU, else the CPU)");
  command->add_option("--env ENV", request.environment,
                      "a preset, name=value,..., or a file (default: the device's own)");
  command->add_flag("--show", options->show, "print the machine instruction of each access, fence and barrier");
  command->add_flag("--json", options->json, "print an array of verdicts");
  command->footer(
      "Verdicts: matched; changed, with what and where; unknown, with the reason.\n"
      "Exit codes: 1 some code was changed, 2 bad usage or input, 3 the device failed.\n\n"
      "Examples:\n  weakspot optcheck MP --device cpu --show\n"
      "  weakspot optcheck conformance --device cuda:0");
  command->callback([options, &exit_code] { exit_code = options->run(); });
}

}  // namespace weakspot::cli
