// SPDX-License-Identifier: MIT
// Finds all minimal sets of stronger orders, wider scopes and fences that forbid a test's outcome.
//
// change_search.h says what the search relies on.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "litmus/test.h"
#include "model/judge.h"
#include "questions/change_search.h"
#include "questions/strengthen.h"

namespace weakspot::questions {

struct FencesOptions {
  std::size_t places = 6;      // ways that change more places are not shown
  std::size_t tests = 20'000;  // the most tests to judge; 0: no limit
  // For an explanation: all single changes or, where there are none, one minimal set, found by leaving out places one
  // after the other. Weaker tests are not shown.
  bool quick = false;
  bool known = false;    // the outcome of the test as it is, or the flag, is known to be allowed
  bool flags = false;    // get rid of flags (data races) instead of the outcome
  bool barriers = true;  // propose barriers as well
  model::Limits limits;  // time for all of it; the others for each test that is judged
};

// A set of changes that forbids the outcome, and the test that has them.
struct Way : FoundChanges {
  litmus::LitmusTest test;
};

struct Fences {
  model::Verdict::Reach reach = model::Verdict::Reach::unknown;  // the test as it is
  std::string reason;                                            // why it is unknown
  std::vector<Place> places;
  std::vector<Way> ways;   // weakest first
  std::size_t judged = 0;  // tests
  // Every set was looked at, or ruled out. Else `reason` says what ran out.
  bool complete = true;
  // The outcome is forbidden as it is, and the ways avoid a flag (a data race) that some execution raises.
  bool avoids_flag = false;
};

// If the outcome is forbidden, the flags of the model are looked at, unless the search is quick.
Fences find_fences(const litmus::LitmusTest& test, const model::Model& model, const FencesOptions& options = {});

// One change in words: "P0 `st y, 1` -> `st.rel y, 1`", "P1 `fence.sc` before `ld r1, x`", "P1 `LDR W2,[X3]`: address
// dependency on `LDR W0,[X1]`".
class ChangeTexts {
 public:
  // Both must outlive it.
  ChangeTexts(const litmus::LitmusTest& test, const std::vector<Place>& places);

  std::string operator()(const Change& change) const;
  // The instruction of the place; of a gap, the one it stands before, empty at the end of the thread.
  std::string before(const Change& change) const;
  std::string after(const Change& change) const;   // the stronger instruction, or the dependency in words
  std::string thread(const Change& change) const;  // "P0"
  bool is_gap(const Change& change) const { return places_[change.place].gap; }
  bool is_dependency(const Change& change) const {
    return places_[change.place].alternatives[change.alternative].dependency.has_value();
  }
  // Why the scope before a change was too narrow: "it reaches its own CTA only, and P0 is in another"; else empty.
  std::string narrow(const Change& change) const;

 private:
  const litmus::LitmusTest& test_;
  const std::vector<Place>& places_;
  std::vector<std::vector<std::string>> texts_;
};

// The result for one test. Its references are valid as long as their objects.
struct FencesOf {
  const litmus::LitmusTest& test;
  const std::string& model_name;
  const Fences& fences;
};

// Lists the changes that would forbid an allowed outcome, one by one or together, as indented lines. `verdict` is that
// of the test.
std::string explain_allowed(const litmus::LitmusTest& test, const model::Model& model, const model::Verdict& verdict,
                            const model::Limits& limits);

}  // namespace weakspot::questions
