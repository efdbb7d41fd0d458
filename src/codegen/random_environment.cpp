// SPDX-License-Identifier: MIT
#include "codegen/random_environment.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "base/names.h"

namespace weakspot::codegen {
namespace {

constexpr base::Named<DrawMode> kDrawModes[] = {
    {"ours", DrawMode::ours},
    {"seedrandom", DrawMode::seedrandom},
    {"park-miller-like", DrawMode::park_miller},
};

// Java's String.hashCode.
std::int32_t java_hash(std::string_view text) {
  std::uint32_t hash = 0;
  for (const char c : text) hash = hash * 31 + static_cast<unsigned char>(c);
  return static_cast<std::int32_t>(hash);
}

constexpr std::int32_t kModulus = 2147483646;

template <typename Enum>
Enum pick(base::Rng& rng, std::initializer_list<Enum> choices) {
  return *(choices.begin() + rng.below(choices.size()));
}

int power_of_two(base::Rng& rng, int low_exponent, int high_exponent) {
  return 1 << rng.between(low_exponent, high_exponent);
}

int number(base::Rng& rng, int low, int high) { return static_cast<int>(rng.between(low, high)); }

}  // namespace

Arc4Random::Arc4Random(std::string_view seed) {
  WEAKSPOT_CHECK(!seed.empty());
  std::array<std::uint8_t, 256> key{};
  std::uint32_t smear = 0;
  for (std::size_t i = 0; i < seed.size(); ++i) {
    std::uint8_t& slot = key[i % key.size()];
    smear ^= slot * 19u;
    slot = static_cast<std::uint8_t>(smear + static_cast<unsigned char>(seed[i]));
  }
  const std::size_t length = std::min(seed.size(), key.size());
  for (std::size_t i = 0; i < state_.size(); ++i) state_[i] = static_cast<std::uint8_t>(i);
  std::uint8_t j = 0;
  for (std::size_t i = 0; i < state_.size(); ++i) {
    j = static_cast<std::uint8_t>(j + key[i % length] + state_[i]);
    std::swap(state_[i], state_[j]);
  }
  for (int i = 0; i < 256; ++i) next_byte();
}

std::uint8_t Arc4Random::next_byte() {
  i_ = static_cast<std::uint8_t>(i_ + 1);
  j_ = static_cast<std::uint8_t>(j_ + state_[i_]);
  std::swap(state_[i_], state_[j_]);
  return state_[static_cast<std::uint8_t>(state_[i_] + state_[j_])];
}

// 48 bits are drawn first and extended, byte by byte, until at least 52 are significant.
double Arc4Random::next() {
  constexpr double kSignificance = 0x1.0p52;
  constexpr double kOverflow = 0x1.0p53;
  double numerator = 0;
  for (int i = 0; i < 6; ++i) numerator = numerator * 256 + next_byte();
  double denominator = 0x1.0p48;
  std::uint32_t extra = 0;
  while (numerator < kSignificance) {
    numerator = (numerator + extra) * 256;
    denominator *= 256;
    extra = next_byte();
  }
  while (numerator >= kOverflow) {
    numerator /= 2;
    denominator /= 2;
    extra >>= 1;
  }
  return (numerator + extra) / denominator;
}

ParkMillerLike::ParkMillerLike(std::string_view seed) : state_(java_hash(seed)) {
  // Two's complement wrap-around, as in the original.
  if (state_ <= 0) state_ = static_cast<std::int32_t>(static_cast<std::uint32_t>(state_) + kModulus);
}

std::int32_t ParkMillerLike::next() {
  const auto product = static_cast<std::int32_t>(static_cast<std::uint32_t>(state_) * 16807u);
  state_ = product % kModulus;
  if (state_ < 0) state_ += kModulus;
  return state_;
}

std::string_view to_string(DrawMode mode) { return base::name_of(kDrawModes, mode); }
std::optional<DrawMode> draw_mode_named(std::string_view name) { return base::value_of(kDrawModes, name); }

TestEnvironment draw_historic(const Draw& draw, const DrawLimits& limits, bool fixed_size) {
  auto percent = [&] { return fixed_size ? draw(0, 1) * 100 : draw(0, 100); };
  TestEnvironment e;
  e.testing_workgroups = draw(limits.min_workgroups, limits.workgroups);
  e.workgroup_size = fixed_size ? 256 : draw(1, limits.workgroup_size);
  e.max_workgroups = draw(e.testing_workgroups, limits.workgroups);
  e.stress_line_words = 1 << draw(2, 10);
  e.stress_target_lines = draw(1, 16);
  e.memory_stride = draw(1, 7);
  e.shuffle_percent = percent();
  e.barrier_percent = percent();
  e.memory_stress_percent = percent();
  e.pre_stress_percent = percent();
  e.scratch_words = 32 * e.stress_line_words * e.stress_target_lines;
  e.memory_stress_iterations = draw(0, 1024);
  e.pre_stress_iterations = draw(0, 128);
  e.strategy_balance_percent = percent();
  e.memory_store_first_percent = percent();
  e.memory_store_second_percent = percent();
  e.pre_store_first_percent = percent();
  e.pre_store_second_percent = percent();
  e.permute_threads = fixed_size ? 109 : 419;
  e.permute_locations = fixed_size ? 419 : 1031;
  return e;
}

TestEnvironment draw_historic(DrawMode mode, std::string_view seed, std::size_t index, const DrawLimits& limits) {
  WEAKSPOT_CHECK(mode != DrawMode::ours);
  TestEnvironment environment;
  if (mode == DrawMode::seedrandom) {
    Arc4Random random(seed);
    const Draw draw = [&](int low, int high) {
      return static_cast<int>(std::floor(random.next() * (high - low + 1) + low));
    };
    for (std::size_t i = 0; i <= index; ++i) environment = draw_historic(draw, limits, true);
  } else {
    ParkMillerLike random(seed);
    const Draw draw = [&](int low, int high) { return random.next() % (high - low + 1) + low; };
    for (std::size_t i = 0; i <= index; ++i) environment = draw_historic(draw, limits, false);
  }
  return environment;
}

TestEnvironment draw_environment(base::Rng& rng, const TestEnvironment& base, const DrawLimits& limits) {
  auto percent = [&] { return pick(rng, {0, 100, 100, number(rng, 0, 100)}); };
  TestEnvironment e = base;
  int largest = 5;
  while (largest < 10 && (1 << (largest + 1)) <= limits.workgroup_size) ++largest;
  e.workgroup_size = power_of_two(rng, 5, largest);
  e.occupancy_percent = pick(rng, {25, 50, 100, number(rng, 5, 100)});
  e.pairing = pick(rng, {Pairing::stripe, Pairing::half, Pairing::half, Pairing::neighbour, Pairing::next});
  e.assignment = pick(rng, {Assignment::all, Assignment::all, Assignment::one});
  e.role_order = pick(rng, {RoleOrder::ascending, RoleOrder::descending, RoleOrder::by_warp, RoleOrder::by_block});
  e.result_store = pick(rng, {ResultStore::end, ResultStore::end, ResultStore::reversed, ResultStore::at_once});
  e.shuffle_percent = pick(rng, {0, 0, 100});
  e.barrier = pick(rng, {BarrierKind::none, BarrierKind::block, BarrierKind::partner, BarrierKind::grid});
  e.barrier_percent = 100;
  e.barrier_spacing = power_of_two(rng, 0, 3);
  e.layout = pick(rng, {Layout::interleaved, Layout::arrays});
  e.memory_stride = power_of_two(rng, 0, 5);
  e.second_stride = e.layout == Layout::arrays ? power_of_two(rng, 0, 5) : 0;
  e.memory_stress_percent = rng.percent(50) ? percent() : 0;
  e.pre_stress_percent = rng.percent(50) ? percent() : 0;
  e.stress_line_words = power_of_two(rng, 2, 10);
  e.stress_target_lines = number(rng, 1, 16);
  e.stress_spread = pick(rng, {StressSpread::word, StressSpread::line});
  e.memory_stress_iterations = power_of_two(rng, 4, 10);
  e.pre_stress_iterations = power_of_two(rng, 0, 7);
  e.strategy_balance_percent = pick(rng, {0, 100});
  e.memory_store_first_percent = percent();
  e.memory_store_second_percent = percent();
  e.pre_store_first_percent = percent();
  e.pre_store_second_percent = percent();
  e.testing_workgroups = 0;
  e.max_workgroups = 0;
  e.scratch_words = 0;
  // Keeping neighbours together is often best.
  e.permute_threads = pick(rng, {0, 1});
  e.permute_locations = pick(rng, {0, 1});
  e.access_gap = rng.percent(25) ? power_of_two(rng, 0, 9) : 0;
  e.pre_read_percent = pick(rng, {0, 0, 0, 50});
  return e;
}

}  // namespace weakspot::codegen
