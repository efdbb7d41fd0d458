// SPDX-License-Identifier: MIT
#include "model/budget/allowance.h"

#include <fmt/format.h>

#include <iterator>

namespace weakspot::model {
namespace {

// "512 MiB": in the largest unit that gives a whole number.
std::string size_text(std::uint64_t bytes) {
  static constexpr std::string_view kUnits[] = {"bytes", "KiB", "MiB", "GiB"};
  std::size_t unit = 0;
  for (; unit + 1 < std::size(kUnits) && bytes % 1024 == 0; ++unit) bytes /= 1024;
  return fmt::format("{} {}", bytes, kUnits[unit]);
}

}  // namespace

Allowance::Allowance(const Limits& limits, Clock::time_point start)
    : end_(start + limits.time), time_(limits.time), memory_(limits.memory), stop_(limits.stop) {}

bool Allowance::look() {
  steps_ = 0;
  if (used_up_) return true;
  if (stop_ != nullptr && stop_->load(std::memory_order_relaxed)) {
    give_up("interrupted");
  } else if (time_.count() != 0 && Clock::now() > end_) {
    give_up(fmt::format("gave up after {} ms", time_.count()));
  }
  return used_up_;
}

void Allowance::out_of_memory() { give_up(fmt::format("gave up at {} of memory", size_text(memory_))); }

void Allowance::give_up(std::string reason) {
  if (!used_up_) reason_ = std::move(reason);
  used_up_ = true;
}

}  // namespace weakspot::model
