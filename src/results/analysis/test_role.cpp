// SPDX-License-Identifier: MIT
#include "analysis/test_role.h"

#include "analysis/published_names.h"
#include "base/names.h"
#include "litmus/mutant_name.h"

namespace weakspot::analysis {
namespace {

constexpr base::Named<Mutator> kMutatorNames[] = {{"reversing po-loc", Mutator::reversing_po_loc},
                                                  {"weakening po-loc", Mutator::weakening_po_loc},
                                                  {"weakening sw", Mutator::weakening_sw},
                                                  {"weakening an order", Mutator::weakening_order},
                                                  {"narrowing a scope", Mutator::narrowing_scope}};

// The words that names of mutants have.
constexpr base::Named<Mutator> kMutatorWords[] = {{litmus::kReversed, Mutator::reversing_po_loc},
                                                  {litmus::kSplit, Mutator::weakening_po_loc},
                                                  {litmus::kNoFence, Mutator::weakening_sw},
                                                  {litmus::kOrder, Mutator::weakening_order},
                                                  {litmus::kScope, Mutator::narrowing_scope}};

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

TestRole corpus_role(std::string_view test) {
  if (std::optional<litmus::MutantName> mutant = litmus::parse_mutant_name(test)) {
    return {TestKind::mutant, base::value_of(kMutatorWords, mutant->what), std::move(mutant->parent)};
  }
  const bool conformance = is_coherence_name(test) || test.ends_with("-CO") || test.ends_with("-relacq") ||
                           (test.ends_with("-rmw") && !test.starts_with("Co"));
  return {conformance ? TestKind::conformance : TestKind::other, std::nullopt, std::string(test)};
}

// Tests that are not among ours are told by the same words.
TestRole published_role(std::string_view test) {
  if (const std::optional<std::string_view> ours = our_name(test)) return corpus_role(*ours);
  std::string family(test);
  remove(family, " Single Instance");
  if (contains(family, "Mutations")) return {TestKind::mutant, Mutator::reversing_po_loc, family};
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

// If nothing is ordered, the weak outcome is allowed and a device may show it. The outcomes allowed for the other
// variants depend on their threads and scopes.
TestRole cuda_litmus_role(std::string_view test) {
  const std::string family(test.substr(0, test.find("-TB_")));
  if (!test.ends_with("-NO_FENCE-RELAXED")) return {TestKind::other, std::nullopt, family};
  return {TestKind::mutant, Mutator::weakening_order, family};
}

}  // namespace

std::string_view to_string(Mutator mutator) { return base::name_of(kMutatorNames, mutator); }

TestRole role_of(std::string_view test, NameStyle style) {
  switch (style) {
    case NameStyle::published:
      return published_role(test);
    case NameStyle::corpus:
      return corpus_role(test);
    case NameStyle::cuda_litmus:
      break;
  }
  return cuda_litmus_role(test);
}

bool is_single_instance(std::string_view test, NameStyle style) {
  return style == NameStyle::published && contains(test, "Single Instance");
}

}  // namespace weakspot::analysis
