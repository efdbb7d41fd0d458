// SPDX-License-Identifier: MIT
// Mutants of kernels: the same code without one of its barriers or fences, or with a weaker atomic. Tests that do not
// notice a mutant do not show that the operation is needed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "json/json_fields.h"
#include "race/class_id.h"
#include "race/site.h"

namespace weakspot::race {

// The change that makes a mutant: the operation goes, its scope becomes the block, it loses its release and acquire, or
// the atomic becomes a plain access.
enum class MutantKind : std::uint8_t { no_barrier, no_warp_barrier, no_fence, narrow_fence, narrow, relax, plain };
const char* mutant_kind_word(MutantKind kind);  // no-barrier and so on

// Noticed: a finding shows that the original does not. Changed: no finding, but other contents of memory. Survived:
// neither. Not reached: no run executed the operation. Not tried: there was no time.
enum class MutantEnd : std::uint8_t { noticed, changed, survived, not_reached, not_tried };
const char* mutant_end_word(MutantEnd end);

struct Mutant {
  std::uint64_t number = 0;  // from 1 in each source, by place and kind: the same for the same source
  MutantKind kind = MutantKind::no_barrier;
  Place place;
  std::string function;
  MutantEnd end = MutantEnd::not_tried;
  ClassId by_class = ClassId::e1;  // class of the finding that noticed it
  std::string by_message;          // "write and read of shared tile[0] are not ordered"
  Place by_place;
};

// The number of mutants of some kinds, and how many of them were noticed; those without an answer count as not noticed.
struct MutantScore {
  std::uint64_t mutants = 0, noticed = 0;
  double percent() const;
};
MutantScore score_of(const std::vector<Mutant>& mutants);
// The barriers and fences that are removed, whose loss is the gravest; and all others, which are weakened.
MutantScore score_of_removals(const std::vector<Mutant>& mutants);
MutantScore score_of_weakened(const std::vector<Mutant>& mutants);

// "mutants noticed: 9 of 10 (90.0 %); ..."
std::string score_text(const std::vector<Mutant>& mutants);
// "survived a.cu:7:3: mutant 2: the fence is removed; ..."
std::string mutant_line(const Mutant& mutant);
// A line for each mutant, and the score.
std::string to_text(const std::vector<Mutant>& mutants);
base::JsonValue to_json(const std::vector<Mutant>& mutants);
std::vector<Mutant> read_mutants(const base::JsonValue& json, base::Mistakes& mistakes);

}  // namespace weakspot::race
