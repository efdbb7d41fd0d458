// SPDX-License-Identifier: MIT
// The fences, orders and scopes of a source that a launch needs, and those that it lacks.
//
// Each answer comes from a proof: the source is changed, compiled, evaluated and judged again. Nothing is said of a
// change that was not tried, and nothing is called weakest unless all that is weaker was tried or ruled out.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "prove/prove.h"

namespace weakspot::prove {

// The threads of the launch, evaluated with a changed text of the file; without them, `problem` says why.
struct EvaluatedText {
  std::optional<residual::Residual> residual;
  std::string problem;
};
using EvaluateText = std::function<EvaluatedText(const std::string& text, std::chrono::milliseconds left)>;

struct FencesRequest {
  std::string file, text;
  ProofRequest proof;
  EvaluateText evaluate;
  model::Limits limits;  // `time` for all of it; 0: no limit
};

// A fence, an order or a scope that the source has.
struct PresentWord {
  enum class Answer : std::uint8_t { needed, weaker, too_many, unknown };

  race::Place place;
  std::string text;  // "__threadfence();"
  Answer answer = Answer::unknown;
  std::string instead;                   // weaker: the weakest form that suffices
  std::string without;                   // the form that was tried and is refuted, empty: none at all
  std::string reason;                    // of unknown
  std::optional<ProofProperty> failure;  // what the refuted form allows, in lines of the source
};
std::string_view to_string(PresentWord::Answer answer);

struct SourceChange {
  unsigned line = 0;
  std::string before, after;  // what is written, and what is to be; empty: nothing
  // For an insertion: the statement beside it, and on which side of it the insertion stands.
  std::string beside;
  bool behind = false;
};

// Changes with which the launch is proved.
struct SourceRepair {
  std::vector<SourceChange> changes;
  bool weakest = false;  // everything weaker was judged and refuted, and the search was complete
  std::string patch;     // a unified diff; the text that it makes is proved itself
};

struct ProofFences {
  ProofAnswer answer = ProofAnswer::unknown;  // of the source as it is
  std::vector<PresentWord> present;           // of a proved launch
  std::vector<SourceRepair> repairs;          // proved: with less of what is there; violated: with more. Cheapest first
  std::size_t judged = 0;                     // changed sources
  bool complete = true;                       // else `reason` says what was too much
  std::string reason;
  std::vector<std::string> elsewhere;  // what is there and not tried
};

// `proof` is that of the source as it is.
ProofFences find_proof_fences(const residual::Residual& residual, const Proof& proof, const FencesRequest& request);

}  // namespace weakspot::prove
