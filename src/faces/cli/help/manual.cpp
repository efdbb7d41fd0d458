// SPDX-License-Identifier: MIT
#include "cli/help/manual.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string_view>

#include "base/file.h"
#include "cli/help/complete.h"

namespace weakspot::cli {
namespace {

// Text in the language of man: backslashes, hyphens, and lines that begin like a request are protected.
std::string roff(std::string_view text) {
  std::string result;
  bool at_line_begin = true;
  for (const char c : text) {
    if (at_line_begin && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      result += c;
    }
    at_line_begin = c == '\n';
  }
  return result;
}

std::string page_name(const CLI::App& command) {
  return command.get_parent() == nullptr ? command.get_name()
                                         : page_name(*command.get_parent()) + "-" + command.get_name();
}

std::string spoken_name(const CLI::App& command) {
  return command.get_parent() == nullptr ? command.get_name()
                                         : spoken_name(*command.get_parent()) + " " + command.get_name();
}

std::string lower_first(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  if (text.size() > 1 && std::islower(static_cast<unsigned char>(text[1])) != 0) {
    text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  }
  return text;
}

std::vector<const CLI::App*> shown_commands(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* one) {
    return !one->get_group().empty() && one->get_name() != "help" && one->get_name() != "version";
  });
}

std::vector<const CLI::Option*> options_of(const CLI::App& command, bool positional) {
  return command.get_options(
      [=](const CLI::Option* one) { return one->get_positional() == positional && !one->get_group().empty(); });
}

std::string entry(const std::string& term, const std::string& value, const std::string& text) {
  std::string page = fmt::format(".TP\n\\fB{}\\fR", roff(term));
  if (!value.empty()) page += fmt::format(" \\fI{}\\fR", roff(value));
  page += "\n";
  std::string_view rest = text;
  for (bool first = true; !rest.empty(); first = false) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    page += (first ? "" : ".br\n") + roff(rest.substr(0, end)) + "\n";
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return page;
}

std::string synopsis(const CLI::App& command) {
  std::string text = fmt::format(".SH SYNOPSIS\n\\fB{}\\fR [\\fIOPTIONS\\fR]", roff(spoken_name(command)));
  for (const CLI::Option* option : options_of(command, true)) {
    const std::string name = option->get_name(true) + (option->get_items_expected_max() > 1 ? " ..." : "");
    const std::string shown = fmt::format("\\fI{}\\fR", roff(name));
    text += option->get_required() ? " " + shown : " [" + shown + "]";
  }
  if (!shown_commands(command).empty()) {
    text += command.get_require_subcommand_min() > 0 ? " \\fICOMMAND\\fR" : " [\\fICOMMAND\\fR]";
  }
  return text + "\n";
}

// The prose of a footer, and its examples.
std::string footer_sections(const std::string& footer) {
  constexpr std::string_view kHead = "Examples:\n";
  const std::size_t at = footer.find(kHead);
  std::string prose = footer.substr(0, at), page;
  while (prose.ends_with('\n')) prose.pop_back();
  if (!prose.empty()) page += ".SH NOTES\n" + roff(prose) + "\n";
  if (at != std::string::npos) page += ".SH EXAMPLES\n.nf\n" + roff(footer.substr(at + kHead.size())) + "\n.fi\n";
  return page;
}

std::string page_of(const CLI::App& command, const std::string& version) {
  std::string name = page_name(command), title = name;
  std::transform(title.begin(), title.end(), title.begin(), [](unsigned char c) { return std::toupper(c); });
  std::string page = fmt::format(".TH {} 1 \"\" \"{}\" \"Weakspot\"\n.SH NAME\n{} \\- {}\n", roff(title), roff(version),
                                 roff(name), roff(lower_first(command.get_description())));
  page += synopsis(command) + ".SH DESCRIPTION\n" + roff(command.get_description()) + ".\n";
  if (const auto arguments = options_of(command, true); !arguments.empty()) {
    page += ".SH ARGUMENTS\n";
    for (const CLI::Option* one : arguments) page += entry(one->get_name(true), "", one->get_description());
  }
  page += ".SH OPTIONS\n";
  for (const CLI::Option* one : options_of(command, false)) {
    std::string names = one->get_name(false, true);
    for (std::size_t i = names.find(','); i != std::string::npos; i = names.find(',', i + 2)) names.insert(i + 1, " ");
    page += entry(names, one->get_option_text(), one->get_description());
  }
  std::string related;
  if (const auto inner = shown_commands(command); !inner.empty()) {
    page += ".SH COMMANDS\n";
    std::string group = "Commands";
    for (const CLI::App* one : inner) {
      if (one->get_group() != group) page += fmt::format(".SS {}\n", roff(group = one->get_group()));
      page += entry(one->get_name(), "", one->get_description());
      related += fmt::format("{}\\fB{}\\fR(1)", related.empty() ? "" : ",\n", roff(page_name(*one)));
    }
  }
  if (command.get_parent() != nullptr) {
    page += fmt::format("The options of \\fB{}\\fR(1) may follow as well.\n", roff(page_name(*command.get_parent())));
    related =
        fmt::format("\\fB{}\\fR(1){}", roff(page_name(*command.get_parent())), related.empty() ? "" : ",\n" + related);
  }
  page += footer_sections(command.get_footer());
  return page + ".SH SEE ALSO\n" + related + "\n";
}

void add_pages(const CLI::App& command, const std::string& version, std::vector<ManualPage>& pages) {
  pages.push_back({page_name(command), page_of(command, version)});
  for (const CLI::App* inner : shown_commands(command)) add_pages(*inner, version, pages);
}

base::Status write_below(const std::filesystem::path& path, const std::string& text) {
  std::error_code code;
  std::filesystem::create_directories(path.parent_path(), code);
  return base::write_file(path.string(), text);
}

}  // namespace

std::vector<ManualPage> manual_pages(const CLI::App& app, const std::string& version) {
  std::vector<ManualPage> pages;
  add_pages(app, version, pages);
  return pages;
}

base::Status write_manual(const CLI::App& app, const std::string& version, const std::string& folder) {
  const std::filesystem::path share = folder;
  for (const ManualPage& page : manual_pages(app, version)) {
    if (base::Status written = write_below(share / "man" / "man1" / (page.name + ".1"), page.text); !written)
      return written;
  }
  const std::pair<const char*, std::filesystem::path> scripts[] = {
      {"bash", share / "bash-completion" / "completions" / "weakspot"},
      {"zsh", share / "zsh" / "site-functions" / "_weakspot"},
      {"fish", share / "fish" / "vendor_completions.d" / "weakspot.fish"}};
  for (const auto& [shell, path] : scripts) {
    if (base::Status written = write_below(path, completion_script(shell)); !written) return written;
  }
  return base::ok_status();
}

}  // namespace weakspot::cli
