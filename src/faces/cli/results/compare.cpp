// SPDX-License-Identifier: MIT
#include "workbench/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/plural.h"
#include "campaign/summary.h"
#include "cli/command/commands.h"
#include "cli/command/shared_options.h"
#include "cli/display/run_text.h"
#include "console/fold.h"
#include "json/invocation_json.h"

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

// The columns of the table. Each layout leaves out what a reader of the one before it misses least.
struct Layout {
  bool chances = true;   // behind the counts
  bool classes = true;   // of the outcomes
  bool tests = true;     // in a column; else on a line above their outcomes
  bool counts = true;    // to the last digit; else "12.3 M"
  bool interval = true;  // of the ratio
};
constexpr Layout kLayouts[] = {
    {},
    {.chances = false},
    {.chances = false, .classes = false},
    {.chances = false, .classes = false, .tests = false},
    {.chances = false, .classes = false, .tests = false, .counts = false},
    {.chances = false, .classes = false, .tests = false, .counts = false, .interval = false}};

std::string count_text(const stats::Seen& seen, const Layout& layout) {
  if (!layout.counts) return campaign::short_number(static_cast<double>(seen.count));
  return seen.count == 0 || !layout.chances ? std::to_string(seen.count)
                                            : fmt::format("{} ({:.2e})", seen.count, seen.chance());
}

struct Row {
  std::string test;  // and where it ran
  std::vector<std::string> cells;
};

// Cells in columns; those of `right` are aligned at their right ends. Where tests have no column, each stands on a line
// above its rows. The first row has the heads.
std::string aligned(const std::vector<Row>& rows, const std::vector<bool>& right, bool tests_above) {
  std::vector<std::size_t> widths(right.size());
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.cells.size(); ++i) widths[i] = std::max(widths[i], row.cells[i].size());
  }
  std::string text, above;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      line += right[i] ? fmt::format("{:>{}}  ", row.cells[i], widths[i])
                       : fmt::format("{:<{}}  ", row.cells[i], widths[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    if (tests_above && row.test != above) text += fmt::format("{}\n", above = row.test);
    text += line + "\n";
  }
  return text;
}

struct CompareRuns {
  workbench::CompareRequest request;
  bool json = false;
  bool only_different = false;
  bool brief = false;
  bool verbose = false;
  bool fail_on_difference = false;

  int run() const {
    const base::Result<workbench::CompareResult> result = workbench::compare(request);
    if (!result) return fail(result.errors());
    json ? print_output(json_text(report_json(*result))) : print_results(report_text(*result));
    return fail_on_difference && result->different != 0 ? kFinding : kFine;
  }

 private:
  std::string table(const campaign::Comparison& comparison, const Layout& layout,
                    campaign::EnvironmentNames& names) const {
    std::vector<Row> rows;
    std::vector<bool> right;
    auto add = [&](const std::string& test, const std::vector<std::string>& cells) {
      const bool shown[] = {true, layout.tests, true, layout.classes, true, true, true, layout.interval, true};
      const bool numeric[] = {false, false, false, false, true, true, true, false, true};
      right.clear();
      Row& row = rows.emplace_back(Row{test, {}});
      for (std::size_t i = 0; i < cells.size(); ++i) {
        if (!shown[i]) continue;
        row.cells.push_back(cells[i]);
        right.push_back(numeric[i]);
      }
    };
    add("", {"", "test", "outcome", "class", "A", "B", "A/B",
             fmt::format("{:.4g} %", 100 * (1 - request.options.level)), "p"});
    for (const OutcomeComparison& one : comparison.outcomes) {
      if (only_different && !one.differs) continue;
      const std::string test = campaign::place_text(one.test, one.device, one.environment, &names);
      add(test,
          {one.differs ? "differs" : "alike", test, (one.matches ? "* " : "  ") + one.outcome,
           campaign::class_word(one.outcome_class), count_text(one.a, layout), count_text(one.b, layout),
           ratio_text(one.ratio.estimate),
           fmt::format("{} to {}", ratio_text(one.ratio.low), ratio_text(one.ratio.high)), p_text(one.adjusted_p)});
    }
    return rows.size() > 1 ? aligned(rows, right, !layout.tests) : "";
  }

