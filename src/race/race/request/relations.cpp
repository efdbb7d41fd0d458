// SPDX-License-Identifier: MIT
// Relations that kernels rely on, among the sizes, the shape of the launch and the contents of arrays.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "race/entry.h"
#include "race/inputs.h"

namespace weakspot::race {
namespace {

constexpr std::int64_t kSmallestSide = 8;  // side of a tile that a block may have to fit into
constexpr std::int64_t kWarpSize = 32;
constexpr std::int64_t kFewBlocks = 4;  // blocks that may have parts of their own

std::int64_t number_of(const LaunchSpec& launch, const std::string& name) {
  const ArgumentSpec* argument = find_argument(launch, name);
  return argument == nullptr ? 0 : std::strtoll(argument->value.c_str(), nullptr, 10);
}

void set_number(Input& input, const std::string& name, std::int64_t value) {
  if (ArgumentSpec* argument = find_argument(input.launch, name)) argument->value = std::to_string(value);
}

bool is_count(const ParameterFacts& parameter) {
  return !parameter.pointer && !parameter.floating && !parameter.structure;
}

std::int64_t threads_across(const Input& input) { return std::int64_t{input.launch.block.x} * input.launch.grid.x; }

// Numbers in the code that may be sides of a block. Nobody launches blocks with rows of less than a warp.
std::vector<std::int64_t> sides_of(const KernelFacts& facts, bool also_doubled) {
  std::vector<std::int64_t> sides;
  const std::int64_t least = facts.block_axes == 1 ? kWarpSize : kSmallestSide;
  auto add = [&](std::int64_t side) {
    if (side >= least && side <= 1024) sides.push_back(side);
  };
  for (const std::int64_t factor : facts.factors) {
    add(factor);
    if (also_doubled) add(2 * factor);
  }
  if (also_doubled) {
    for (const std::int64_t constant : facts.compared) {
      add(constant);
      add(2 * constant);
    }
  }
  std::sort(sides.rbegin(), sides.rend());
  sides.erase(std::unique(sides.begin(), sides.end()), sides.end());
  return sides;
}

class RelationList {
 public:
  explicit RelationList(const KernelFacts& facts) : facts_(facts) {}

  std::vector<Relation> make() {
    if (facts_.block_axes > 1 && !facts_.uses_x) {
      add(
          "blockDim.x == 1", [](const Input& input) { return input.launch.block.x == 1; },
          [](Input& input) { input.launch.block.x = 1; });
    }
    add_pitches();
    add_strides();
    add_sides();
    add_rows();
    add(
        "blockDim.x is a power of two", [](const Input& input) { return std::has_single_bit(input.launch.block.x); },
        [](Input& input) { input.launch.block.x = std::bit_floor(input.launch.block.x); });
    add_contents();
    add_ranges();
    add_roles();
    add_exact_blocks();
    add_tiled_rows();
    add_parts();
    return std::move(relations_);
  }

 private:
  using Holds = std::function<bool(const Input&)>;
  using Repair = std::function<void(Input&)>;

  void add(std::string text, Holds holds, Repair repair) {
    relations_.push_back({std::move(text), false, true, false, false, std::move(holds),
                          [repair = std::move(repair), most = facts_.most_threads](Input& input) {
                            const Input before = input;
                            repair(input);
                            // No launch has such a block: then it is not repaired.
                            if (input.launch.block.count() > most) input = before;
                          }});
  }

  void add_pitches() {
    for (const ParameterFacts& pitch : facts_.parameters) {
      if (!is_count(pitch) || !pitch.factor) continue;
      for (const ParameterFacts& width : facts_.parameters) {
        if (!is_count(width) || !width.bound || width.name == pitch.name) continue;
        add(
            fmt::format("{} >= {}", pitch.name, width.name),
            [a = pitch.name, b = width.name](const Input& input) {
              return number_of(input.launch, a) >= number_of(input.launch, b);
            },
            [a = pitch.name, b = width.name](Input& input) { set_number(input, a, number_of(input.launch, b)); });
        relations_.back().of_launch = false;
      }
    }
  }

  // A block that has to fit into a tile.
  void add_sides() {
    for (const std::int64_t side : sides_of(facts_, false)) {
      for (unsigned axis = 0; axis < facts_.block_axes; ++axis) {
        add(
            fmt::format("blockDim.{} <= {}", "xyz"[axis], side),
            [axis, side](const Input& input) { return input.launch.block[axis] <= side; },
            [axis, side](Input& input) {
              input.launch.block[axis] =
                  std::min<std::uint32_t>(input.launch.block[axis], static_cast<std::uint32_t>(side));
            });
      }
    }
  }

