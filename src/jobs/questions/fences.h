// SPDX-License-Identifier: MIT
// What would forbid a test's outcome: all minimal sets of stronger orders, wider scopes and fences that do.
//
// A set is minimal if every test that is one step weaker is judged and not forbidden. The search relies on one
// property of the models: a stronger test allows no more than a weaker one. So where the strongest form of some places
// does not forbid the outcome, nothing below it does.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "desk/strengthen.h"
#include "litmus/test.h"
#include "model/judge.h"

namespace weakspot::desk {

struct FencesOptions {
  std::size_t places = 6;      // ways that change more places are not shown
  std::size_t tests = 20'000;  // the most tests to judge; 0: no limit
  // For an explanation: all single changes or, where there are none, one minimal set, found by leaving out places one
  // after the other. Weaker tests are not shown.
  bool quick = false;
  bool known = false;    // the outcome of the test as it is, or the flag, is known to be allowed
  bool flags = false;    // get rid of flags (data races) instead of the outcome
  model::Limits limits;  // time for all of it; the others for each test that is judged
};

// A test that is one step weaker than a way: one of its places as it was, or in its next weaker form.
struct WeakerTest {
  Changes changes;
  Change lifted;            // the change of the way that is weaker here
  bool as_written = false;  // it is undone; else it has the next weaker alternative, which is in `changes`
  model::Verdict::Reach reach = model::Verdict::Reach::unknown;
};

// A set of changes that forbids the outcome.
struct Way {
  Changes changes;
  std::size_t cost = 0;
  litmus::LitmusTest test;
  std::vector<WeakerTest> weaker;  // each allowed, or unknown
};

struct Fences {
  model::Verdict::Reach reach = model::Verdict::Reach::unknown;  // of the test as it is
  std::string reason;                                            // of unknown
  std::vector<Place> places;
  std::vector<Way> ways;   // weakest first
  std::size_t judged = 0;  // tests
  // Every set was looked at, or ruled out. Else `reason` says what ran out.
  bool complete = true;
};

Fences find_fences(const litmus::LitmusTest& test, const model::Model& model, const FencesOptions& options = {});

// One change in words: "P0 `st y, 1` -> `st.rel y, 1`", "P1 `fence.sc` before `ld r1, x`", "P1 `LDR W2,[X3]`: address
// dependency on `LDR W0,[X1]`".
class ChangeTexts {
 public:
  // Both must outlive it.
  ChangeTexts(const litmus::LitmusTest& test, const std::vector<Place>& places);

  std::string operator()(const Change& change) const;
  std::string before(const Change& change) const;  // the instruction of the place; of a gap, the one it stands before
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

// What was found for one test. The references are valid as long as what they refer to.
struct FencesOf {
  const litmus::LitmusTest& test;
  const std::string& model_name;
  const Fences& fences;
};

// What an allowed outcome owes to the test: the changes that would forbid it, one by one or together. Indented lines;
// `verdict` is that of the test.
std::string explain_allowed(const litmus::LitmusTest& test, const model::Model& model, const model::Verdict& verdict,
                            const model::Limits& limits);

}  // namespace weakspot::desk
