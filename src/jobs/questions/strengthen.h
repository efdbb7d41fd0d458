// SPDX-License-Identifier: MIT
// The ways to write a test more strongly, place by place, in the vocabulary of its dialect: higher orders and wider
// scopes of its accesses and fences, atomics instead of plain accesses, fences between its accesses and before its
// barriers, waits, barriers, and dependencies on its loads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "litmus/instruction.h"
#include "litmus/test.h"
#include "model/cat_model.h"
#include "questions/change_search.h"
#include "questions/dependency.h"

namespace weakspot::questions {

// A stronger instruction. `order`, `scope` and `kept` compare the alternatives of one place, whatever the instruction
// is.
struct Alternative {
  litmus::Instruction instruction;
  litmus::Order order = litmus::Order::relaxed;
  litmus::Scope scope = litmus::Scope::device;
  // Alternatives of a place by this number: a weaker one never has a higher number.
  std::size_t cost = 1;
  Kept kept = 0;
  std::optional<Dependency> dependency = std::nullopt;  // instead of the instruction
};

// An instruction of a thread.
struct Spot {
  litmus::ThreadId thread;
  std::uint32_t instruction = 0;
};

// Somewhere in a thread: an instruction to replace, or the gap before one; the gap after the last is before the one
// that would follow.
struct Place {
  litmus::ThreadId thread;
  std::uint32_t instruction = 0;
  bool gap = false;
  std::vector<Spot> also;                 // for a barrier: the gaps of the other threads that meet at it
  std::vector<Alternative> alternatives;  // cheapest first; the last is the strongest
  bool alone = false;                     // for a barrier: others would change which of them meet
};

bool at_most_as_strong(const Alternative& a, const Alternative& b);

// The places of a test that have alternatives. Scopes are offered only where they make a difference to the test's
// threads, and only to models that know scopes; barriers only if asked for.
std::vector<Place> places_to_strengthen(const litmus::LitmusTest& test, const model::Model& model,
                                        bool barriers = true);

litmus::LitmusTest strengthened(const litmus::LitmusTest& test, const std::vector<Place>& places,
                                const Changes& changes);

}  // namespace weakspot::questions
