// SPDX-License-Identifier: MIT
#include "race/compile_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/source.h"
#include "json/json.h"

namespace weakspot::race {
namespace {

namespace fs = std::filesystem;
fs::path absolute(const fs::path& folder, const std::string& path) {
  return (fs::path(path).is_absolute() ? fs::path(path) : fs::absolute(folder) / path).lexically_normal();
}

// A flag whose value may stand in the same word or in the next.
struct Flag {
  std::string_view spelling;
  std::string_view written;  // clang's form
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

// Options for architectures, of nvcc and of clang, without dashes.
constexpr std::string_view kArchitectures[] = {"arch",          "gpu-architecture", "gencode",
                                               "generate-code", "cuda-gpu-arch",    "offload-arch"};

// The value of the option for architectures at words[i], in this word or in the next.
std::optional<std::string> architecture_at(const std::vector<std::string>& words, std::size_t i) {
  const std::size_t dashes = std::min(words[i].find_first_not_of('-'), words[i].size());
  if (dashes == 0) return std::nullopt;
  const std::size_t equals = std::min(words[i].find('='), words[i].size());
  const std::string name = words[i].substr(dashes, equals - std::min(dashes, equals));
  if (std::find(std::begin(kArchitectures), std::end(kArchitectures), name) == std::end(kArchitectures)) {
    return std::nullopt;
  }
  if (equals < words[i].size()) return words[i].substr(equals + 1);
  return i + 1 < words.size() ? std::optional(words[i + 1]) : std::nullopt;
}

FileFlags useful_flags(const std::vector<std::string>& words, const fs::path& folder) {
  FileFlags found;
  std::vector<std::string>& flags = found.words;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word.starts_with("-std=") || word.starts_with("--std=")) {
      flags.push_back(word.starts_with("--") ? word.substr(1) : word);
      continue;
    }
    if (const std::optional<std::string> value = architecture_at(words, i)) {
      // Those that are not known here are no reason not to check the file.
      static_cast<void>(add_architecture(*value, found.architecture));
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
