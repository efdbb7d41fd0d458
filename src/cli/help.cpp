#include "cli/help.h"

#include <CLI/CLI.hpp>
#include <string_view>

namespace weakspot::cli {
namespace {

constexpr std::size_t kHelpWidth = 80;
constexpr std::size_t kTermWidth = 22;  // with the indent before it and a blank behind it

class HelpFormatter final : public CLI::Formatter {
 public:
  HelpFormatter() {
    label("Positionals", "Arguments");
    label("SUBCOMMAND", "COMMAND");
  }
  std::string make_option(const CLI::Option* option, bool is_positional) const override {
    return help_entry(make_option_name(option, is_positional) + make_option_opts(option), make_option_desc(option));
  }
  std::string make_subcommand(const CLI::App* command) const override {
    return help_entry(command->get_name(), command->get_description());
  }
};

}  // namespace

std::shared_ptr<CLI::FormatterBase> help_formatter() { return std::make_shared<HelpFormatter>(); }

std::string help_entry(const std::string& term, const std::string& text) {
  const std::string indent(kTermWidth, ' ');
  std::string all, line = "  " + term;
  auto end_line = [&](std::string next) {
    line.erase(line.find_last_not_of(' ') + 1);
    all += line + "\n";
    line = std::move(next);
  };
  if (line.size() < kTermWidth) {
    line.resize(kTermWidth, ' ');
  } else {
    end_line(indent);
  }
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find_first_of(" \n"), rest.size());
    const std::string_view word = rest.substr(0, end);
    const bool is_first = line.size() == kTermWidth;
    if (!is_first && line.size() + 1 + word.size() > kHelpWidth) {
      end_line(indent);
    } else if (!is_first) {
      line += ' ';
    }
    line += word;
    if (end < rest.size() && rest[end] == '\n') end_line(indent);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  end_line({});
  return all;
}

}  // namespace weakspot::cli
