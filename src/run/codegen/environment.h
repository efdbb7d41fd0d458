// SPDX-License-Identifier: MIT
// A test environment: how a test is run. Every parameter has one row in a table, shared by validation, the text and
// JSON forms, and random drawing.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace weakspot::base {
class JsonValue;
class Mistakes;
}  // namespace weakspot::base

namespace weakspot::codegen {

enum class Mode : std::uint8_t { pte, site };
enum class Assignment : std::uint8_t { all, one };
enum class Pairing : std::uint8_t { stripe, half, neighbour, next };
enum class Neighbours : std::uint8_t { apart, together, both };
enum class RoleOrder : std::uint8_t { ascending, descending, by_warp, by_block, by_lane };
enum class ResultStore : std::uint8_t { end, reversed, at_once };
enum class BarrierKind : std::uint8_t { none, block, partner, grid };
enum class Layout : std::uint8_t { interleaved, arrays };
enum class StressSpread : std::uint8_t { word, line };
enum class AccessWidth : std::uint8_t { natural, wide };
enum class MemoryKind : std::uint8_t { pinned, managed, managed_cpu };
enum class Weaken : std::uint8_t { none, release, acquire, fence, scope, rmw, swap, dependency };

// The table in environment.cpp and docs/stress.md give the meaning, range and default of each field.
struct TestEnvironment {
  Mode mode = Mode::pte;
  int testing_workgroups = 0;
  int max_workgroups = 0;
  int workgroup_size = 64;
  int occupancy_percent = 100;
  Assignment assignment = Assignment::all;
  Pairing pairing = Pairing::stripe;
  Neighbours neighbours = Neighbours::apart;
  RoleOrder role_order = RoleOrder::ascending;
  ResultStore result_store = ResultStore::end;
  int shuffle_percent = 0;

  BarrierKind barrier = BarrierKind::grid;
  int barrier_percent = 100;
  int barrier_spacing = 1;
  int spin_bound = 4096;
  int access_gap = 0;
  int pre_read_percent = 0;
  int start_delay = 0;
  int start_spread = 2000;

  Layout layout = Layout::interleaved;
  int memory_stride = 1;
  int second_stride = 0;
  AccessWidth access_width = AccessWidth::natural;
  int permute_threads = 0;
  int permute_locations = 0;
  MemoryKind memory_kind = MemoryKind::pinned;

  int memory_stress_percent = 0;
  int pre_stress_percent = 0;
  int stress_line_words = 64;
  int stress_target_lines = 2;
  int scratch_words = 0;
  StressSpread stress_spread = StressSpread::word;
  int memory_stress_iterations = 1024;
  int pre_stress_iterations = 128;
  int strategy_balance_percent = 100;
  int memory_store_first_percent = 0;
  int memory_store_second_percent = 100;
  int pre_store_first_percent = 0;
  int pre_store_second_percent = 100;

  int iterations = 256;
  int loop_bound = 64;

  Weaken weaken = Weaken::none;

  friend bool operator==(const TestEnvironment&, const TestEnvironment&) = default;
};

// One row of the table. Choices are kept as the index of their name.
struct Parameter {
  enum class Kind : std::uint8_t { number, percent, power_of_two, choice };

  std::string_view name;
  std::string_view historic_name;  // in the data of the MC Mutants study; empty if the study does not have it
  Kind kind = Kind::number;
  int low = 0;  // kind power_of_two: the value, not the exponent
  int high = 0;
  bool zero_is_automatic = false;  // 0 is allowed outside [low, high] and means: choose for me
  std::span<const std::string_view> choices;
  std::string_view group;    // heading in the manual
  std::string_view meaning;  // a sentence
  int (*get)(const TestEnvironment&) = nullptr;
  void (*set)(TestEnvironment&, int) = nullptr;

  int default_value() const { return get(TestEnvironment{}); }
  bool accepts(int value) const;
  std::string range_text() const;                        // "1 to 1024", "word or line", "a power of two from 2 to 1024"
  std::string value_text(int value) const;               // a number or a choice's name
  std::optional<int> read(std::string_view text) const;  // the inverse; does not check the range
};

std::span<const Parameter> parameters();
const Parameter* find_parameter(std::string_view name);

// A named environment to start from.
struct Preset {
  std::string_view name;
  std::string_view meaning;
  TestEnvironment environment;
};
std::span<const Preset> presets();
const Preset* find_preset(std::string_view name);

// Checks every parameter's range and that the parameters agree with each other; reports all mistakes at once.
base::Status validate(const TestEnvironment& environment);

// "PRESET" or "k=v,..." or both, "stress,workgroup_size=32,barrier=none". Mistakes point into the text.
base::Result<TestEnvironment> parse_environment(const base::Source& text);
// The differences from the defaults, in the same form; "basic" if there are none. Parses back to the same value.
std::string to_text(const TestEnvironment& environment);

// A flat JSON object with every parameter. The reader fills in defaults, understands historic names, and ignores
// historic parameters without a counterpart.
base::JsonValue to_json(const TestEnvironment& environment);
std::optional<TestEnvironment> environment_from_json(const base::JsonValue& value, base::Mistakes& mistakes);
base::Result<TestEnvironment> environment_from_json(const base::Source& text);

// The part of docs/stress.md that comes from the table: presets and parameters.
std::string parameter_manual();

}  // namespace weakspot::codegen