  // The first layout that is not too wide.
  std::string fitted_table(const campaign::Comparison& comparison, campaign::EnvironmentNames& names) const {
    std::string text;
    for (const Layout& layout : kLayouts) {
      text = table(comparison, layout, names);
      if (text.find('\n') <= results_width()) break;  // the heads reach the last column
    }
    return text.empty() ? "" : text + "\n";
  }

  // A line per test and place: how many outcomes differ, and the surest of them.
  std::string brief_lines(const campaign::Comparison& comparison, campaign::EnvironmentNames& names) const {
    std::string text;
    const auto& outcomes = comparison.outcomes;
    const auto place_of = [&](const OutcomeComparison& one) {
      return campaign::place_text(one.test, one.device, one.environment, &names);
    };
    for (std::size_t i = 0; i < outcomes.size();) {
      const std::string test = place_of(outcomes[i]);
      std::size_t all = 0, different = 0;
      const OutcomeComparison* surest = nullptr;
      for (; i < outcomes.size() && place_of(outcomes[i]) == test; ++i) {
        ++all;
        if (!outcomes[i].differs) continue;
        ++different;
        if (surest == nullptr || outcomes[i].adjusted_p < surest->adjusted_p) surest = &outcomes[i];
      }
      if (surest == nullptr && only_different) continue;
      const std::string line = surest == nullptr ? fmt::format("alike    {}  {}", test, base::counted(all, "outcome"))
                                                 : fmt::format("differs  {}  {} of {}, A/B {} for {}", test, different,
                                                               base::counted(all, "outcome"),
                                                               ratio_text(surest->ratio.estimate), surest->outcome);
      text += shortened(line, results_width()) + "\n";
    }
    return text.empty() ? "" : text + "\n";
  }

  std::string report_text(const workbench::CompareResult& result) const {
    const campaign::Comparison& comparison = result.comparison;
    campaign::EnvironmentNames names;
    std::string text = side_line("A", result.a, names) + side_line("B", result.b, names) + "\n";
    text += brief ? brief_lines(comparison, names) : fitted_table(comparison, names);
    constexpr std::size_t kNotes = 6;
    const std::vector<std::string> notes = campaign::notes_of(comparison, &names);
    for (std::size_t i = 0; i < std::min(kNotes, notes.size()) && !brief; ++i) text += notes[i] + "\n";
    if (notes.size() > kNotes && !brief) text += fmt::format("and {} more\n", notes.size() - kNotes);
    text += fmt::format("{} of {} {} at level {} after Holm's correction", result.different,
                        base::counted(comparison.outcomes.size(), "outcome"),
                        base::plural(comparison.outcomes.size(), "differs", "differ"), request.options.level);
    if (request.options.least_ratio > 1)
      text += fmt::format(", by a factor of at least {}", request.options.least_ratio);
    return text + "\n" + environment_legend(names, verbose);
  }

  std::string side_line(const char* letter, const workbench::CompareSide& side,
                        campaign::EnvironmentNames& names) const {
    std::vector<std::string> drivers;
    for (const RunRecord& record : side.records) {
      const std::string driver = record.device_name + ", " + record.driver;
      if (!record.device_name.empty() && std::find(drivers.begin(), drivers.end(), driver) == drivers.end()) {
        drivers.push_back(driver);
      }
    }
    std::string text = fmt::format("{}  {}", letter, side.name(&names));
    for (const std::string& driver : drivers) text += "; " + driver;
    return (brief ? shortened(text, results_width()) : text) + "\n";
  }

  Json report_json(const workbench::CompareResult& result) const {
    const campaign::Comparison& comparison = result.comparison;
    Json outcomes = base::json_array();
    for (const OutcomeComparison& one : comparison.outcomes) {
      if (!only_different || one.differs) outcomes.push_back(as_json(one));
    }
    Json report;
    report["a"] = result.a.name();
    report["b"] = result.b.name();
    report["level"] = request.options.level;
    report["correction"] = "holm";
    report["least_ratio"] = request.options.least_ratio;
    report["compared"] = comparison.outcomes.size();
    report["different"] = result.different;
    report["outcomes"] = std::move(outcomes);
    report["notes"] = campaign::notes_of(comparison);
    base::add_invocation(report);
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
  command->add_flag("--brief", options->brief, "print one line per test, without its outcomes");
  add_verbose_option(*command, options->verbose);
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
