// SPDX-License-Identifier: MIT
#include "stats/outcome_class.h"

#include "base/names.h"

namespace weakspot::stats {
namespace {

constexpr base::Named<OutcomeClass> kNames[] = {
    {"sequential", OutcomeClass::sequential},
    {"interleaved", OutcomeClass::interleaved},
    {"weak", OutcomeClass::weak},
    {"forbidden", OutcomeClass::forbidden},
    {"unknown", OutcomeClass::unknown},
    {"changed", OutcomeClass::changed},
};

enum class Member { yes, no, perhaps };

Member member(const Reachable& set, const litmus::Outcome& outcome) {
  if (set.outcomes.contains(outcome)) return Member::yes;
  return set.complete ? Member::no : Member::perhaps;
}

OutcomeClass choose(Member member, OutcomeClass yes, OutcomeClass no) {
  return member == Member::yes ? yes : member == Member::no ? no : OutcomeClass::unknown;
}

}  // namespace

std::string_view to_string(OutcomeClass outcome_class) { return base::name_of(kNames, outcome_class); }

std::optional<OutcomeClass> outcome_class_named(std::string_view name) { return base::value_of(kNames, name); }

OutcomeClass classify(const Expected& expected, const litmus::Outcome& outcome, bool matches) {
  const Member allowed = member(expected.allowed, outcome);
  if (matches && expected.contradicted) {
    const Member claimed = *expected.contradicted == litmus::Expectation::allowed ? Member::yes : Member::no;
    if (allowed != claimed) return OutcomeClass::unknown;
  }
  if (allowed != Member::yes) return choose(allowed, OutcomeClass::unknown, OutcomeClass::forbidden);
  const Member consistent = member(expected.consistent, outcome);
  if (consistent != Member::yes) return choose(consistent, OutcomeClass::unknown, OutcomeClass::weak);
  return choose(member(expected.sequential, outcome), OutcomeClass::sequential, OutcomeClass::interleaved);
}

}  // namespace weakspot::stats
