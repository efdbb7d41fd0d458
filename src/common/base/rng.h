// SPDX-License-Identifier: MIT
// The only source of randomness: a generator that is passed in, seeded by the caller, and gives the
// same numbers on every machine (so none of <random>'s distributions, which differ by library).
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace weakspot::base {

// xoshiro256** seeded through splitmix64.
class Rng {
 public:
  explicit Rng(std::uint64_t seed);

  std::uint64_t next();
  // Uniform in [low, high], both included; unbiased. Requires low <= high.
  std::int64_t between(std::int64_t low, std::int64_t high);
  // Uniform in [0, bound). Requires bound > 0.
  std::uint64_t below(std::uint64_t bound);
  // Uniform in [0, 1), 53 bits.
  double unit();
  // True in `percent` of 100 cases.
  bool percent(int percent) { return static_cast<int>(below(100)) < percent; }

  // A generator whose stream is independent of this one's; both go on.
  Rng fork() { return Rng(next()); }

  template <typename T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

 private:
  std::uint64_t state_[4];
};

}  // namespace weakspot::base
