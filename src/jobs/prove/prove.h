// SPDX-License-Identifier: MIT
// Proves properties of one launch of a kernel, or shows how they fail.
//
// What is left of the kernel's threads (residual/residual.h) becomes a litmus test, and a memory model says whether its
// executions can end badly. Everything that could not be followed ends a thread of the test; whether a thread comes
// there is one more question. `proved` is said only if every execution of the test ends, since what happens behind a
// thread that waits for ever is not among the outcomes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/source.h"
#include "base/span.h"
#include "litmus/test.h"
#include "model/limits.h"
#include "model/progress_model.h"
#include "residual/residual.h"

namespace weakspot::prove {

// A condition over final memory, as "out[0] == 1 && done != 0", in the text that it is a part of.
struct Condition {
  std::shared_ptr<const base::Source> source;
  base::Span span;

  std::string text() const { return std::string(source->slice(span)); }
};
// One of the command line.
Condition stated_condition(const std::string& text);
// The locations that the conditions name; fails, with a caret, where one cannot be read.
base::Result<std::vector<race::NamedLocation>> names_in(const std::vector<Condition>& conditions);

struct ProofRequest {
  std::string name;           // of the test that is made
  std::string model = "ptx";  // a name or a path
  std::vector<Condition> conditions;
  model::Progress progress = model::Progress::fair;
  bool of_ptx = false;  // the file is a text of PTX
  std::size_t most_actors = 16;
  bool first_failure = false;  // what is behind the first property that is violated is not asked
  // Proved only if the fence of a sequentially consistent access may stand on either side of it, as C++ leaves it.
  bool either_side = false;
  model::Limits limits;  // of all questions together
};

enum class ProofAnswer : std::uint8_t { proved, violated, unknown };
std::string_view to_string(ProofAnswer answer);

// One step of an execution that shows a violation.
struct ProofStep {
  race::Place place;
  std::string text;                 // "reads flag = 1"
  std::optional<race::Place> from;  // of the write that is read, if it is not the initial one
  bool initial = false;             // reads what was there before the launch
};
struct ProofThread {
  std::uint64_t block = 0, number = 0;
  std::vector<ProofStep> steps;
};

struct ProofProperty {
  enum class Kind : std::uint8_t { race, assertion, condition, valid, followed, ends };
  Kind kind = Kind::race;
  std::string what;                  // "assert(x == 1)", "no data race"
  std::optional<race::Place> place;  // of the assertion
  ProofAnswer answer = ProofAnswer::unknown;
  std::string reason;                // of unknown, or more about a violation
  std::vector<ProofThread> witness;  // of a violation
  std::vector<std::string> story;    // of threads that do not end
  double seconds = 0;
};
std::string_view to_string(ProofProperty::Kind kind);

struct LeftOutThreads {
  std::uint64_t count = 0;
  std::optional<std::size_t> like;  // an actor that does the same, by number; none: they share no memory
};

struct Proof {
  ProofAnswer answer = ProofAnswer::unknown;
  std::string reason;         // of unknown, if no property tells it
  std::string kernel, model;  // `kernel` is empty if nothing was evaluated
  std::string holds_for;      // the code, and what is taken for granted
  // It is not known to be proved if the fences of sequentially consistent accesses stand behind them.
  bool fences_in_front = false;
  race::LaunchShape launch;
  std::vector<std::string> arguments;
  std::vector<ProofProperty> properties;
  std::vector<ProofThread> actors;  // without steps, in the order of the test's threads
  std::vector<LeftOutThreads> left_out;
  std::optional<litmus::LitmusTest> test;  // asks for what must not happen
  std::string test_text;
};

// The answer for a launch whose threads could not be evaluated: unknown, for this reason.
Proof not_evaluated(const ProofRequest& request, const std::string& reason);
// Fails if the request is wrong: an assertion names what is not there, or a model is not known.
base::Result<Proof> prove(const residual::Residual& residual, const ProofRequest& request);

}  // namespace weakspot::prove