  // Elements of different threads are apart.
  void add_strides() {
    for (const ParameterFacts& stride : facts_.parameters) {
      if (!is_count(stride) || !stride.factor) continue;
      add(
          fmt::format("{} > 0", stride.name),
          [a = stride.name](const Input& input) { return number_of(input.launch, a) > 0; },
          [a = stride.name](Input& input) { set_number(input, a, 1); });
      relations_.back().of_launch = false;
    }
  }

  // A number that is multiplied keeps rows apart.
  void add_rows() {
    for (const ParameterFacts& pitch : facts_.parameters) {
      if (!is_count(pitch) || !pitch.factor) continue;
      add(
          fmt::format("{} >= blockDim.x", pitch.name),
          [a = pitch.name](const Input& input) { return number_of(input.launch, a) >= input.launch.block.x; },
          [a = pitch.name](Input& input) { set_number(input, a, input.launch.block.x); });
      add(
          fmt::format("{} >= blockDim.x * gridDim.x", pitch.name),
          [a = pitch.name](const Input& input) { return number_of(input.launch, a) >= threads_across(input); },
          [a = pitch.name](Input& input) { set_number(input, a, threads_across(input)); });
    }
  }

  // A number that is added to addresses keeps parts apart, each with an element for every thread of the block.
  void add_parts() {
    for (const ParameterFacts& part : facts_.parameters) {
      if (!is_count(part) || !part.offset) continue;
      add(
          fmt::format("{} >= blockDim.x", part.name),
          [a = part.name](const Input& input) { return number_of(input.launch, a) >= input.launch.block.x; },
          [a = part.name](Input& input) { set_number(input, a, input.launch.block.x); });
    }
  }

  // Rows of as many tiles as there are blocks.
  void add_tiled_rows() {
    if (facts_.block_axes != 2) return;
    for (const ParameterFacts& pitch : facts_.parameters) {
      if (!is_count(pitch) || !pitch.factor) continue;
      for (const std::int64_t side : sides_of(facts_, false)) {
        add(
            fmt::format("{} >= {} * gridDim.x", pitch.name, side),
            [a = pitch.name, side](const Input& input) {
              return number_of(input.launch, a) >= side * input.launch.grid.x;
            },
            [a = pitch.name, side](Input& input) { set_number(input, a, side * input.launch.grid.x); });
        const auto s = static_cast<std::uint32_t>(side);
        if (s > 32) continue;
        add(
            fmt::format("blockDim is {0} x {0} and {1} >= {0} * gridDim", side, pitch.name),
            [a = pitch.name, s](const Input& input) {
              const auto& [x, y, z] = input.launch.grid;
              return input.launch.block.x == s && input.launch.block.y == s &&
                     number_of(input.launch, a) >= std::int64_t{s} * std::max(x, y);
            },
            [a = pitch.name, s](Input& input) {
              const auto& [x, y, z] = input.launch.grid;
              input.launch.block = {s, s, 1};
              set_number(input, a, std::int64_t{s} * std::max(x, y));
            });
      }
    }
  }

  void add_contents() {
    for (const ParameterFacts& array : facts_.parameters) {
      if (!array.pointer) continue;
      if (array.index) {
        add_fill(array, "the values of {} are distinct", {"iota", "sorted", "permutation"}, "permutation");
        relations_.back().for_writes = true;
      }
      if (array.limits) add_fill(array, "the values of {} are ascending", {"iota", "sorted"}, "iota");
      if (array.atomic) {
        add_fill(array, "{} is initially zero", {"zero"}, "zero");
        relations_.back().of_launch = relations_.back().assumed = true;
      }
    }
  }

  void add_fill(const ParameterFacts& array, const char* text, std::vector<std::string> good, std::string best) {
    add(
        fmt::format(fmt::runtime(text), array.name),
        [name = array.name, good = std::move(good)](const Input& input) {
          const ArgumentSpec* argument = find_argument(input.launch, name);
          return argument != nullptr && argument->values.empty() &&
                 std::find(good.begin(), good.end(), argument->fill) != good.end();
        },
        [name = array.name, best = std::move(best)](Input& input) {
          if (ArgumentSpec* argument = find_argument(input.launch, name)) {
            argument->fill = best;
            argument->values.clear();
          }
        });
    relations_.back().of_launch = false;
  }

