// SPDX-License-Identifier: MIT
#include "race/compile_commands.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/source.h"
#include "json/json.h"
#include "race/nvcc_command.h"

namespace weakspot::race {
namespace {

namespace fs = std::filesystem;
fs::path absolute(const fs::path& folder, const std::string& path) {
  return (fs::path(path).is_absolute() ? fs::path(path) : fs::absolute(folder) / path).lexically_normal();
}

// The flags for host and device, with folders made absolute.
FileFlags useful_flags(const std::vector<std::string>& words, const fs::path& folder) {
  FileFlags found;
  if (words.empty()) return found;
  // Options that are not understood here are not a reason to leave the file unchecked.
  base::Result<NvccCommand> command = parse_nvcc({words.begin() + 1, words.end()}, {folder, true});
  if (!command) return found;
  found.architectures = std::move(command->architectures);
  found.words = std::move(command->language_flags);
  for (std::size_t i = 0; i < found.words.size(); ++i) {
    std::string& word = found.words[i];
    if (word == "-isystem") {
      ++i;
      found.words[i] = absolute(folder, found.words[i]).string();
    } else if (word == "-include") {
      ++i;
    } else if (word.starts_with("-I")) {
      word = "-I" + absolute(folder, word.substr(2)).string();
    }
  }
  return found;
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

base::Result<FileFlags> flags_of_file(std::string_view text, const std::string& where, const std::string& file) {
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
