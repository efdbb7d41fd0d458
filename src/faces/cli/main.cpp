// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/nearest.h"
#include "cli/command/commands.h"
#include "cli/help/complete.h"
#include "cli/help/manual.h"
#include "console/program.h"

namespace weakspot::cli {
namespace {

constexpr const char* kFaces = "Faces, for browsers, editors, scripts and shells";
constexpr const char* kFooter =
    "'weakspot COMMAND --help' shows the options of a command. Exit codes: 0 fine,\n"
    "1 a violation or finding, 2 bad usage or input, 3 a failed device or machine.\n\n"
    "Examples:\n"
    "  weakspot race kernel.cu           find the races of a CUDA program\n"
    "  weakspot run MP SB --device cpu   run two tests and judge the outcomes";

// The help, the manual and completion show the commands in this order.
void add_commands(Command& app, int& exit_code) {
  const struct {
    const char* title;
    std::vector<void (*)(Command&, int&)> commands;
  } wings[] = {
      {"Race, CUDA programs on the CPU", {add_race, add_prove, add_capture, add_confirm, add_confirm_worker}},
      {"Judge, what memory models allow",
       {add_list, add_show, add_convert, add_check, add_fences, add_models, add_gen, add_mutate, add_suite}},
      {"Run, tests on devices",
       {add_run, add_devices, add_conform, add_tune, add_score, add_assumptions, add_locks, add_replay, add_emit,
        add_optcheck, add_campaign, add_agent, add_launch, add_worker, add_lock_worker}},
      {"Compile, what compilers make of tests", {add_compile_check}},
      {"Results, what was recorded", {add_report, add_compare, add_analyze, add_store}},
      {kFaces, {add_page, add_serve, add_lsp, add_mcp, add_schema}},
  };
  for (const auto& wing : wings) {
    app.open_group(wing.title);
    for (const auto add : wing.commands) add(app, exit_code);
  }
}

bool has_command(const CLI::App& app, const std::string& name) {
  const std::vector<const CLI::App*> commands = app.get_subcommands([](const CLI::App*) { return true; });
  return std::any_of(commands.begin(), commands.end(),
                     [&](const CLI::App* command) { return command->check_name(name); });
}

}  // namespace

int run(int argc, char** argv) {
  int exit_code = kFine;
  std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
  CLI::App app(
      "Finds races in CUDA programs and weak spots of GPU memory: judges litmus tests\n"
      "by memory models, generates them, and runs them on devices",
      "weakspot");
  begin_program(app, arguments);
  app.fallthrough();  // options of the program may follow the command
  app.require_subcommand(1);
  app.footer(kFooter);
  Command commands(app);
  add_commands(commands, exit_code);
  std::string shell, share;
  CLI::App* completion = app.add_subcommand("completion", "Print a script that completes commands in a shell");
  completion->group(kFaces);
  completion->add_option("SHELL", shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::Validator(
          [](std::string& word) {
            return completion_script(word).empty() ? fmt::format("'{}' is not bash, zsh or fish{}", word,
                                                                 base::did_you_mean(word, {"bash", "zsh", "fish"}))
                                                   : std::string();
          },
          ""));
  completion->footer(
      "'cmake --install' puts the scripts where the shells look for them.\n\nExamples:\n"
      "  source <(weakspot completion bash)\n"
      "  weakspot completion fish > ~/.config/fish/completions/weakspot.fish");
  completion->callback([&] { print_output(completion_script(shell)); });
  CLI::App* manual = app.add_subcommand("manual", "Write the manual pages and completion scripts below a folder");
  manual->group("");
  manual->add_option("FOLDER", share, "where an installation has its share/ folder")->required();
  manual->callback([&] {
    const base::Status written = write_manual(app, version_of("weakspot"), share);
    if (!written) exit_code = fail(written.errors());
  });
  app.add_subcommand("version", "Show the version")->group(kFaces)->callback([] {
    print_output(version_of("weakspot") + "\n");
  });
  app.add_subcommand("help", "Show this help, or that of a command")->group(kFaces);

  if (!arguments.empty() && arguments[0] == "complete") {  // asked by shells; the words are not ours to parse
    const bool dashes = arguments.size() > 1 && arguments[1] == "--";
    print_output(to_text(completions(app, {arguments.begin() + (dashes ? 2 : 1), arguments.end()}, program_names())));
    return kFine;
  }
  if (arguments.empty()) arguments.emplace_back("help");
  if (arguments[0] == "help") {
    arguments.erase(arguments.begin());
    arguments.emplace_back("--help");
  }
  if (!arguments[0].starts_with("-") && !has_command(app, arguments[0])) {
    return misused(
        fmt::format("there is no command '{}'{}", arguments[0], base::did_you_mean(arguments[0], command_names(app))),
        "weakspot help");
  }
  if (!arguments.empty() && (arguments[0] == "race" || arguments[0] == "capture")) split_at_dashes(arguments);
  return parse(app, arguments).value_or(exit_code);
}

}  // namespace weakspot::cli

int main(int argc, char** argv) { return weakspot::console::end_program(weakspot::cli::run(argc, argv)); }
