// SPDX-License-Identifier: MIT
// Proofs of changed texts of a source, each made once.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>

#include "prove/fences.h"

namespace weakspot::prove {

struct Trial {
  ProofAnswer answer = ProofAnswer::unknown;
  std::string reason;                    // of unknown
  std::optional<ProofProperty> failure;  // of violated
};

class Trials {
 public:
  // `either_side`: as ProofRequest has it.
  Trials(const FencesRequest& request, bool either_side);

  // Tries nothing more when the time is over or the user wants to stop.
  const Trial& of(const std::string& text);
  std::size_t count() const { return count_; }
  // Zero: none is left; none: no limit.
  std::optional<std::chrono::milliseconds> left() const;
  // "out of time", "interrupted"; else empty.
  std::string ended() const;

 private:
  Trial try_text(const std::string& text) const;

  const FencesRequest& request_;
  const bool either_side_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::map<std::string, Trial> known_;
  std::size_t count_ = 0;
  Trial ended_;
};

}  // namespace weakspot::prove
