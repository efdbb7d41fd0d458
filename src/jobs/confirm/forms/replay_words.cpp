// SPDX-License-Identifier: MIT
#include "confirm/replay_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string_view>

namespace weakspot::confirm {
namespace {

// The words of a line for a shell, as base::shell_word() writes them; nothing if a quote has no end.
std::optional<std::vector<std::string>> split_line(const std::string& line) {
  std::vector<std::string> words;
  std::string word;
  bool inside = false, quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '\'') {
      quoted = !quoted;
      inside = true;
    } else if (!quoted && c == '\\' && i + 1 < line.size()) {
      word += line[++i];
      inside = true;
    } else if (!quoted && c == ' ') {
      if (inside) words.push_back(std::move(word));
      word.clear();
      inside = false;
    } else {
      word += c;
      inside = true;
    }
  }
  if (quoted) return std::nullopt;
  if (inside) words.push_back(std::move(word));
  return words;
}

bool is_among(std::string_view word, std::initializer_list<std::string_view> all) {
  return std::find(all.begin(), all.end(), word) != all.end();
}

bool begins_with(std::string_view word, std::initializer_list<std::string_view> all) {
  return std::any_of(all.begin(), all.end(), [&](std::string_view one) { return word.starts_with(one); });
}

}  // namespace

base::Result<ReplayWords> replay_words(const std::string& replay) {
  const std::optional<std::vector<std::string>> words = split_line(replay);
  if (!words || words->size() < 3 || (*words)[0] != "weakspot" || (*words)[1] != "race") {
    return base::error("the finding has no command of 'weakspot race' that shows it again");
  }
  ReplayWords result;
  result.file = (*words)[2];
  if (result.file.starts_with('-')) {
    return base::error("the finding is one of a whole program; record its launch with 'weakspot capture -- PROGRAM'");
  }
  for (std::size_t i = 3; i < words->size(); ++i) {
    const std::string& word = (*words)[i];
    if (word == "--") {
      result.program.assign(words->begin() + static_cast<std::ptrdiff_t>(i) + 1, words->end());
      break;
    }
    if (is_among(word, {"--schedule", "--schedules"})) {
      ++i;
      continue;
    }
    const bool pair =
        is_among(word, {"--kernel", "--launch", "--arg", "--seed", "--warp", "--front", "--arch", "--memory",
                        "--seconds", "--compile-seconds", "-I", "-isystem", "-include", "-D", "-U"});
    const bool alone = word == "--program" || begins_with(word, {"-D", "-U", "-I", "-std=", "--std="});
    if ((!pair && !alone) || (pair && i + 1 == words->size())) {
      return base::error(
          fmt::format("the command of the finding has '{}', which says more than what is launched; make a "
                      "capture with 'weakspot race --capture FOLDER'",
                      word));
    }
    // Joined, so that a value that begins with dashes is not taken for an option.
    if (pair && word.starts_with("--")) {
      result.words.push_back(word + "=" + (*words)[++i]);
      continue;
    }
    result.words.push_back(word);
    if (pair) result.words.push_back((*words)[++i]);
  }
  return result;
}

}  // namespace weakspot::confirm
