// SPDX-License-Identifier: MIT
#include "console/help.h"

#include <CLI/CLI.hpp>
#include <string_view>

#include "console/fold.h"

namespace weakspot::console {
namespace {

constexpr std::size_t kTermWidth = 22;  // width of the first column in the list of options

// The same in the list of commands.
std::size_t command_width(const CLI::App& app) {
  std::size_t width = 11;
  for (const CLI::App* one : app.get_subcommands([](const CLI::App* shown) { return !shown->get_group().empty(); })) {
    width = std::max(width, one->get_name().size() + 3);
  }
  return width;
}

class HelpFormatter final : public CLI::Formatter {
 public:
  explicit HelpFormatter(std::size_t width) : width_(width) {
    label("Positionals", "Arguments");
    label("SUBCOMMAND", "COMMAND");
  }
  std::string make_option(const CLI::Option* option, bool is_positional) const override {
    const std::string& value = option->get_option_text();
    const std::string name = make_option_name(option, is_positional);
    return help_entry(value.empty() ? name : name + " " + value, make_option_desc(option), kTermWidth, width_);
  }
  std::string make_subcommand(const CLI::App* command) const override {
    return help_entry(command->get_name(), command->get_description(), command_width(*command->get_parent()), width_);
  }
  // Groups follow each other without an empty line.
  std::string make_subcommands(const CLI::App* app, CLI::AppFormatMode mode) const override {
    std::string text = CLI::Formatter::make_subcommands(app, mode);
    for (std::size_t i = text.find("\n\n", 1); i != std::string::npos; i = text.find("\n\n", i)) text.erase(i, 1);
    return text;
  }
  std::string make_description(const CLI::App* app) const override {
    return help_paragraphs(CLI::Formatter::make_description(app), width_);
  }
  std::string make_footer(const CLI::App* app) const override {
    return help_paragraphs(CLI::Formatter::make_footer(app), width_);
  }

 private:
  std::size_t width_;
};

// The end of what stands on one line: a word, or a short remark such as "(default 5)".
std::size_t end_of_word(std::string_view text) {
  constexpr std::size_t kLongestRemark = 40;
  const std::size_t close = text.starts_with("(default") ? text.find(')') : 0;
  return std::min(text.find_first_of(" \n", close < kLongestRemark ? close : 0), text.size());
}

}  // namespace

std::shared_ptr<CLI::FormatterBase> help_formatter(std::size_t width) {
  return std::make_shared<HelpFormatter>(std::min<std::size_t>(width, 80));
}

std::string help_paragraphs(const std::string& text, std::size_t width) {
  std::string all, paragraph;
  bool fits = true;
  auto end_paragraph = [&] {
    if (!fits) std::replace(paragraph.begin(), paragraph.end(), '\n', ' ');
    if (!paragraph.empty()) all += fits ? paragraph + "\n" : help_entry("", paragraph, 0, width);
    paragraph.clear();
    fits = true;
  };
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string line(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.empty() || line.starts_with(' ')) {
      end_paragraph();
      all += folded(line, width) + "\n";
      continue;
    }
    paragraph += (paragraph.empty() ? "" : "\n") + line;
    fits = fits && line.size() <= width;
  }
  end_paragraph();
  return all;
}

std::string help_entry(const std::string& term, const std::string& text, std::size_t term_width, std::size_t width) {
  const std::string indent(term_width, ' ');
  std::string all, line = term_width == 0 ? std::string() : "  " + term;
  auto end_line = [&](std::string next) {
    line.erase(line.find_last_not_of(' ') + 1);
    all += line + "\n";
    line = std::move(next);
  };
  if (line.size() < term_width || term_width == 0) {
    line.resize(term_width, ' ');
  } else {
    end_line(indent);
  }
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t end = end_of_word(rest);
    const std::string_view word = rest.substr(0, end);
    const bool is_first = line.size() == term_width;
    if (!is_first && line.size() + 1 + word.size() > width) {
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

}  // namespace weakspot::console
