// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>

#include "base/build_info.h"
#include "base/names.h"
#include "base/nearest.h"
#include "cli/commands.h"
#include "cli/complete.h"
#include "cli/help.h"
#include "cli/manual.h"

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

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App* one) { return !one->get_group().empty(); })) {
    names.push_back(command->get_name());
  }
  return names;
}

// Those of a command and of the program.
std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::App* app = &command; app != nullptr; app = app->get_parent()) {
    for (const CLI::Option* option : app->get_options()) {
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
      for (const std::string& name : option->get_snames()) names.push_back("-" + name);
    }
  }
  return names;
}

// The command that the arguments name: 'models compare' within 'models'.
const CLI::App& command_of(const CLI::App& app, const std::vector<std::string>& arguments) {
  const CLI::App* command = &app;
  for (const std::string& argument : arguments) {
    if (argument.starts_with("-")) break;
    const auto inner = command->get_subcommands([&](const CLI::App* one) { return one->check_name(argument); });
    if (inner.empty()) break;
    command = inner.front();
  }
  return *command;
}

std::string full_name(const CLI::App& command) {
  return command.get_parent() == nullptr ? command.get_name()
                                         : full_name(*command.get_parent()) + " " + command.get_name();
}

int misused(const std::string& message, const std::string& advice) {
  print_errors({base::error(message)});
  if (!has_json_errors()) print_error(fmt::format("see '{}'\n", advice));
  return kBadInput;
}

// The option that the command does not have, if there is one: the reason for whatever else is wrong.
std::string unknown_option(const CLI::App& command, const std::vector<std::string>& arguments) {
  const std::vector<std::string> known = option_names(command);
  for (const std::string& argument : arguments) {
    if (argument == "--") break;
    const std::string name = argument.substr(0, argument.find('='));
    if (!name.starts_with("--") || std::find(known.begin(), known.end(), name) != known.end()) continue;
    return fmt::format("'{}' has no option '{}'{}", full_name(command), name, base::did_you_mean(name, known));
  }
  return {};
}

int misused(const CLI::App& app, const std::vector<std::string>& arguments, const CLI::ParseError& error) {
  const CLI::App& command = command_of(app, arguments);
  std::string message = unknown_option(command, arguments);
  if (message.empty()) message = error.what();
  if (message.starts_with("The following argument")) {
    const std::string extra = message.substr(message.find(": ") + 2);
    message = fmt::format("unexpected argument '{}'{}", extra, base::did_you_mean(extra, command_names(command)));
  }
  if (message == "A subcommand is required") message = "a command is required";
  return misused(message, full_name(command) + " --help");
}

std::optional<ColourChoice> colour_named(std::string_view word) {
  static constexpr base::Named<ColourChoice> kWords[] = {
      {"auto", ColourChoice::automatic}, {"always", ColourChoice::always}, {"never", ColourChoice::never}};
  return base::value_of(kWords, word);
}

// Asked before anything is parsed: what is wrong with the words themselves is an error as well.
bool wants_json_errors(const std::vector<std::string>& arguments) {
  for (std::size_t i = 0; i < arguments.size() && arguments[i] != "--"; ++i) {
    if (arguments[i] == "--errors=json") return true;
    if (arguments[i] == "--errors" && i + 1 < arguments.size() && arguments[i + 1] == "json") return true;
  }
  return false;
}

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

}  // namespace

