// SPDX-License-Identifier: MIT
// What edges and sets of events mean, in words. Events go by their letters.
#pragma once

#include <string>
#include <string_view>

#include "model/event_id.h"

namespace weakspot::model {

struct Witness;

// The last word on an edge by a name that everybody uses (po, rf, co, fr, addr, ...); empty for other names.
std::string edge_words(const Witness& witness, std::string_view relation, EventId from, EventId to);

// Relations that only say something about two events (loc, int, scta) and do not lead from one to the other.
bool is_side_condition(std::string_view relation);
// "have the same location", "are in one CTA"; empty for names without words.
std::string_view side_condition_words(std::string_view relation);

// A set as an adjective ("release") or a noun ("write"). Null for sets that are not worth a word.
struct SetWord {
  std::string_view name;
  std::string_view adjective;
  std::string_view noun;
};
const SetWord* set_word(std::string_view name);

// "a write", "an acquire read".
std::string with_article(const std::string& text);

}  // namespace weakspot::model
