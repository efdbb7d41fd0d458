// SPDX-License-Identifier: MIT
#include "analysis/test_role.h"

#include <algorithm>
#include <array>

#include "base/names.h"

namespace weakspot::analysis {
namespace {

constexpr base::Named<Mutator> kMutatorNames[] = {{"reversing po-loc", Mutator::reversing_po_loc},
                                                  {"weakening po-loc", Mutator::weakening_po_loc},
                                                  {"weakening sw", Mutator::weakening_sw}};

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

// Removes `part` from the text; false if it is missing.
bool remove(std::string& text, std::string_view part) {
  const std::size_t at = text.find(part);
  if (at == std::string::npos) return false;
  text.erase(at, part.size());
  return true;
}

bool remove_suffix(std::string& text, std::string_view suffix) {
  if (!text.ends_with(suffix)) return false;
  text.resize(text.size() - suffix.size());
  return true;
}

// "Co" and two of R and W.
bool is_coherence_name(std::string_view name) {
  const auto access = [](char c) { return c == 'R' || c == 'W'; };
  return name.size() >= 4 && name.starts_with("Co") && access(name[2]) && access(name[3]);
}

TestRole published_role(std::string_view test) {
  std::string family(test);
  remove(family, " Single Instance");
  if (contains(family, "Mutations")) return {TestKind::mutant, Mutator::reversing_po_loc, family};
  if (is_coherence_name(family)) {  // "CoRR RMW" belongs to "RR Mutations RMW"
    family.insert(4, " Mutations").erase(0, 2);
    return {TestKind::conformance, std::nullopt, family};
  }
  if (contains(family, "Coherency")) {
    const bool one_location = remove(family, " One-Loc");
    if (one_location) return {TestKind::conformance, std::nullopt, family};
    return {TestKind::mutant, Mutator::weakening_po_loc, family};
  }
  // Fences: both in "Barrier Variant" and "Barrier", one where a number follows, none otherwise.
  const bool one_fence = remove_suffix(family, " 1") || remove_suffix(family, " 2");
  const bool fences = remove_suffix(family, " Barrier Variant") || remove_suffix(family, " Barrier");
  remove_suffix(family, " Default");
  if (fences && !one_fence) return {TestKind::conformance, std::nullopt, family};
  return {TestKind::mutant, Mutator::weakening_sw, family};
}

TestRole corpus_role(std::string_view test) {
  struct Suffix {
    std::string_view text;
    Mutator mutator;
  };
  constexpr std::array<Suffix, 5> kSuffixes = {{{"-reversed", Mutator::reversing_po_loc},
                                                {"-split", Mutator::weakening_po_loc},
                                                {"-nofence", Mutator::weakening_sw},
                                                {"-fence0", Mutator::weakening_sw},
                                                {"-fence1", Mutator::weakening_sw}}};
  std::string family(test);
  for (const Suffix& suffix : kSuffixes) {
    if (remove_suffix(family, suffix.text)) return {TestKind::mutant, suffix.mutator, family};
  }
  const bool conformance = is_coherence_name(test) || test.ends_with("-CO") || test.ends_with("-relacq") ||
                           (test.ends_with("-rmw") && !test.starts_with("Co"));
  return {conformance ? TestKind::conformance : TestKind::other, std::nullopt, family};
}

}  // namespace

std::string_view to_string(Mutator mutator) { return base::name_of(kMutatorNames, mutator); }

TestRole role_of(std::string_view test, NameStyle style) {
  return style == NameStyle::published ? published_role(test) : corpus_role(test);
}

bool is_single_instance(std::string_view test, NameStyle style) {
  return style == NameStyle::published && contains(test, "Single Instance");
}

}  // namespace weakspot::analysis
