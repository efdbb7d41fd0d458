// SPDX-License-Identifier: MIT
#include "race/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "race/entry.h"

namespace weakspot::race {
namespace {

constexpr std::int64_t kLargest = 4096;  // the largest made-up size
constexpr std::uint64_t kDynamicShared = 32 * 1024;

bool is_integer(const ParameterFacts& parameter) {
  return !parameter.pointer && !parameter.floating && !parameter.structure;
}

}  // namespace

InputSource::InputSource(const KernelFacts& facts, LaunchSpec fixed, bool shape_fixed, std::uint64_t seed)
    : facts_(facts), fixed_(std::move(fixed)), shape_fixed_(shape_fixed), seed_(seed), rng_(seed) {
  list_shapes();
}

void InputSource::list_shapes() {
  if (shape_fixed_) {
    shapes_.push_back(fixed_);
    return;
  }
  std::vector<Extent> blocks;
  auto add = [&](std::uint32_t x, std::uint32_t y, std::uint32_t z) {
    const Extent block{x, y, z};
    if (block.count() <= facts_.most_threads && std::find(blocks.begin(), blocks.end(), block) == blocks.end())
      blocks.push_back(block);
  };
  // Sides of tiles in the code are the likeliest sides of blocks.
  for (const std::int64_t factor : facts_.factors) {
    if (factor < 4 || factor > kMaxBlockThreads) continue;
    const auto side = static_cast<std::uint32_t>(factor);
    if (facts_.block_axes == 1) add(side, 1, 1);
    if (facts_.block_axes == 2 && side <= 32) add(side, side, 1);
    if (facts_.block_axes == 3 && side <= 10) add(side, side, side);
  }
  for (const Extent& tile : tile_blocks(facts_)) add(tile.x, tile.y, 1);
  if (facts_.block_axes == 1) {
    for (const std::uint32_t side : {64u, 32u, 128u, 256u, 33u, 1u, 96u, 31u, 512u}) add(side, 1, 1);
  } else if (facts_.block_axes == 2) {
    if (!facts_.uses_x) add(1, 64, 1), add(1, 128, 1);
    add(8, 8, 1), add(16, 16, 1), add(32, 4, 1), add(16, 4, 1), add(4, 16, 1), add(33, 2, 1), add(5, 7, 1),
        add(1, 1, 1);
  } else {
    add(4, 4, 4), add(8, 4, 2), add(8, 8, 8), add(3, 5, 2), add(32, 2, 2), add(1, 1, 1);
  }
  if (facts_.block) blocks = {*facts_.block};
  std::vector<Extent> grids{{2, 1, 1}, {1, 1, 1}, {3, 1, 1}};
  // One block first: what it shows by itself needs no other.
  if (facts_.grid_axes == 0) grids = {{1, 1, 1}, {2, 1, 1}};
  if (facts_.grid_axes >= 2) grids = {{2, 2, 1}, {1, 1, 1}, {3, 2, 1}, {1, 2, 1}};
  if (facts_.grid_axes >= 3) grids.push_back({2, 2, 2});
  // Blocks that do the same are not supposed where a compiler left out what would tell them apart.
  if (facts_.one_block || (facts_.compiled_sizes && facts_.has_equal_blocks())) grids = {{1, 1, 1}};
  for (Extent& grid : grids) grid = grid.rounded_up(facts_.cluster);
  for (const Extent& block : blocks) {
    for (const Extent& grid : grids) shapes_.push_back({.grid = grid, .block = block});
  }
  // Small ones first: what they show is easier to understand.
  std::vector<LaunchShape> later;
  std::erase_if(shapes_, [&](const LaunchShape& shape) {
    const bool early = shape.block.count() <= 256 && shape.block.x >= 4;
    if (!early) later.push_back(shape);
    return !early;
  });
  shapes_.insert(shapes_.end(), later.begin(), later.end());
}

bool InputSource::is_fixed(const std::string& name) const { return find_argument(fixed_, name) != nullptr; }

std::int64_t InputSource::size(const LaunchSpec& launch) {
  const auto threads = static_cast<std::int64_t>(launch.threads());
  const std::int64_t block = launch.block.x;
  const std::int64_t across = block * launch.grid.x, down = std::int64_t{launch.block.y} * launch.grid.y;
  std::vector<std::int64_t> sizes = {threads,   threads,   threads - 1, threads + 1, across, down, block, block - 1,
                                     block + 1, 2 * block, threads / 2, 2 * threads, 0,      1,    2,     3,
                                     31,        32,        33,          8,           16,     17,   64,    100};
  for (const std::int64_t constant : facts_.compared) {
    sizes.insert(sizes.end(), {constant - 1, constant, constant + 1});
  }
  // The distance at which two guarded indices that differ by a size would meet.
  if (facts_.compared.size() > 1 && rng_.percent(25))
    return std::clamp<std::int64_t>(std::abs(pick(facts_.compared) - pick(facts_.compared)), 0, kLargest);
  for (const std::int64_t constant : facts_.factors) sizes.insert(sizes.end(), {constant, 2 * constant, constant + 1});
  return std::clamp<std::int64_t>(pick(sizes), 0, kLargest);
}

std::string InputSource::contents(const ParameterFacts& parameter, const LaunchSpec& launch, bool natural) {
  if (parameter.atomic && (natural || rng_.percent(80))) return "zero";
  if (natural) return parameter.limits || parameter.index ? "iota" : "random:0:15";
  const auto threads = static_cast<std::int64_t>(launch.threads());
  std::vector<std::string> fills = {
      "zero",       "one",    "iota",       "random:0:15", "permutation",
      "duplicates", "sorted", "random:0:1", "random",      fmt::format("random:0:{}", threads - 1)};
  if (!parameter.index) fills.insert(fills.end(), {"random:-8:8", "equal:-1"});
  if (parameter.type.starts_with("float") || parameter.type.starts_with("double")) fills.emplace_back("special");
  // Contents on either side of a constant that the code compares with.
  if (!facts_.compared.empty() && rng_.percent(40)) {
    const std::int64_t constant = pick(facts_.compared);
    fills = {fmt::format("equal:{}", constant), fmt::format("random:{}:{}", constant - 1, constant + 1),
             fmt::format("random:{}:{}", std::min<std::int64_t>(0, constant), std::max<std::int64_t>(constant + 1, 3))};
  }
  return pick(fills);
}

ArgumentSpec InputSource::argument(const ParameterFacts& parameter, const LaunchSpec& launch, bool natural) {
  ArgumentSpec argument;
  argument.name = parameter.name;
  if (parameter.pointer) {
    argument.type = parameter.type.empty() ? "int" : parameter.type;
    argument.count = std::max<std::uint64_t>(2 * launch.threads(), 64);
    argument.fill = contents(parameter, launch, natural);
  } else if (parameter.floating) {
    argument.value = natural ? "1" : pick(std::vector<std::string>{"1", "0", "0.5", "-1", "1000", "inf", "nan"});
  } else {
    argument.value = std::to_string(natural ? static_cast<std::int64_t>(launch.threads()) : size(launch));
  }
  return argument;
}

void InputSource::finish(Input& input, std::uint64_t number) {
  keep_asserted(facts_, fixed_, shape_fixed_, input.launch);
  input.seed = seed_ + number;
  static constexpr Schedule kOrders[] = {Schedule::forward, Schedule::reversed, Schedule::random};
  input.schedule = {kOrders[number % 3], 0};
  if (!shape_fixed_) {
    input.launch.shared = facts_.shared > 0 ? facts_.shared : facts_.dynamic_shared ? kDynamicShared : 0;
    input.launch.cooperative = facts_.cooperative;
    input.launch.cluster = facts_.cluster;
  }
}

Input InputSource::make(std::uint64_t number) {
  Input input;
  input.launch = fixed_;
  const bool natural = number < 2 * std::min<std::size_t>(shapes_.size(), 6);
  const LaunchShape& shape = natural ? shapes_[number / 2] : pick(shapes_);
  input.launch.grid = shape.grid;
  input.launch.block = shape.block;
  // Sizes that belong together are often equal.
  const std::string common =
      std::to_string(natural ? static_cast<std::int64_t>(input.launch.threads()) : size(input.launch));
  const bool alike = natural || rng_.percent(50);
  for (const ParameterFacts& parameter : facts_.parameters) {
    if (parameter.structure || is_fixed(parameter.name)) continue;
    ArgumentSpec made = argument(parameter, input.launch, natural && number % 2 == 0);
    if (alike && is_integer(parameter)) made.value = common;
    input.launch.arguments.push_back(std::move(made));
  }
  finish(input, number);
  return input;
}

Input InputSource::mutated(const Input& parent, std::uint64_t number) {
  Input input = parent;
  const std::uint64_t changes = 1 + rng_.below(2);
  for (std::uint64_t i = 0; i < changes; ++i) {
    if (!shape_fixed_ && rng_.percent(25)) {
      const LaunchShape& shape = pick(shapes_);
      input.launch.grid = shape.grid;
      input.launch.block = shape.block;
      continue;
    }
    if (facts_.parameters.empty()) break;
    const ParameterFacts& parameter = pick(facts_.parameters);
    ArgumentSpec* argument = find_argument(input.launch, parameter.name);
    if (argument == nullptr || is_fixed(parameter.name)) continue;
    const std::int64_t old = std::strtoll(argument->value.c_str(), nullptr, 10);
    *argument = this->argument(parameter, input.launch, false);
    // Small steps are as frequent as jumps.
    if (is_integer(parameter) && rng_.percent(50)) {
      argument->value = std::to_string(std::clamp<std::int64_t>(old + rng_.between(-2, 2), 0, kLargest));
    }
  }
  finish(input, number);
  return input;
}

}  // namespace weakspot::race
