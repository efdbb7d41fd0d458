// SPDX-License-Identifier: MIT
// An endless execution in words: the loops that go round, what they read, and the writes that they never see.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "litmus/test.h"
#include "model/execution/frame.h"

namespace weakspot::model {

// A line or more per thread that does not finish.
std::vector<std::string> tell_story(const Candidate& candidate);

// The fate of a thread as far as it is known without a candidate.
struct ThreadFate {
  Ending ending = Ending::finished;
  std::optional<std::size_t> at;                // the instruction that it runs next, or the loop's branch
  std::vector<std::string> reads;               // in the loop, in words
  std::vector<litmus::LocationId> waiting_for;  // physical locations that the loop reads
  std::vector<std::size_t> done;                // instructions that it ran, sorted; if `at` does not say
};

std::vector<std::string> tell_story(const litmus::LitmusTest& test, const std::vector<ThreadFate>& fates);

}  // namespace weakspot::model
