// SPDX-License-Identifier: MIT
#include "compile/compare/outcomes.h"

#include <fmt/format.h>

#include "litmus/meaning.h"
#include "litmus/normalize.h"

namespace weakspot::compile {
namespace {

using litmus::LitmusTest;

litmus::Type type_of(const LitmusTest& test, const litmus::Observable& observable) {
  if (const auto* reg = std::get_if<litmus::ObservedRegister>(&observable)) return test[*reg].type;
  return test[std::get<litmus::LocationId>(observable)].type;
}

void ask(LitmusTest& test, std::vector<litmus::Proposition> parts) {
  test.condition.quantifier = litmus::Condition::Quantifier::exists;
  test.condition.proposition = litmus::all_of(std::move(parts));
  test.also_observed.clear();
  test.expectations.clear();
  litmus::normalize(test);
}

}  // namespace

litmus::Outcome translated_outcome(const LitmusTest& source, const std::vector<std::size_t>& places,
                                   const litmus::Outcome& outcome) {
  const std::vector<litmus::Observable> observed = source.observed();
  litmus::Outcome translated;
  translated.reserve(observed.size());
  for (std::size_t i = 0; i < observed.size(); ++i) {
    translated.push_back(litmus::wrap(outcome[places[i]], type_of(source, observed[i])));
  }
  return translated;
}

litmus::OutcomeSet own_outcomes(const LitmusTest& source, const litmus::OutcomeSet& outcomes) {
  std::vector<std::size_t> places(source.observed().size());
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = i;
  litmus::OutcomeSet own;
  for (const litmus::Outcome& outcome : outcomes) own.insert(translated_outcome(source, places, outcome));
  return own;
}

std::string outcome_text(const LitmusTest& source, const litmus::Outcome& outcome) {
  const std::vector<litmus::Observable> observed = source.observed();
  std::string text;
  for (std::size_t i = 0; i < observed.size(); ++i) {
    text += fmt::format("{}{}={}", i > 0 ? " /\\ " : "", source.name_of(observed[i]), outcome[i].number);
  }
  return text;
}

void ask_for(LitmusTest& source, const litmus::Outcome& outcome) {
  const std::vector<litmus::Observable> observed = source.observed();
  std::vector<litmus::Proposition> parts;
  for (std::size_t i = 0; i < observed.size(); ++i) parts.push_back(litmus::equals(observed[i], outcome[i]));
  source.filter.reset();
  ask(source, std::move(parts));
}

void ask_for_translated(LitmusTest& compiled, const std::vector<std::size_t>& places, const litmus::Outcome& outcome) {
  const std::vector<litmus::Observable> observed = compiled.observed();
  std::vector<litmus::Proposition> parts;
  for (std::size_t i = 0; i < places.size(); ++i) parts.push_back(litmus::equals(observed[places[i]], outcome[i]));
  ask(compiled, std::move(parts));
}

}  // namespace weakspot::compile
