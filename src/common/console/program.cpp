// SPDX-License-Identifier: MIT
#include "console/program.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>

#include "base/build_info.h"
#include "base/invocation.h"
#include "base/names.h"
#include "base/nearest.h"
#include "console/help.h"
#include "console/output.h"

namespace weakspot::console {
namespace {

std::vector<std::string> after_dashes;

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// The options of a command and of the commands above it.
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
const CLI::App& command_of(const CLI::App& app, const std::vector<std::string>& arguments, bool past_options = false) {
  const CLI::App* command = &app;
  for (const std::string& argument : arguments) {
    if (!past_options && argument.starts_with("-")) break;
    const auto inner = command->get_subcommands([&](const CLI::App* one) { return one->check_name(argument); });
    if (inner.empty() && !past_options) break;
    if (!inner.empty()) command = inner.front();
  }
  return *command;
}

// The arguments without those that the command's taker takes. Options of the command are not offered, also if they are
// written with one dash too few: '-launch' is a mistake, not nvcc's '-l aunch'.
std::vector<std::string> without_taken(const CLI::App& app, const std::vector<std::string>& arguments) {
  const CLI::App& command = command_of(app, arguments, true);
  const TakenWords* taken = taken_words_of(command);
  if (taken == nullptr || !taken->taker) return arguments;
  std::vector<std::string> own = option_names(command), kept;
  std::erase_if(own, [&](const std::string& name) { return holds(taken->options, name); });
  for (std::size_t i = 0; i < arguments.size();) {
    const std::string name = arguments[i].substr(0, arguments[i].find('='));
    const bool is_own = holds(own, name) || (name.size() > 2 && holds(own, "-" + name));
    const std::size_t count = is_own ? 0 : taken->taker(arguments, i);
    if (count == 0) kept.push_back(arguments[i]);
    i += std::max<std::size_t>(count, 1);
  }
  return kept;
}

// The option that the command does not have, if there is one: the reason for whatever else is wrong.
std::string unknown_option(const CLI::App& command, const std::vector<std::string>& arguments) {
  const std::vector<std::string> known = option_names(command);
  for (const std::string& argument : arguments) {
    if (argument == "--") break;
    const std::string name = argument.substr(0, argument.find('='));
    const bool lacks_dash = name.size() > 2 && holds(known, "-" + name);
    if (!lacks_dash && (!name.starts_with("--") || holds(known, name))) continue;
    return fmt::format("'{}' has no option '{}'{}", full_name_of(command), name, base::did_you_mean(name, known));
  }
  return {};
}

// A command that has commands of its own got none, or a word that is not one.
std::string missing_command(const CLI::App& command, const std::vector<std::string>& arguments) {
  std::size_t depth = 0;
  for (const CLI::App* app = command.get_parent(); app != nullptr; app = app->get_parent()) ++depth;
  if (depth >= arguments.size() || arguments[depth].starts_with("-")) return "a command is required";
  return fmt::format("'{}' has no command '{}'{}", full_name_of(command), arguments[depth],
                     base::did_you_mean(arguments[depth], command_names(command)));
}

// The option that is given too often, or last and without its value; empty if there is none.
std::string miscounted_option(const CLI::App& command, const std::vector<std::string>& arguments) {
  for (const CLI::App* app = &command; app != nullptr; app = app->get_parent()) {
    for (const CLI::Option* option : app->get_options()) {
      const int most = option->get_items_expected_max(), least = option->get_items_expected_min();
      const int values = static_cast<int>(option->results().size());
      if (most == 1 && values > 1) return option->get_name() + " may be given only once";
      if (most > 0 && values > most) return fmt::format("{} takes at most {} values", option->get_name(), most);
      const bool is_last = !arguments.empty() && option->check_name(arguments.back());
      if (is_last && least > 0) return option->get_name() + " needs a value";
    }
  }
  return {};
}

int misused_by(const CLI::App& app, const std::vector<std::string>& arguments, const CLI::ParseError& error) {
  const CLI::App& command = command_of(app, arguments);
  std::string message = unknown_option(command, arguments);
  if (message.empty() && dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    message = miscounted_option(command, arguments);
  }
  if (message.empty()) message = error.what();
  if (message.starts_with("The following argument")) {
    const std::string extra = message.substr(message.find(": ") + 2);
    message = fmt::format("unexpected argument '{}'{}", extra, base::did_you_mean(extra, command_names(command)));
  }
  if (message == "A subcommand is required") message = missing_command(command, arguments);
  return misused(message, full_name_of(command) + " --help");
}

std::optional<ColourChoice> colour_named(std::string_view word) {
  static constexpr base::Named<ColourChoice> kWords[] = {
      {"auto", ColourChoice::automatic}, {"always", ColourChoice::always}, {"never", ColourChoice::never}};
  return base::value_of(kWords, word);
}

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

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App* one) { return !one->get_group().empty(); })) {
    names.push_back(command->get_name());
  }
  return names;
}

