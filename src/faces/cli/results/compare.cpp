// SPDX-License-Identifier: MIT
#include "workbench/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>

#include "base/plural.h"
#include "campaign/summary.h"
#include "cli/command/commands.h"

namespace weakspot::cli {
namespace {

using Json = base::JsonValue;
using campaign::OutcomeComparison;
using campaign::RunRecord;

// The digits that mean something: the last bits differ from processor to processor.
Json number_json(double number) {
  if (!std::isfinite(number)) return nullptr;
  return std::stod(fmt::format("{:.6g}", number));
}

Json seen_json(const stats::Seen& seen, double seconds) {
  return base::json_object({{"count", seen.count},
                            {"instances", seen.instances},
                            {"per_instance", number_json(seen.chance())},
                            {"per_second", number_json(seconds > 0 ? static_cast<double>(seen.count) / seconds : 0)}});
}

Json as_json(const OutcomeComparison& one) {
  Json json;
  json["test"] = one.test;
  if (!one.device.empty()) json["device"] = one.device;
  if (!one.environment.empty()) json["environment"] = one.environment;
  json["outcome"] = one.outcome;
  json["class"] = stats::to_string(one.outcome_class);
  json["matches"] = one.matches;
  json["a"] = seen_json(one.a, one.seconds_a);
  json["b"] = seen_json(one.b, one.seconds_b);
  json["ratio"] = number_json(one.ratio.estimate);
  json["ratio_low"] = number_json(one.ratio.low);
  json["ratio_high"] = number_json(one.ratio.high);
  json["variation"] = one.variation.is_known() ? number_json(std::sqrt(one.variation.relative)) : Json();
  json["degrees"] = number_json(one.variation.degrees);
  json["p"] = number_json(one.difference.p);
  json["adjusted_p"] = number_json(one.adjusted_p);
  json["method"] = stats::to_string(one.difference.test);
  json["differs"] = one.differs;
  return json;
}

std::string ratio_text(double ratio) {
  if (std::isnan(ratio)) return "-";
  if (std::isinf(ratio)) return "inf";
  return fmt::format("{:.3g}", ratio);
}

std::string p_text(double p) { return p == 0 ? "<1e-300" : fmt::format("{:.2g}", p); }

std::string count_text(const stats::Seen& seen, bool chance) {
  return seen.count == 0 || !chance ? std::to_string(seen.count)
                                    : fmt::format("{} ({:.2e})", seen.count, seen.chance());
}

using Rows = std::vector<std::vector<std::string>>;

// Cells in columns; those of `right` are aligned at their right ends.
std::string aligned(const Rows& rows, const std::vector<bool>& right) {
  std::vector<std::size_t> widths(right.size());
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += right[i] ? fmt::format("{:>{}}  ", row[i], widths[i]) : fmt::format("{:<{}}  ", row[i], widths[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

// The same without what a reader misses least, as much as it takes to fit: the chances behind the counts, the classes.
std::string fitted(const std::function<Rows(bool chances)>& make, std::vector<bool> right, std::size_t width) {
  constexpr std::size_t kClassColumn = 3;
  auto is_too_wide = [&](const std::string& text) {
    return text.find('\n') > width;
  };  // the heads reach the last column
  std::string text = aligned(make(true), right);
  if (!is_too_wide(text)) return text;
  Rows rows = make(false);
  text = aligned(rows, right);
  if (!is_too_wide(text)) return text;
  for (auto& row : rows) row.erase(row.begin() + kClassColumn);
  right.erase(right.begin() + kClassColumn);
  return aligned(rows, right);
}

struct CompareRuns {
  workbench::CompareRequest request;
  bool json = false;
  bool only_different = false;
  bool fail_on_difference = false;

  int run() const {
    const base::Result<workbench::CompareResult> result = workbench::compare(request);
    if (!result) return fail(result.errors());
    json ? print_output(json_text(report_json(*result))) : print_results(report_text(*result));
    return fail_on_difference && result->different != 0 ? kFinding : kFine;
  }

 private:
  Rows rows(const campaign::Comparison& comparison, bool chances) const {
    Rows rows = {{"", "test", "outcome", "class", "A", "B", "A/B",
                  fmt::format("{:.4g} %", 100 * (1 - request.options.level)), "p"}};
    for (const OutcomeComparison& one : comparison.outcomes) {
      if (only_different && !one.differs) continue;
      std::string test = one.test;
      if (!one.device.empty()) test += " on " + one.device;
      if (!one.environment.empty()) test += fmt::format(" [{}]", one.environment);
      rows.push_back({one.differs ? "differs" : "alike", std::move(test), (one.matches ? "* " : "  ") + one.outcome,
                      campaign::class_word(one.outcome_class), count_text(one.a, chances), count_text(one.b, chances),
                      ratio_text(one.ratio.estimate),
                      fmt::format("{} to {}", ratio_text(one.ratio.low), ratio_text(one.ratio.high)),
                      p_text(one.adjusted_p)});
    }
    return rows;
  }

  std::string report_text(const workbench::CompareResult& result) const {
    const campaign::Comparison& comparison = result.comparison;
    std::string text = side_line("A", result.a) + side_line("B", result.b) + "\n";
    if (rows(comparison, false).size() > 1) {
      text += fitted([&](bool chances) { return rows(comparison, chances); },
                     {false, false, false, false, true, true, true, false, true}, results_width()) +
              "\n";
    }
    constexpr std::size_t kNotes = 6;
    for (std::size_t i = 0; i < std::min(kNotes, comparison.notes.size()); ++i) text += comparison.notes[i] + "\n";
    if (comparison.notes.size() > kNotes) text += fmt::format("and {} more\n", comparison.notes.size() - kNotes);
    text += fmt::format("{} of {} {} at level {} after Holm's correction", result.different,
                        base::counted(comparison.outcomes.size(), "outcome"),
                        base::plural(comparison.outcomes.size(), "differs", "differ"), request.options.level);
    if (request.options.least_ratio > 1)
      text += fmt::format(", by a factor of at least {}", request.options.least_ratio);
    return text + "\n";
  }

  static std::string side_line(const char* letter, const workbench::CompareSide& side) {
    std::vector<std::string> drivers;
    for (const RunRecord& record : side.records) {
      const std::string driver = record.device_name + ", " + record.driver;
      if (!record.device_name.empty() && std::find(drivers.begin(), drivers.end(), driver) == drivers.end()) {
        drivers.push_back(driver);
      }
    }
    std::string text = fmt::format("{}  {}", letter, side.name);
    for (const std::string& driver : drivers) text += "; " + driver;
    return text + "\n";
  }

  Json report_json(const workbench::CompareResult& result) const {
    const campaign::Comparison& comparison = result.comparison;
    Json outcomes = base::json_array();
    for (const OutcomeComparison& one : comparison.outcomes) {
      if (!only_different || one.differs) outcomes.push_back(as_json(one));
    }
    Json report;
    report["a"] = result.a.name;
    report["b"] = result.b.name;
    report["level"] = request.options.level;
    report["correction"] = "holm";
    report["least_ratio"] = request.options.least_ratio;
    report["compared"] = comparison.outcomes.size();
    report["different"] = result.different;
    report["outcomes"] = std::move(outcomes);
    report["notes"] = comparison.notes;
    return report;
  }
};

}  // namespace

void add_compare(Command& app, int& exit_code) {
  auto options = std::make_shared<CompareRuns>();
  workbench::CompareRequest& request = options->request;
  Command* command = app.add_subcommand("compare", "Tell whether two sets of runs saw outcomes equally often");
  command->add_option("RECORDS ...", request.files, "one or two files that 'run --out' wrote, or stores")->required();
  command->add_option("--devices A,B", request.devices, "compare runs on device A with runs on B; one id: both on it")
      ->delimiter(',')
      ->expected(1, 2);
  command
      ->add_option("--env ENV", request.environments,
                   "compare runs in this environment; given again: the environment of B")
      ->repeatable();
  command->add_option("--level P", request.options.level, "chance of any false difference, 1e-12 to 0.5 (default 0.01)")
      ->range(1e-12, 0.5);
  command
      ->add_option("--ratio R", request.options.least_ratio,
                   "ignore differences by less than this factor, at least 1 (default 1)")
      ->check([](std::string& text) {
        return std::atof(text.c_str()) >= 1 ? std::string() : fmt::format("'{}' is not 1 or more", text);
      });
  command->add_flag("--pool", request.options.pool, "add environments up instead of comparing one by one");
  command->add_flag("--only-different", options->only_different, "list only what differs");
  command->add_flag("--fail-on-difference", options->fail_on_difference, "exit code 1 if anything differs");
  command->add_flag("--json", options->json, "print an object");
  command->footer(
      "The chance of an outcome per instance is compared: by Fisher's exact test, or by\n"
      "a likelihood-ratio test where counts are large, corrected by Holm's method. Runs\n"
      "may vary as much as the slices of a run do, or as the runs of a side do where it\n"
      "has four or more: repeat runs to find small differences.\n\nExamples:\n"
      "  weakspot compare old-driver.jsonl new-driver.jsonl --only-different\n"
      "  weakspot compare runs.jsonl --devices cuda:0,vulkan:0 --ratio 2");
  command->callback([options, &exit_code] { exit_code = options->run(); });
}

}  // namespace weakspot::cli