int run(int argc, char** argv) {
  int exit_code = kFine;
  std::string errors = "text";
  CLI::App app(
      "Finds the weak spots of GPU memory: reads litmus tests, judges them by models,\n"
      "generates them, and runs them on devices.",
      "weakspot");
  app.set_version_flag("--version", version(), "show the version");
  app.formatter(help_formatter(output_width()));
  app.fallthrough();  // options of the program may follow the command
  app.set_help_flag("-h,--help", "show this help");
  app.require_subcommand(1);
  app.add_option_function<std::string>(
         "--color", [](const std::string& word) { choose_colour(*colour_named(word)); },
         "colours in text for people: auto, always or never (default auto: on a "
         "terminal, unless NO_COLOR is set or TERM is dumb)")
      ->option_text("WHEN")
      ->check(CLI::Validator(
          [](std::string& word) {
            return colour_named(word) ? ""
                                      : fmt::format("'{}' is not auto, always or never{}", word,
                                                    base::did_you_mean(word, {"auto", "always", "never"}));
          },
          ""));
  app.add_option("--errors", errors, "errors on standard error: text, or json for a line of JSON each (default text)")
      ->option_text("FORM")
      ->check(CLI::Validator(
          [](std::string& word) {
            return word == "text" || word == "json"
                       ? ""
                       : fmt::format("'{}' is not text or json{}", word, base::did_you_mean(word, {"text", "json"}));
          },
          ""));
  app.footer(kFooter);
  Command commands(app);
  add_list(commands, exit_code);
  add_show(commands, exit_code);
  add_convert(commands, exit_code);
  add_check(commands, exit_code);
  add_fences(commands, exit_code);
  add_models(commands, exit_code);
  add_gen(commands, exit_code);
  add_mutate(commands, exit_code);
  add_suite(commands, exit_code);
  add_compile_check(commands, exit_code);
  add_run(commands, exit_code);
  add_devices(commands, exit_code);
  add_tune(commands, exit_code);
  add_score(commands, exit_code);
  add_conform(commands, exit_code);
  add_assumptions(commands, exit_code);
  add_locks(commands, exit_code);
  add_replay(commands, exit_code);
  add_report(commands, exit_code);
  add_compare(commands, exit_code);
  add_analyze(commands, exit_code);
  add_store(commands, exit_code);
  add_emit(commands, exit_code);
  add_optcheck(commands, exit_code);
  add_page(commands, exit_code);
  add_mcp(commands, exit_code);
  add_serve(commands, exit_code);
  add_campaign(commands, exit_code);
  add_agent(commands, exit_code);
  add_launch(commands, exit_code);
  add_lsp(commands, exit_code);
  add_schema(commands, exit_code);
  add_worker(commands, exit_code);
  add_lock_worker(commands, exit_code);
  add_race(commands, exit_code);
  std::string shell, share;
  CLI::App* completion = app.add_subcommand("completion", "Print a script that completes commands in a shell");
  completion->group("Commands");
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
    const base::Status written = write_manual(app, version(), share);
    if (!written) exit_code = fail(written.errors());
  });
  app.add_subcommand("help", "Show this help, or that of a command")->group("Commands");

  std::vector<std::string> arguments(argv + 1, argv + argc);
  if (wants_json_errors(arguments)) choose_json_errors();
  if (!arguments.empty() && arguments[0] == "complete") {  // asked by shells; the words are not ours to parse
    const bool dashes = arguments.size() > 1 && arguments[1] == "--";
    print_output(to_text(completions(app, {arguments.begin() + (dashes ? 2 : 1), arguments.end()}, program_names())));
    return kFine;
  }
  if (!arguments.empty() && arguments[0] == "help") {
    arguments.erase(arguments.begin());
    arguments.emplace_back("--help");
  }
  if (!arguments.empty() && !arguments[0].starts_with("-") && !has_command(app, arguments[0])) {
    return misused(
        fmt::format("there is no command '{}'{}", arguments[0], base::did_you_mean(arguments[0], command_names(app))),
        "weakspot help");
  }
  const auto dashes = std::find(arguments.begin(), arguments.end(), "--");
  if (dashes != arguments.end() && arguments[0] == "race") {
    set_words_after_dashes({dashes + 1, arguments.end()});
    arguments.erase(dashes, arguments.end());
  }
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));  // CLI11 takes them from the back
  } catch (const CLI::Success& wish) {
    return app.exit(wish);
  } catch (const CLI::ParseError& error) {
    return misused(app, arguments, error);
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