  // Adds ranges: one array says where a part begins and another where it ends.
  void add_ranges() {
    for (const ParameterFacts& first : facts_.parameters) {
      for (const ParameterFacts& last : facts_.parameters) {
        if (!first.pointer || !last.pointer || first.name == last.name || !first.index || !last.limits) continue;
        add(
            fmt::format("the ranges from {} to {} do not overlap", first.name, last.name),
            [a = first.name, b = last.name](const Input& input) {
              const ArgumentSpec* begins = find_argument(input.launch, a);
              const ArgumentSpec* ends = find_argument(input.launch, b);
              return begins != nullptr && ends != nullptr && are_apart(begins->values, ends->values);
            },
            [a = first.name, b = last.name](Input& input) {
              ArgumentSpec* begins = find_argument(input.launch, a);
              ArgumentSpec* ends = find_argument(input.launch, b);
              if (begins == nullptr || ends == nullptr) return;
              const double length = input.launch.block.x;
              begins->values.clear();
              ends->values.clear();
              for (std::uint64_t i = 0; i < begins->count.value_or(0); ++i)
                begins->values.push_back(static_cast<double>(i) * length);
              for (std::uint64_t i = 0; i < ends->count.value_or(0); ++i)
                ends->values.push_back(static_cast<double>(i + 1) * length);
            });
        relations_.back().of_launch = false;
      }
    }
  }

  static bool are_apart(const std::vector<double>& begins, const std::vector<double>& ends) {
    if (begins.empty() || ends.empty()) return false;
    for (std::size_t i = 0; i + 1 < begins.size() && i < ends.size(); ++i) {
      if (ends[i] > begins[i + 1]) return false;
    }
    return true;
  }

  // Threads and blocks that the code names by number must exist, and perhaps no others.
  void add_roles() {
    for (const std::int64_t constant : facts_.roles) {
      if (constant < 0 || constant > kFewBlocks) continue;
      if (constant > 0) {
        add(
            fmt::format("gridDim.x > {}", constant),
            [constant](const Input& input) { return input.launch.grid.x > constant; },
            [constant](Input& input) { input.launch.grid.x = static_cast<std::uint32_t>(constant + 1); });
        relations_.back().for_waits = true;
      }
      add(
          fmt::format("gridDim.x <= {}", constant + 2),
          [constant](const Input& input) { return input.launch.grid.x <= constant + 2; },
          [constant](Input& input) { input.launch.grid.x = static_cast<std::uint32_t>(constant + 2); });
      relations_.back().for_waits = true;
    }
    for (const std::int64_t constant : facts_.compared) {
      if (constant <= 0 || constant > 1023) continue;
      add(
          fmt::format("blockDim.x > {}", constant),
          [constant](const Input& input) { return input.launch.block.x > constant; },
          [constant](Input& input) { input.launch.block.x = static_cast<std::uint32_t>(constant + 1); });
      relations_.back().for_waits = true;
    }
  }

  // A block of exactly the size that the code is written for.
  void add_exact_blocks() {
    if (facts_.block_axes == 3) {
      add(
          "the block has one row", [](const Input& input) { return input.launch.block.y * input.launch.block.z == 1; },
          [](Input& input) {
            input.launch.block = {input.launch.block.x * input.launch.block.y * input.launch.block.z, 1, 1};
          });
      return;
    }
    for (const std::int64_t side : sides_of(facts_, facts_.block_axes == 1)) {
      const auto x = static_cast<std::uint32_t>(side);
      add_exact_block(x, facts_.block_axes == 1 ? 1u : x);
    }
    for (const Extent& tile : tile_blocks(facts_)) {
      if (tile.x != tile.y) add_exact_block(tile.x, tile.y);
    }
  }

  void add_exact_block(std::uint32_t x, std::uint32_t y) {
    if (std::uint64_t{x} * y > facts_.most_threads) return;
    add(
        y == 1 ? fmt::format("blockDim.x == {}", x) : fmt::format("blockDim is {} x {}", x, y),
        [x, y](const Input& input) { return input.launch.block.x == x && (y == 1 || input.launch.block.y == y); },
        [x, y](Input& input) {
          input.launch.block.x = x;
          if (y != 1) input.launch.block.y = y;
        });
  }

  const KernelFacts& facts_;
  std::vector<Relation> relations_;
};

}  // namespace

std::vector<Extent> tile_blocks(const KernelFacts& facts) {
  std::vector<Extent> blocks;
  if (facts.block_axes != 2) return blocks;
  auto add = [&](std::int64_t rows, std::int64_t columns) {
    if (rows < 2 || columns < 2 || rows > 1024 || columns > 1024 || rows * columns > kMaxBlockThreads) return;
    const Extent block{static_cast<std::uint32_t>(columns), static_cast<std::uint32_t>(rows), 1};
    if (std::find(blocks.begin(), blocks.end(), block) == blocks.end()) blocks.push_back(block);
  };
  for (const auto& [rows, columns] : facts.tiles) {
    add(rows, columns);
    if (rows != 1) continue;
    // Rows may lie in a simple array.
    for (const std::int64_t factor : facts.factors) {
      if (factor > 3 && columns % factor == 0) add(columns / factor, factor);
    }
  }
  return blocks;
}

std::vector<Relation> possible_relations(const KernelFacts& facts) { return RelationList(facts).make(); }

}  // namespace weakspot::race
