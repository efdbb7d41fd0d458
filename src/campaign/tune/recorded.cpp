#include "campaign/recorded.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "campaign/checked_json.h"

namespace weakspot::campaign {
namespace {

using Json = FileJson;

bool is_number(const std::string& key) {
  return !key.empty() && std::all_of(key.begin(), key.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

// A long measurement of a fast cell may have more events than can be counted.
std::uint64_t whole_below(double number) {
  return static_cast<std::uint64_t>(std::clamp(number, 0.0, static_cast<double>(kMostCount)));
}

class TableReader {
 public:
  explicit TableReader(const base::Source& source) : source_(source) {}

  base::Result<RecordedTable> read() {
    const base::Result<Json> json = parse_file(source_);
    if (!json) return json.errors();
    if (!json->is_object()) return fail("expected an object of environments");
    try {
      for (const auto& [key, environment] : json->items()) {
        if (is_number(key)) read_environment(key, environment);
        if (!problem_.empty()) return fail(problem_);
      }
    } catch (const JsonProblem& problem) {
      return fail(where_ + problem.text);
    }
    if (table_.environments.empty()) return fail("there is no environment in this file");
    // Tests that came later have no cells in what came before.
    for (std::vector<Slice>& row : table_.cells) row.resize(table_.environments.size());
    return std::move(table_);
  }

 private:
  base::Diagnostics fail(const std::string& problem) const { return {base::error_in(source_.name(), problem)}; }

  void read_environment(const std::string& key, const Json& environment) {
    where_ = fmt::format("key \"{}\": ", key);
    if (!environment.is_object()) {
      throw JsonProblem{fmt::format("expected an object of tests, not {}", kind_of(environment))};
    }
    const auto params = codegen::environment_from_json(base::Source("params", member(environment, "params").dump()));
    if (!params) {
      problem_ = where_ + params.errors().front().message;
      return;
    }
    const std::size_t number = table_.environments.size();
    table_.environments.push_back(*params);
    for (const auto& [name, cell] : environment.items()) {
      if (name == "params") continue;
      where_ = fmt::format("key \"{}\", cell \"{}\": ", key, name);
      Slice slice;
      slice.kills = count_in(cell, "weak");
      slice.instances = slice.kills + count_in(cell, "seq") + count_in(cell, "interleaved");
      slice.seconds = seconds_in(cell, "durationSeconds");
      const auto [entry, is_new] = numbers_.try_emplace(name, table_.tests.size());
      if (is_new) {
        table_.tests.push_back(name);
        table_.cells.emplace_back();
      }
      std::vector<Slice>& row = table_.cells[entry->second];
      row.resize(number + 1);
      row[number] = slice;
    }
  }

  const base::Source& source_;
  RecordedTable table_;
  std::map<std::string, std::size_t> numbers_;
  std::string where_, problem_;
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
  // Wide enough to be normal.
  const double normal = std::sqrt(-2 * std::log(1 - rng.unit())) * std::cos(2 * std::numbers::pi * rng.unit());
  return whole_below(std::round(mean + std::sqrt(mean) * normal));
}

base::Result<RecordedTable> read_recorded(const base::Source& text) { return TableReader(text).read(); }

std::unique_ptr<Measurer> recorded_measurer(const RecordedTable& table) {
  return std::make_unique<RecordedMeasurer>(table);
}

}  // namespace weakspot::campaign
