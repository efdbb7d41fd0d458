// SPDX-License-Identifier: MIT
#include <algorithm>
#include <set>

#include "analysis/figure.h"
#include "stats/rates.h"

namespace weakspot::analysis {
namespace {

constexpr std::size_t kMostColumns = 8;  // tests that a terminal has room for

// The environment in which the largest share of the instances shows the behaviour; the first of equals.
struct Best {
  const Cell* cell = nullptr;
  std::size_t environment = 0;
  double percent = 0;
};

Best best_of(const Study& study, std::size_t device, std::size_t test) {
  Best best;
  for (std::size_t environment = 0; environment < study.environments().size(); ++environment) {
    const Cell* cell = study.cell(device, environment, test);
    if (cell == nullptr) continue;
    const double percent = 100 * stats::fraction(cell->sightings, cell->total()).value;
    if (best.cell == nullptr || percent > best.percent) best = {cell, environment, percent};
  }
  return best;
}

std::vector<std::size_t> tuned_tests(const Study& study) {
  std::vector<std::size_t> tests;
  for (std::size_t test = 0; test < study.tests().size(); ++test) {
    if (study.tests()[test].role.kind != TestKind::conformance) tests.push_back(test);
  }
  return tests;
}

struct Total {
  std::uint64_t devices = 0;
  std::set<std::string> models;
  std::uint64_t instances = 0;
  std::uint64_t sightings = 0;
  double seconds = 0;

  void add(const Study& study, std::size_t device, const std::vector<std::size_t>& tests) {
    ++devices;
    const DeviceResults& results = study.results()[device];
    models.insert(results.model.empty() ? results.device : results.model);
    for (std::size_t environment = 0; environment < study.environments().size(); ++environment) {
      for (const std::size_t test : tests) {
        const Cell* cell = study.cell(device, environment, test);
        if (cell == nullptr) continue;
        instances += cell->total();
        sightings += cell->sightings;
        seconds += cell->seconds;
      }
    }
  }

  std::vector<Value> row(const Study& study, const std::string& vendor) const {
    return {study.name(),
            vendor,
            devices,
            models.size(),
            instances,
            sightings,
            study.has_times() ? Value(seconds) : Value()};
  }
};

void add_totals(const Study& study, const std::vector<std::size_t>& tests, Table& table) {
  std::vector<std::pair<std::string, Total>> by_vendor;  // in the order of their first devices
  Total all;
  for (std::size_t device = 0; device < study.devices().size(); ++device) {
    const std::string& vendor = study.devices()[device].vendor;
    auto found = std::find_if(by_vendor.begin(), by_vendor.end(), [&](const auto& one) { return one.first == vendor; });
    if (found == by_vendor.end()) found = by_vendor.insert(by_vendor.end(), {vendor, {}});
    found->second.add(study, device, tests);
    all.add(study, device, tests);
  }
  for (const auto& [vendor, total] : by_vendor) table.rows.push_back(total.row(study, vendor));
  if (by_vendor.size() > 1) table.rows.push_back(all.row(study, "all"));
}

// Adds how many of the tests and environments each device ran, and how much.
void add_device_totals(const Study& study, const std::vector<std::size_t>& tests, Table& table) {
  for (std::size_t device = 0; device < study.devices().size(); ++device) {
    Total total;
    total.add(study, device, tests);
    const auto ran =
        std::count_if(tests.begin(), tests.end(), [&](std::size_t test) { return study.ran(device, test); });
    const Device& named = study.devices()[device];
    table.rows.push_back({study.name(), named.vendor, named.name, *total.models.begin(),
                          static_cast<std::uint64_t>(ran), std::uint64_t{study.results()[device].entries.size()},
                          total.instances, total.sightings, study.has_times() ? Value(total.seconds) : Value()});
  }
}

void add_rates(const Study& study, const std::vector<std::size_t>& tests, Table& table) {
  for (std::size_t device = 0; device < study.devices().size(); ++device) {
    for (const std::size_t test : tests) {
      const Best best = best_of(study, device, test);
      if (best.cell == nullptr) continue;
      const stats::Interval interval = stats::fraction(best.cell->sightings, best.cell->total()).interval;
      table.rows.push_back({study.name(), study.devices()[device].vendor, study.devices()[device].name,
                            study.tests()[test].name, best.percent, 100 * interval.low, 100 * interval.high,
                            best.percent > 0 ? Value(study.environments()[best.environment]) : Value()});
    }
  }
}

// A row per device and a column per test of all studies that have few.
Table overview_table(Studies studies) {
  Table table{"device_rates_overview",
              "Best rates by device and test, in per cent of instances",
              {{"study", "study"}, {"vendor", "vendor"}, {"device", "device"}},
              {},
              Audience::terminal};
  std::vector<std::string> names;
  for (const Study& study : studies) {
    for (const std::size_t test : tuned_tests(study)) {
      const std::string& name = study.tests()[test].name;
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  if (names.size() > kMostColumns) return table;
  for (const std::string& name : names) table.columns.push_back({name, name, 2});
  for (const Study& study : studies) {
    const std::vector<std::size_t> tests = tuned_tests(study);
    for (std::size_t device = 0; device < study.devices().size() && !tests.empty(); ++device) {
      std::vector<Value> row{study.name(), study.devices()[device].vendor, study.devices()[device].name};
      for (const std::string& name : names) {
        const auto test =
            std::find_if(tests.begin(), tests.end(), [&](std::size_t i) { return study.tests()[i].name == name; });
        const Best best = test == tests.end() ? Best() : best_of(study, device, *test);
        row.push_back(best.cell == nullptr ? Value() : Value(best.percent));
      }
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

}  // namespace

Figure device_figure(Studies studies, const FigureOptions&) {
  Figure figure{"devices",
                "Weak behaviours by device",
                "What was run, and the share of instances that show the behaviour, for each device and test in the "
                "environment with the largest share. Conformance tests are not counted.",
                {},
                {}};
  Table totals{"totals",
               "What was run, by vendor",
               {{"study", "study"},
                {"vendor", "vendor"},
                {"devices", "devices"},
                {"models", "models"},
                {"instances", "instances"},
                {"sightings", "sightings"},
                {"seconds", "seconds", 1}},
               {}};
  Table spent{"device_totals",
              "What each device ran",
              {{"study", "study"},
               {"vendor", "vendor"},
               {"device", "device"},
               {"model", "model"},
               {"tests", "tests"},
               {"environments", "environments"},
               {"instances", "instances"},
               {"sightings", "sightings"},
               {"seconds", "seconds", 1}},
              {},
              Audience::page};
  Table rates{"device_rates",
              "Best rates by device and test, with intervals of 95 %",
              {{"study", "study"},
               {"vendor", "vendor"},
               {"device", "device"},
               {"test", "test"},
               {"percent", "%", 4, true},
               {"percent_low", "at least", 4, true},
               {"percent_high", "at most", 4, true},
               {"environment", "environment"}},
              {},
              Audience::page};
  for (const Study& study : studies) {
    const std::vector<std::size_t> tests = tuned_tests(study);
    if (tests.empty()) continue;
    add_totals(study, tests, totals);
    add_device_totals(study, tests, spent);
    add_rates(study, tests, rates);
  }
  figure.tables = {std::move(totals), std::move(spent), overview_table(studies), std::move(rates)};
  return figure;
}

}  // namespace weakspot::analysis
