#include "campaign/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "campaign/record_json.h"
#include "campaign/summary.h"
#include "cli/commands.h"
#include "codegen/environment.h"

namespace weakspot::cli {
namespace {

using Json = nlohmann::ordered_json;
using campaign::OutcomeComparison;
using campaign::RunRecord;

struct Side {
  std::string name;
  std::vector<RunRecord> records;
};

std::string joined(const std::vector<std::string>& texts) {
  std::string text;
  for (const std::string& one : texts) text += (text.empty() ? "" : ", ") + one;
  return text;
}

base::Status keep_device(Side& side, const std::string& device) {
  const std::string there = joined(campaign::devices_of(side.records));
  std::erase_if(side.records, [&](const RunRecord& record) { return record.device != device; });
  if (side.records.empty()) {
    return base::error_in(side.name, fmt::format("there is no run on '{}'; there are runs on {}", device, there));
  }
  side.name += ", " + device;
  return base::ok_status();
}

base::Status keep_environment(Side& side, const std::string& text) {
  const auto wanted = codegen::parse_environment(base::Source("--env", text));
  if (!wanted) return wanted.errors();
  const std::string there = joined(campaign::environments_of(side.records));
  std::erase_if(side.records, [&](const RunRecord& record) { return record.environment != *wanted; });
  if (side.records.empty()) {
    return base::error_in(side.name, fmt::format("there is no run in '{}'; there are runs in {}", text, there));
  }
  side.name += ", " + codegen::to_text(*wanted);
  return base::ok_status();
}

// As many digits as mean something, so that the last bits of a processor's arithmetic do not show.
Json number_json(double number) {
  if (!std::isfinite(number)) return nullptr;
  return std::stod(fmt::format("{:.6g}", number));
}

Json seen_json(const stats::Seen& seen, double seconds) {
  return {{"count", seen.count},
          {"instances", seen.instances},
          {"per_instance", number_json(seen.chance())},
          {"per_second", number_json(seconds > 0 ? static_cast<double>(seen.count) / seconds : 0)}};
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

std::string chance_text(const stats::Seen& seen) {
  return seen.count == 0 ? "0" : fmt::format("{} ({:.2e})", seen.count, seen.chance());
}

// Cells in columns as wide as they have to be; the numbers of `right` are aligned at their ends.
std::string aligned(const std::vector<std::vector<std::string>>& rows, const std::vector<bool>& right) {
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

struct CompareRuns {
  std::vector<std::string> files;
  std::vector<std::string> devices;
  std::vector<std::string> environments;
  campaign::CompareOptions options;
  bool json = false;
  bool only_different = false;
  bool fail_on_difference = false;

  int run() const {
    if (files.size() > 2) {
      print_error(fmt::format("error: expected one or two files, not {}\n", files.size()));
      return kBadInput;
    }
    Side a, b;
    if (const base::Status status = read_sides(a, b); !status) {
      print_error(base::render(status.errors()));
      return kBadInput;
    }
    const campaign::Comparison comparison = campaign::compare_runs(a.records, b.records, options);
    if (comparison.outcomes.empty()) {
      print_error(
          fmt::format("error: A ({}) and B ({}) have nothing in common that ran: tests, and where a side has several, "
                      "devices and environments; choose with --devices or --env, or add environments up with --pool\n",
                      a.name, b.name));
      return kBadInput;
    }
    std::size_t different = 0;
    for (const OutcomeComparison& one : comparison.outcomes) different += one.differs ? 1 : 0;
    print_output(json ? json_text(report_json(a, b, comparison, different)) : report_text(a, b, comparison, different));
    return fail_on_difference && different != 0 ? kFinding : kFine;
  }

 private:
  base::Status read_sides(Side& a, Side& b) const {
    for (Side* side : {&a, &b}) {
      side->name = side == &a ? files.front() : files.back();
      base::Result<std::vector<RunRecord>> read = campaign::read_records(side->name);
      if (!read) return read.errors();
      side->records = *std::move(read);
    }
    if (!devices.empty()) {
      if (base::Status status = keep_device(a, devices.front()); !status) return status;
      if (base::Status status = keep_device(b, devices.back()); !status) return status;
    }
    if (!environments.empty()) {
      if (base::Status status = keep_environment(a, environments.front()); !status) return status;
      if (base::Status status = keep_environment(b, environments.back()); !status) return status;
    }
    if (files.size() == 1 && devices.size() < 2 && environments.size() < 2) return split(a, b);
    return base::ok_status();
  }

  // One file and no word on what to compare: its two devices, or else its two environments.
  static base::Status split(Side& a, Side& b) {
    const std::vector<std::string> devices = campaign::devices_of(a.records);
    const std::vector<std::string> environments = campaign::environments_of(a.records);
    if (devices.size() == 2) {
      if (base::Status status = keep_device(a, devices[0]); !status) return status;
      return keep_device(b, devices[1]);
    }
    if (devices.size() == 1 && environments.size() == 2) {
      if (base::Status status = keep_environment(a, environments[0]); !status) return status;
      return keep_environment(b, environments[1]);
    }
    return base::error_in(
        a.name, fmt::format("expected two devices or two environments to compare; it has the devices {} and {} "
                            "environment{}: choose with --devices or --env",
                            joined(devices), environments.size(), environments.size() == 1 ? "" : "s"));
  }

  std::string report_text(const Side& a, const Side& b, const campaign::Comparison& comparison,
                          std::size_t different) const {
    std::string text = side_line("A", a) + side_line("B", b) + "\n";
    std::vector<std::vector<std::string>> rows = {
        {"", "test", "outcome", "class", "A", "B", "A/B", fmt::format("{:.4g} %", 100 * (1 - options.level)), "p"}};
    for (const OutcomeComparison& one : comparison.outcomes) {
      if (only_different && !one.differs) continue;
      std::string test = one.test;
      if (!one.device.empty()) test += " on " + one.device;
      if (!one.environment.empty()) test += fmt::format(" [{}]", one.environment);
      rows.push_back({one.differs ? "differs" : "alike", std::move(test), (one.matches ? "* " : "  ") + one.outcome,
                      campaign::class_word(one.outcome_class), chance_text(one.a), chance_text(one.b),
                      ratio_text(one.ratio.estimate),
                      fmt::format("{} to {}", ratio_text(one.ratio.low), ratio_text(one.ratio.high)),
                      p_text(one.adjusted_p)});
    }
    if (rows.size() > 1) text += aligned(rows, {false, false, false, false, true, true, true, false, true}) + "\n";
    constexpr std::size_t kNotes = 6;
    for (std::size_t i = 0; i < std::min(kNotes, comparison.notes.size()); ++i) text += comparison.notes[i] + "\n";
    if (comparison.notes.size() > kNotes) text += fmt::format("and {} more\n", comparison.notes.size() - kNotes);
    text += fmt::format("{} of {} outcomes differ at level {} after Holm's correction", different,
                        comparison.outcomes.size(), options.level);
    if (options.least_ratio > 1) text += fmt::format(", by a factor of at least {}", options.least_ratio);
    return text + "\n";
  }

  static std::string side_line(const char* letter, const Side& side) {
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

  Json report_json(const Side& a, const Side& b, const campaign::Comparison& comparison, std::size_t different) const {
    Json outcomes = Json::array();
    for (const OutcomeComparison& one : comparison.outcomes) {
      if (!only_different || one.differs) outcomes.push_back(as_json(one));
    }
    Json report;
    report["a"] = a.name;
    report["b"] = b.name;
    report["level"] = options.level;
    report["correction"] = "holm";
    report["least_ratio"] = options.least_ratio;
    report["compared"] = comparison.outcomes.size();
    report["different"] = different;
    report["outcomes"] = std::move(outcomes);
    report["notes"] = comparison.notes;
    return report;
  }
};

}  // namespace

void add_compare(Command& app, int& exit_code) {
  auto options = std::make_shared<CompareRuns>();
  Command* command = app.add_subcommand("compare", "Tell whether two sets of runs saw outcomes equally often");
  command->add_option("RECORDS", options->files, "one or two files that 'run --out' wrote")->required();
  command->add_option("--devices", options->devices, "the device of A and that of B, or one for both")
      ->delimiter(',')
      ->expected(1, 2);
  command->add_option("--env", options->environments, "the environment of A; again: that of B")->take_all();
  command->add_option("--level", options->options.level, "chance of any false difference; default 0.01")
      ->check([](std::string& text) {
        const double level = std::atof(text.c_str());
        return level >= 1e-12 && level <= 0.5 ? std::string() : fmt::format("'{}' is not from 1e-12 to 0.5", text);
      });
  command->add_option("--ratio", options->options.least_ratio, "only what differs by so much or more; default 1")
      ->check([](std::string& text) {
        return std::atof(text.c_str()) >= 1 ? std::string() : fmt::format("'{}' is not 1 or more", text);
      });
  command->add_flag("--pool", options->options.pool, "add up environments instead of comparing one by one");
  command->add_flag("--only-different", options->only_different, "leave out what does not differ");
  command->add_flag("--fail-on-difference", options->fail_on_difference, "exit with 1 if anything differs");
  command->add_flag("--json", options->json, "print an object");
  command->footer(
      "The chance of an outcome per instance is compared: Fisher's exact test, or a likelihood-ratio test where\n"
      "counts are large, corrected by Holm's method.\n\nExamples:\n"
      "  weakspot compare old-driver.jsonl new-driver.jsonl --only-different\n"
      "  weakspot compare runs.jsonl --devices cuda:0,vulkan:0 --ratio 2");
  command->callback([options, &exit_code] { exit_code = options->run(); });
}

}  // namespace weakspot::cli
