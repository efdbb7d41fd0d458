// SPDX-License-Identifier: MIT
// Translates the residual of a launch's threads to a litmus test.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "litmus/test.h"
#include "prove/assertion/assertion.h"
#include "prove/prove.h"
#include "residual/residual.h"

namespace weakspot::prove {

struct Translation {
  std::string problem;  // why there is no test; else empty
  std::string text;     // of the test, with a condition that is never wrong
  litmus::LitmusTest test;
  std::vector<std::size_t> actors;  // threads of the residue, by thread of the test
  std::vector<LeftOutThreads> left_out;
  std::vector<std::vector<std::size_t>> rows;  // by thread and row of the text: the instruction, kNoInstruction: none
  std::vector<residual::Stop> stops;           // those of the residue, and of memory that is read before it is set
  std::vector<std::string> stopped;            // by stop: the proposition that a thread ended there
  std::vector<std::string> failed;             // by assertion: the proposition that it does not hold
  std::map<std::string, std::string, std::less<>> names;  // in the source, by location of the test

  std::set<std::string, std::less<>> unset;  // locations that nobody sets before the launch

  static constexpr std::size_t kNoInstruction = ~std::size_t{0};
};

base::Result<Translation> translate(const residual::Residual& residual, const std::vector<Assertion>& assertions,
                                    const ProofRequest& request);
// The translated test with another question.
base::Result<litmus::LitmusTest> asked(const Translation& translation, const std::string& proposition);

}  // namespace weakspot::prove
