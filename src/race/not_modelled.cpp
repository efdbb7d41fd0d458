// SPDX-License-Identifier: MIT
#include "race/not_modelled.h"

#include <array>

namespace weakspot::race {
namespace {

struct EffectName {
  std::string_view word, text;
};

constexpr std::array<EffectName, 9> kEffects{{
    {"none", "has no effect"},
    {"stronger", "taken as stronger than it is"},
    {"asynchronous", "belongs to asynchronous accesses, which are not seen"},
    {"grids", "orders overlapping grids"},
    {"call", "the call fails here"},
    {"value", "its result is taken as 0"},
    {"memory", "its accesses to memory are not seen"},
    {"order", "may order accesses"},
    {"unknown", "its meaning is not known"},
}};

}  // namespace

std::string_view effect_word(Effect effect) { return kEffects[static_cast<std::size_t>(effect)].word; }

std::string_view effect_text(Effect effect) { return kEffects[static_cast<std::size_t>(effect)].text; }

Effect effect_of_word(std::string_view word) {
  for (std::size_t i = 0; i < kEffects.size(); ++i) {
    if (kEffects[i].word == word) return static_cast<Effect>(i);
  }
  return Effect::unknown;
}

}  // namespace weakspot::race