std::string version_of(const std::string& program) {
  if (std::string_view(base::kRevision).empty()) return fmt::format("{} {}", program, base::kVersion);
  return fmt::format("{} {} ({})", program, base::kVersion, base::kRevision);
}

std::string now_text() {
  const char* fixed = std::getenv("SOURCE_DATE_EPOCH");
  const std::time_t now = fixed != nullptr && *fixed != '\0' ? std::strtoll(fixed, nullptr, 10) : std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

void begin_program(CLI::App& app, const std::vector<std::string>& arguments) {
  std::vector<std::string> words = {app.get_name()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  base::set_invocation({version_of(app.get_name()), now_text(), base::command_text(words)});
  if (wants_json_errors(arguments)) choose_json_errors();
  app.set_version_flag("-V,--version", version_of(app.get_name()), "show the version");
  app.formatter(help_formatter(output_width()));
  app.set_help_flag("-h,--help", "show this help");
  app.add_option_function<std::string>(
         "--color", [](const std::string& word) { choose_colour(*colour_named(word)); },
         "colours: auto, always or never (default auto: on a terminal, "
         "unless NO_COLOR is set or TERM is dumb)")
      ->option_text("WHEN")
      ->check(CLI::Validator(
          [](std::string& word) {
            return colour_named(word) ? ""
                                      : fmt::format("'{}' is not auto, always or never{}", word,
                                                    base::did_you_mean(word, {"auto", "always", "never"}));
          },
          ""));
  app.add_option_function<std::string>(
         "--errors", [](const std::string&) {}, "errors as text, or as json: a line each (default text)")
      ->option_text("FORM")
      ->check(CLI::Validator(
          [](std::string& word) {
            return word == "text" || word == "json"
                       ? ""
                       : fmt::format("'{}' is not text or json{}", word, base::did_you_mean(word, {"text", "json"}));
          },
          ""));
}

int misused(const std::string& message, const std::string& advice) {
  print_errors({base::error(message)});
  if (!has_json_errors()) print_error(fmt::format("see '{}'\n", advice));
  return kBadInput;
}

void split_at_dashes(std::vector<std::string>& arguments) {
  const auto dashes = std::find(arguments.begin(), arguments.end(), "--");
  if (dashes == arguments.end()) return;
  after_dashes.assign(dashes + 1, arguments.end());
  arguments.erase(dashes, arguments.end());
}

const std::vector<std::string>& words_after_dashes() { return after_dashes; }

std::optional<int> parse(CLI::App& app, const std::vector<std::string>& arguments) {
  try {
    const std::vector<std::string> words = without_taken(app, arguments);
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));  // CLI11 takes them from the back
  } catch (const CLI::Success& wish) {
    return app.exit(wish);
  } catch (const CLI::ParseError& error) {
    return misused_by(app, arguments, error);
  } catch (const std::exception& error) {
    // Errors of the world are values here: this is exhausted memory, or a mistake of ours.
    print_error(fmt::format("error: this should not have happened: {}\n", one_line(error.what())));
    return kDeviceFailed;
  }
  return std::nullopt;
}

int end_program(int exit_code) {
  // A write before this flush may have failed: then only the flag says so, and the reason is lost.
  errno = 0;
  if ((std::fflush(stdout) != 0 || std::ferror(stdout) != 0) && exit_code == 0) {
    const char* reason = errno != 0 ? std::strerror(errno) : "part of it was lost";
    std::fprintf(stderr, "error: cannot write the output: %s\n", reason);
    return kDeviceFailed;
  }
  return exit_code;
}

int run_program(const std::string& name, const std::string& summary, int argc, char** argv,
                const std::function<void(Command& program, int& exit_code)>& add) {
  std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
  int exit_code = kFine;
  CLI::App app(summary, name);
  begin_program(app, arguments);
  Command program(app);
  add(program, exit_code);
  split_at_dashes(arguments);
  return end_program(parse(app, arguments).value_or(exit_code));
}

}  // namespace weakspot::console
