// SPDX-License-Identifier: MIT
#include "race/compile_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/json.h"

namespace weakspot::race {
namespace {

namespace fs = std::filesystem;
fs::path absolute(const fs::path& folder, const std::string& path) {
  return (fs::path(path).is_absolute() ? fs::path(path) : fs::absolute(folder) / path).lexically_normal();
}

// A flag whose value may stand in the same word or in the next.
struct Flag {
  std::string_view spelling;
  std::string_view written;  // as clang wants it
  bool is_path;
};
constexpr Flag kFlags[] = {
    {"-isystem=", "-isystem", true},
    {"-isystem", "-isystem", true},
    {"-include", "-include", false},
    {"-I", "-I", true},
    {"-D", "-D", false},
    {"-U", "-U", false},
};

std::vector<std::string> useful_flags(const std::vector<std::string>& words, const fs::path& folder) {
  std::vector<std::string> flags;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word.starts_with("-std=") || word.starts_with("--std=")) {
      flags.push_back(word.starts_with("--") ? word.substr(1) : word);
      continue;
    }
    for (const Flag& flag : kFlags) {
      if (!word.starts_with(flag.spelling)) continue;
      std::string value = word.substr(flag.spelling.size());
      if (value.empty() && i + 1 < words.size()) value = words[++i];
      if (flag.is_path) value = absolute(folder, value).string();
      if (flag.written.size() == 2) {
        flags.push_back(std::string(flag.written) + value);
      } else {
        flags.insert(flags.end(), {std::string(flag.written), value});
      }
      break;
    }
  }
  return flags;
}

}  // namespace

std::vector<std::string> split_command(std::string_view command) {
  std::vector<std::string> words;
  std::string word;
  bool inside = false;
  char quote = 0;
  for (std::size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    if (c == '\\' && quote != '\'' && i + 1 < command.size()) {
      word += command[++i];
      inside = true;
    } else if (quote != 0) {
      if (c == quote) {
        quote = 0;
      } else {
        word += c;
      }
    } else if (c == '"' || c == '\'') {
      quote = c;
      inside = true;
    } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      if (inside) words.push_back(std::move(word));
      word.clear();
      inside = false;
    } else {
      word += c;
      inside = true;
    }
  }
  if (inside) words.push_back(std::move(word));
  return words;
}

base::Result<std::vector<std::string>> flags_of_file(std::string_view text, const std::string& where,
                                                     const std::string& file) {
  const base::Result<base::JsonValue> list = base::read_json_text(base::Source(where, std::string(text)));
  if (!list) return list.errors();
  if (!list->is(base::JsonValue::Kind::array)) return base::error_in(where, "expected a list of compile commands");
  const fs::path wanted = absolute(fs::current_path(), file);
  for (const base::JsonValue& entry : list->items()) {
    const std::string& named = entry.at("file").text();
    if (named.empty()) continue;
    const base::JsonValue* directory = entry.find("directory");
    const fs::path folder = directory != nullptr ? directory->text() : ".";
    if (absolute(folder, named) != wanted) continue;
    std::vector<std::string> words;
    if (const base::JsonValue& arguments = entry.at("arguments"); arguments.is(base::JsonValue::Kind::array)) {
      for (const base::JsonValue& word : arguments.items()) {
        if (word.is(base::JsonValue::Kind::string)) words.push_back(word.text());
      }
    } else {
      words = split_command(entry.at("command").text());
    }
    return useful_flags(words, folder);
  }
  return base::error_in(where, fmt::format("no command for '{}'", file));
}

}  // namespace weakspot::race
