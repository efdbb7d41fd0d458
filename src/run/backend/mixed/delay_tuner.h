// SPDX-License-Identifier: MIT
// Finds, by trying, how late one side of a CPU and a GPU must start for their accesses to meet.
#pragma once

#include <cstdint>
#include <vector>

namespace weakspot::backend {

// Delays are nanoseconds of the CPU behind the GPU; negative: of the GPU behind the CPU. First a ladder of delays is
// tried, then steps around the best one.
class DelayTuner {
 public:
  // `asked` is used always, unless it is 0.
  explicit DelayTuner(std::int32_t asked = 0);

  // The delay for the next round.
  std::int32_t next() const;
  // Notes the score of a round with next(): the more its outcomes varied, the better.
  void note(double score);
  bool tunes() const { return at_ < candidates_.size(); }

 private:
  std::vector<std::int32_t> candidates_;
  std::size_t at_ = 0;
  bool refined_ = false;
  std::int32_t best_ = 0;
  double best_score_ = -1;
};

// The entropy of outcomes that were seen so often, in bits: 0 if only one was.
double variety(const std::vector<std::uint64_t>& counts);

}  // namespace weakspot::backend
