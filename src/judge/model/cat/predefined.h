// SPDX-License-Identifier: MIT
// The names that a model can use without defining them, and what they mean for a frame.
//
// A name means the same for every test where that is possible. Public models use a few names in two senses (A, X, CON,
// ACQ_REL of fences, ...): the architecture of the test decides, in predefined_sets.cpp and nowhere else. Names of
// machines whose tests we do not read (PTE, SYNC, TLBI, ...) are known and always empty, so that models for
// several machines load.
//
// Names that cat can define (fr, rfe, po-loc, fencerel, ...) are in the standard library, cat_library.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "model/execution/frame.h"
#include "model/relation/kernels.h"

namespace weakspot::model {

enum class PredefinedKind : std::uint8_t { set, relation, function };

// Functions that cat itself cannot define.
enum class Primitive : std::uint8_t {
  domain,
  range,
  linearisations,        // (S, r): the total orders of S that contain r
  generate_orders,       // (S, r): the same per location
  generate_cos,          // r: the coherence orders that contain r
  generate_partial_cos,  // r: the partial coherence orders that contain r
  cross,                 // a set of sets of relations: one of each, united
  partition,             // a set of events: by location
  classes,               // an equivalence: its classes
  tag2scope,
  tag2events,
  tag2fenced,
  different_values,
  from_to,        // a set of fences: the pairs they separate
  as_transitive,  // returns its argument
  fail,
  nothing,      // empty: it relates events that our frames do not have
  unsupported,  // known, but our events lack what it needs
};

// The two relations of a candidate, and the one that the engine chooses: sync_fence, the order of sequentially
// consistent fences whose scopes include each other.
enum class Dynamic : std::uint8_t { none, reads_from, coherence, sync_fence };

struct Predefined {
  std::string_view name;
  PredefinedKind kind = PredefinedKind::set;
  std::uint32_t index = 0;  // the number of the set or relation, or the Primitive
  bool always_empty = false;
  Dynamic dynamic = Dynamic::none;
};

// Index into the table of all names.
std::optional<std::uint32_t> find_predefined(std::string_view name);
const Predefined& predefined(std::uint32_t index);
std::size_t predefined_count();
// Predefined::index of a name that is in the table.
std::uint32_t predefined_index(std::string_view name);
// The name of Predefined::index.
std::string_view predefined_set_name(std::uint32_t index);
std::string_view predefined_relation_name(std::uint32_t index);

// Fill a set (words_for(n) words) or relation (n rows) of a frame; `out` is zero. `index` is Predefined::index. With an
// allowance that is used up, the relation means nothing.
void fill_predefined_set(std::uint32_t index, const Frame& frame, kernels::Word* out);
void fill_predefined_relation(std::uint32_t index, const Frame& frame, kernels::Word* out,
                              Allowance* allowance = nullptr);

}  // namespace weakspot::model
