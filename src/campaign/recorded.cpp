#include "campaign/recorded.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>

namespace weakspot::campaign {
namespace {

using Json = nlohmann::ordered_json;

bool is_number(const std::string& key) {
  return !key.empty() && std::all_of(key.begin(), key.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

class TableReader {
 public:
  explicit TableReader(const base::Source& source) : source_(source) {}

  base::Result<RecordedTable> read() {
    try {
      const Json json = Json::parse(source_.text());
      if (!json.is_object()) return fail("expected an object of environments");
      for (const auto& [key, environment] : json.items()) {
        if (is_number(key) && environment.is_object()) read_environment(key, environment);
        if (!problem_.empty()) return fail(problem_);
      }
    } catch (const Json::exception& problem) {
      const std::string_view text = problem.what();
      return fail(fmt::format("{}{}", where_, text.substr(text.find("] ") + 2)));
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
    const auto params = codegen::environment_from_json(base::Source("params", environment.at("params").dump()));
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
      slice.kills = cell.at("weak");
      slice.instances = slice.kills + cell.at("seq").get<std::uint64_t>() + cell.at("interleaved").get<std::uint64_t>();
      slice.seconds = cell.at("durationSeconds");
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
    slice.instances = std::max(slice.kills, static_cast<std::uint64_t>(static_cast<double>(recorded.instances) * part));
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
  return static_cast<std::uint64_t>(std::max(0.0, std::round(mean + std::sqrt(mean) * normal)));
}

base::Result<RecordedTable> read_recorded(const base::Source& text) { return TableReader(text).read(); }

std::unique_ptr<Measurer> recorded_measurer(const RecordedTable& table) {
  return std::make_unique<RecordedMeasurer>(table);
}

}  // namespace weakspot::campaign
