// SPDX-License-Identifier: MIT
// Puts together the words of a dialect: the tables that its reader and its printer share, and its instructions.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/names.h"
#include "litmus/c/c_language.h"
#include "litmus/ptx/ptx_words.h"
#include "litmus/words.h"

namespace weakspot::litmus::words {

struct Entry {
  std::string_view text;
  std::string_view meaning;
};

class WordList {
 public:
  using Kind = Word::Kind;

  void add(std::string text, Kind kind, std::string_view meaning) {
    words_.push_back({std::move(text), kind, meaning});
  }

  template <std::size_t N>
  void add(const Entry (&entries)[N], Kind kind) {
    for (const Entry& entry : entries) add(std::string(entry.text), kind, entry.meaning);
  }

  // Adds the words of a table, each between `before` and `after`.
  template <typename Enum, std::size_t N, std::size_t M>
  void add(const base::Named<Enum> (&table)[N], const std::string_view (&meanings)[M], Kind kind,
           std::string_view before = {}, std::string_view after = {}) {
    for (const base::Named<Enum>& entry : table) {
      add(std::string(before).append(entry.name).append(after), kind, meanings[static_cast<std::size_t>(entry.value)]);
    }
  }

  // Adds the words of an enumeration in the canonical form.
  template <typename Enum, std::size_t M>
  void add(const std::string_view (&meanings)[M], Kind kind, std::string_view before = {}) {
    for (std::size_t i = 0; i < M; ++i) {
      const std::string_view word = to_string(static_cast<Enum>(i));
      if (!word.empty()) add(std::string(before).append(word), kind, meanings[i]);
    }
  }

  std::vector<Word> take() { return std::move(words_); }

 private:
  std::vector<Word> words_;
};

WordList canonical();
WordList ptx(PtxEdition edition);
WordList vulkan();
WordList c(CFace face);
WordList aarch64();
WordList x86_64();
WordList riscv();

}  // namespace weakspot::litmus::words
