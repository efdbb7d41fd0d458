// SPDX-License-Identifier: MIT
#include "prove/repair/trials.h"

#include <algorithm>

namespace weakspot::prove {

Trials::Trials(const FencesRequest& request, bool either_side) : request_(request), either_side_(either_side) {}

std::optional<std::chrono::milliseconds> Trials::left() const {
  if (request_.limits.time.count() == 0) return std::nullopt;
  const auto used = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - start_);
  return std::max(request_.limits.time - used, std::chrono::milliseconds(0));
}

std::string Trials::ended() const {
  if (request_.limits.stop != nullptr && request_.limits.stop->load()) return "interrupted";
  const std::optional<std::chrono::milliseconds> time = left();
  return time && time->count() == 0 ? "out of time" : "";
}

const Trial& Trials::of(const std::string& text) {
  const auto known = known_.find(text);
  if (known != known_.end()) return known->second;
  ended_.reason = ended();
  if (!ended_.reason.empty()) return ended_;
  ++count_;
  Trial made = try_text(text);
  // What ended early is not known for good.
  if (const std::string now = ended(); made.answer == ProofAnswer::unknown && !now.empty()) {
    ended_.reason = now;
    return ended_;
  }
  return known_.emplace(text, std::move(made)).first->second;
}

Trial Trials::try_text(const std::string& text) const {
  Trial trial;
  // A changed text that takes much longer than others must not take all of the time.
  const std::optional<std::chrono::milliseconds> time = left();
  const EvaluatedText evaluated = request_.evaluate(text, time.value_or(std::chrono::milliseconds(0)));
  if (!evaluated.residual) {
    trial.reason = evaluated.problem;
    return trial;
  }
  ProofRequest proof = request_.proof;
  proof.first_failure = true;
  proof.either_side = either_side_;
  proof.limits.stop = request_.limits.stop;
  if (time) proof.limits.time = std::max(left().value_or(*time), std::chrono::milliseconds(1));
  const base::Result<Proof> made = prove(*evaluated.residual, proof);
  if (!made) {
    trial.reason = made.errors().front().message;
    return trial;
  }
  trial.answer = made->answer;
  trial.reason = made->reason;
  for (const ProofProperty& property : made->properties) {
    if (property.answer == ProofAnswer::violated && !trial.failure) trial.failure = property;
    if (property.answer == ProofAnswer::unknown && trial.reason.empty()) {
      trial.reason = property.reason.empty() ? property.what : property.what + ": " + property.reason;
    }
  }
  return trial;
}

}  // namespace weakspot::prove
