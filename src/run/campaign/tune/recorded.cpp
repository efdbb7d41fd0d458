// SPDX-License-Identifier: MIT
#include "campaign/recorded.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "base/source.h"
#include "campaign/measured_fields.h"

namespace weakspot::campaign {
namespace {

using base::JsonMember;
using base::JsonValue;

// A long measurement of a fast cell may have more events than can be counted.
std::uint64_t whole_below(double number) {
  return static_cast<std::uint64_t>(std::clamp(number, 0.0, static_cast<double>(kMostCount)));
}

class TableReader {
 public:
  explicit TableReader(const base::Source& source) : source_(source), mistakes_(source) {}

  base::Result<RecordedTable> read() {
    const std::optional<JsonValue> json = base::read_json_text(mistakes_);
    if (!json) return mistakes_.take();
    if (!json->is(JsonValue::Kind::object)) mistakes_.add(json->span(), "expected an object of environments");
    for (const JsonMember& member : json->members()) {
      if (is_environment_number(member.key)) read_environment(member.value);
    }
    if (mistakes_.any()) return mistakes_.take();
    if (table_.environments.empty()) {
      return base::error_in(source_.name(), "the file has no environments: expected keys that are numbers");
    }
    // A test that came late has no cells in the environments before it.
    for (std::vector<Slice>& row : table_.cells) row.resize(table_.environments.size());
    return std::move(table_);
  }

 private:
  void read_environment(const JsonValue& environment) {
    base::JsonFields fields(environment, mistakes_, "an environment");
    const JsonValue* params = fields.take("params", JsonValue::Kind::object, true);
    if (params == nullptr) return;
    const std::size_t number = table_.environments.size();
    table_.environments.push_back(
        codegen::environment_from_json(*params, mistakes_).value_or(codegen::TestEnvironment{}));
    for (const JsonMember& member : environment.members()) {
      if (member.key == "params") continue;
      base::JsonFields cell(member.value, mistakes_, "a cell");
      Slice slice;
      slice.kills = count_in(cell, "weak");
      slice.instances = slice.kills;
      slice.instances += count_in(cell, "seq");
      slice.instances += count_in(cell, "interleaved");
      slice.seconds = seconds_in(cell, "durationSeconds");
      const auto [entry, is_new] = numbers_.try_emplace(member.key, table_.tests.size());
      if (is_new) {
        table_.tests.push_back(member.key);
        table_.cells.emplace_back();
      }
      std::vector<Slice>& row = table_.cells[entry->second];
      row.resize(number + 1);
      row[number] = slice;
    }
  }

  const base::Source& source_;
  base::Mistakes mistakes_;
  RecordedTable table_;
  std::map<std::string, std::size_t> numbers_;
};

class RecordedMeasurer final : public Measurer {
 public:
  explicit RecordedMeasurer(const RecordedTable& table) : table_(table) {
    for (std::size_t i = 0; i < table.environments.size(); ++i) {
      numbers_.try_emplace(codegen::to_text(table.environments[i]), i);
    }
  }

  Slice measure(const Cell& cell, double seconds, std::uint64_t seed) override {
    const auto found = numbers_.find(codegen::to_text(cell.environment));
    if (found == numbers_.end()) return {0, 0, 0, "this environment was not recorded", false};
    const Slice& recorded = table_.cells[cell.test][found->second];
    if (recorded.seconds <= 0) return {0, 0, 0, "this cell was not recorded", false};
    const double part = seconds / recorded.seconds;
    base::Rng rng(seed * 0x9e3779b97f4a7c15u + cell.test * 1000003 + found->second);
    Slice slice;
    slice.kills = poisson(rng, static_cast<double>(recorded.kills) * part);
    slice.instances = std::max(slice.kills, whole_below(static_cast<double>(recorded.instances) * part));
    slice.seconds = seconds;
    return slice;
  }

 private:
  const RecordedTable& table_;
  std::map<std::string, std::size_t> numbers_;
};

}  // namespace

std::uint64_t poisson(base::Rng& rng, double mean) {
  if (mean <= 0) return 0;
  if (mean < 30) {
    std::uint64_t events = 0;
    for (double product = rng.unit(), limit = std::exp(-mean); product > limit; product *= rng.unit()) ++events;
    return events;
  }
  // Nearly normal for means as large as this.
  const double normal = std::sqrt(-2 * std::log(1 - rng.unit())) * std::cos(2 * std::numbers::pi * rng.unit());
  return whole_below(std::round(mean + std::sqrt(mean) * normal));
}

bool is_environment_number(std::string_view key) {
  return !key.empty() && key.find_first_not_of("0123456789") == std::string_view::npos;
}

base::Result<RecordedTable> read_recorded(const base::Source& text) { return TableReader(text).read(); }

std::unique_ptr<Measurer> recorded_measurer(const RecordedTable& table) {
  return std::make_unique<RecordedMeasurer>(table);
}

}  // namespace weakspot::campaign
