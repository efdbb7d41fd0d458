// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>

#include "base/build_info.h"
#include "cli/commands.h"
#include "cli/help.h"

namespace weakspot::cli {
namespace {

std::string version() {
  if (std::string_view(base::kRevision).empty()) return fmt::format("weakspot {}", base::kVersion);
  return fmt::format("weakspot {} ({})", base::kVersion, base::kRevision);
}

constexpr const char* kFooter =
    "'weakspot COMMAND --help' shows the options of a command. Exit codes: 0 fine,\n"
    "1 a violation or finding, 2 bad usage or input, 3 a failed device or machine.\n\n"
    "Examples:\n"
    "  weakspot show MP                  draw a test of the corpus\n"
    "  weakspot run MP SB --device cpu   run two of them and judge the outcomes";

bool has_command(const CLI::App& app, const std::string& name) {
  const std::vector<const CLI::App*> commands = app.get_subcommands([](const CLI::App*) { return true; });
  return std::any_of(commands.begin(), commands.end(),
                     [&](const CLI::App* command) { return command->check_name(name); });
}

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

}  // namespace

int run(int argc, char** argv) {
  int exit_code = kFine;
  CLI::App app(
      "Finds the weak spots of GPU memory: reads litmus tests, judges them by models,\n"
      "generates them, and runs them on devices.",
      "weakspot");
  app.set_version_flag("--version", version(), "show the version");
  app.formatter(help_formatter());
  app.set_help_flag("-h,--help", "show this help");
  app.require_subcommand(1);
  app.failure_message([](const CLI::App* failed, const CLI::Error& error) {
    const std::string command = failed->get_parent() == nullptr ? "" : failed->get_name() + " ";
    return fmt::format("error: {}\nsee 'weakspot {}--help'\n", error.what(), command);
  });
  app.footer(kFooter);
  Command commands(app);
  add_show(commands, exit_code);
  add_convert(commands, exit_code);
  add_check(commands, exit_code);
  add_models(commands, exit_code);
  add_gen(commands, exit_code);
  add_mutate(commands, exit_code);
  add_suite(commands, exit_code);
  add_run(commands, exit_code);
  add_devices(commands, exit_code);
  add_tune(commands, exit_code);
  add_score(commands, exit_code);
  add_conform(commands, exit_code);
  add_replay(commands, exit_code);
  add_report(commands, exit_code);
  add_compare(commands, exit_code);
  add_analyze(commands, exit_code);
  add_emit(commands, exit_code);
  add_worker(commands, exit_code);
  add_race(commands, exit_code);
  app.add_subcommand("help", "Show this help, or that of a command")->group("Commands");

  std::vector<std::string> arguments(argv + 1, argv + argc);
  if (!arguments.empty() && arguments[0] == "help") {
    arguments.erase(arguments.begin());
    arguments.emplace_back("--help");
  }
  if (!arguments.empty() && !arguments[0].starts_with("-") && !has_command(app, arguments[0])) {
    print_error(fmt::format("error: there is no command '{}'\nsee 'weakspot help'\n", arguments[0]));
    return kBadInput;
  }
  try {
    std::reverse(arguments.begin(), arguments.end());  // CLI11 takes them from the back
    app.parse(arguments);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kFine : kBadInput;
  } catch (const std::exception& error) {
    // Errors of the world are values here: this is exhausted memory, or a mistake of ours.
    print_error(fmt::format("error: this should not have happened: {}\n", one_line(error.what())));
    return kDeviceFailed;
  }
  return exit_code;
}

}  // namespace weakspot::cli

int main(int argc, char** argv) {
  const int exit_code = weakspot::cli::run(argc, argv);
  // A full disk must not look like success. A write before this flush may have failed: then only the flag says so, and
  // the reason is lost.
  errno = 0;
  if ((std::fflush(stdout) != 0 || std::ferror(stdout) != 0) && exit_code == 0) {
    const char* reason = errno != 0 ? std::strerror(errno) : "part of it was lost";
    std::fprintf(stderr, "error: cannot write the output: %s\n", reason);
    return weakspot::cli::kDeviceFailed;
  }
  return exit_code;
}
