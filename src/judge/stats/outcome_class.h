// SPDX-License-Identifier: MIT
// The classes into which a model divides the outcomes of a test.
//
// The sets of outcomes come from a caller that knows the model; this module only compares them. An outcome whose class
// depends on the missing part of an incomplete set is `unknown`, never one of the other classes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "litmus/outcome.h"
#include "litmus/vocabulary.h"

namespace weakspot::stats {

enum class OutcomeClass : std::uint8_t {
  sequential,   // reached by running whole threads one after the other
  interleaved,  // sequentially consistent, but the threads must take turns
  weak,         // the model allows it, sequential consistency does not
  forbidden,    // the model does not allow it
  unknown,      // not enough is known to say
  changed,      // seen in code that is not the test, which says nothing about the device
};
inline constexpr OutcomeClass kOutcomeClasses[] = {OutcomeClass::sequential, OutcomeClass::interleaved,
                                                   OutcomeClass::weak,       OutcomeClass::forbidden,
                                                   OutcomeClass::unknown,    OutcomeClass::changed};

std::string_view to_string(OutcomeClass outcome_class);
std::optional<OutcomeClass> outcome_class_named(std::string_view name);

// Outcomes that can be reached. Unless `complete`, others may be reachable as well.
struct Reachable {
  litmus::OutcomeSet outcomes;
  bool complete = false;

  friend bool operator==(const Reachable&, const Reachable&) = default;
};

// The outcomes expected of a test.
struct Expected {
  std::string model;  // the name of the one behind `allowed`
  Reachable sequential;
  Reachable consistent;  // by sequential consistency
  Reachable allowed;     // by the model
  std::string remark;    // why a set is not complete, or how far loops were followed; may be empty
  // The verdict of the test's Expect line on its condition, if the model says otherwise.
  std::optional<litmus::Expectation> contradicted;

  friend bool operator==(const Expected&, const Expected&) = default;
};

// The model decides first: an outcome that it does not allow is forbidden, even if it is sequentially consistent.
// `matches`: the outcome satisfies the test's condition. An outcome on which a contradicted Expect line and the model
// disagree is `unknown`.
OutcomeClass classify(const Expected& expected, const litmus::Outcome& outcome, bool matches = false);

}  // namespace weakspot::stats
