// SPDX-License-Identifier: MIT
// Does a test always end? Under a memory model, and under a progress model: what a device promises to schedule.
//
// A test may not end if some thread goes round a loop for ever, or waits for ever at a barrier, while every thread that
// the progress model promises to schedule has finished or waits as well. What a loop reads for ever is what is last in
// coherence: every write is seen by everyone sooner or later. Nothing fails for no reason each time (weak
// compare-and-swaps, store-exclusives).
//
// The progress models are those of Sorensen et al. (CONCUR 2018, OOPSLA 2021). A thread of the test is what they
// schedule, whatever its workgroup; docs/progress.md has the definitions.
//
//   const ProgressVerdict verdict = ends(test, *model, Progress::obe);
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/limits.h"
#include "model/progress_model.h"

namespace weakspot::litmus {
struct LitmusTest;
}  // namespace weakspot::litmus

namespace weakspot::model {

class Model;

struct ProgressVerdict {
  enum class Answer : std::uint8_t { ends, endless, unknown };
  Answer answer = Answer::unknown;
  std::string reason;  // for unknown
  // For people, where it may not end: what each thread does for ever, and which writes are never seen.
  std::vector<std::string> story;
  double seconds = 0;
};

std::string_view to_string(ProgressVerdict::Answer answer);  // ends endless unknown

// Loops that write to a single location, in atomic accesses whose scopes cover every thread, are decided for models
// that declare themselves coherent.
ProgressVerdict ends(const litmus::LitmusTest& test, const Model& model, Progress progress, const Limits& limits = {});

}  // namespace weakspot::model
