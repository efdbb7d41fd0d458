// SPDX-License-Identifier: MIT
#include "litmus/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include "litmus/assembly/assembly.h"
#include "litmus/words/word_list.h"

namespace weakspot::litmus {
namespace {

using words::WordList;

WordList list_of(Dialect dialect) {
  switch (dialect) {
    case Dialect::canonical:
      return words::canonical();
    case Dialect::ptx2015:
      return words::ptx(PtxEdition::y2015);
    case Dialect::ptx:
      return words::ptx(PtxEdition::current);
    case Dialect::vulkan:
      return words::vulkan();
    case Dialect::opencl:
      return words::c(CFace::opencl);
    case Dialect::c11:
      return words::c(CFace::c11);
    case Dialect::linux_kernel:
      return words::c(CFace::linux_kernel);
    case Dialect::aarch64:
      return words::aarch64();
    case Dialect::x86_64:
      return words::x86_64();
    case Dialect::riscv:
      return words::riscv();
    case Dialect::json:
      break;
  }
  return {};
}

// The words sorted by text, then by kind. The first of two meanings of one word stays.
const std::vector<Word>& sorted_words(Dialect dialect) {
  static const auto lists = [] {
    std::array<std::vector<Word>, std::size(kDialects)> made;
    for (Dialect each : kDialects) {
      std::map<std::pair<std::string, Word::Kind>, Word> words;
      for (const Word& word : list_of(each).take()) words.try_emplace({word.text, word.kind}, word);
      for (const auto& [key, word] : words) made[static_cast<std::size_t>(each)].push_back(word);
    }
    return made;
  }();
  return lists[static_cast<std::size_t>(dialect)];
}

}  // namespace

std::span<const Word> words_of(Dialect dialect) { return sorted_words(dialect); }

bool is_dotted(Dialect dialect) {
  return dialect == Dialect::canonical || dialect == Dialect::ptx || dialect == Dialect::ptx2015 ||
         dialect == Dialect::vulkan;
}

const Word* find_word(Dialect dialect, std::string_view text) {
  const std::vector<Word>& words = sorted_words(dialect);
  const bool any_case = dialect == Dialect::aarch64 || dialect == Dialect::x86_64;
  const std::string wanted = any_case ? upper(text) : std::string(text);
  const auto found = std::lower_bound(words.begin(), words.end(), wanted,
                                      [](const Word& word, const std::string& name) { return word.text < name; });
  return found != words.end() && found->text == wanted ? &*found : nullptr;
}

std::span<const Word> frame_words() {
  constexpr auto kKeyword = Word::Kind::keyword;
  static const Word kFrame[] = {
      {"exists", kKeyword, "exists (P): whether some execution ends with P"},
      {"final", kKeyword, "final P: exists P"},
      {"forall", kKeyword, "forall (P): whether every execution ends with P"},
      {"filter", kKeyword, "filter (P): final states without P are left out"},
      {"locations", kKeyword, "locations [x; 0:r1;]: what to report besides"},
      {"scopes", kKeyword, "scopes (wg P0) (wg P1): where the threads run"},
      {"scopeTree", kKeyword, "as scopes"},
      {"ScopeTree", kKeyword, "as scopes"},
      {"ssw", kKeyword, "ssw P0 P1: P0 system-synchronizes with P1"},
      {"launch", kKeyword, "launch P0 P1: the grid of P1 is a dependent launch of P0's"},
  };
  return kFrame;
}

}  // namespace weakspot::litmus
