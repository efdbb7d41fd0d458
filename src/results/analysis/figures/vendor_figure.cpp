// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/figure.h"
#include "report/plot.h"
#include "stats/matrix.h"

namespace weakspot::analysis {
namespace {

// The percentage of instances with a sighting, in the environment where it is largest.
double best_percent(const Study& study, std::size_t device, std::size_t test) {
  double best = 0;
  for (std::size_t environment = 0; environment < study.environments().size(); ++environment) {
    const Cell* cell = study.cell(device, environment, test);
    if (cell == nullptr || cell->total() == 0) continue;
    best = std::max(best, 100 * static_cast<double>(cell->sightings) / static_cast<double>(cell->total()));
  }
  return best;
}

// Devices by vendor; vendors in the order of their first devices.
std::vector<std::pair<std::string, std::vector<std::size_t>>> by_vendor(const Study& study) {
  std::vector<std::pair<std::string, std::vector<std::size_t>>> groups;
  for (std::size_t device = 0; device < study.devices().size(); ++device) {
    const std::string& vendor = study.devices()[device].vendor;
    auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& known) { return known.first == vendor; });
    if (group == groups.end()) group = groups.insert(groups.end(), {vendor, {}});
    group->second.push_back(device);
  }
  return groups;
}

// Failed conformance tests that ran in environments of their own.
void add_conformance(const Study& study, Table& table) {
  for (std::size_t device = 0; device < study.devices().size(); ++device) {
    for (const Entry& entry : study.results()[device].conformance) {
      for (const NamedCell& cell : entry.cells) {
        if (cell.cell.sightings == 0) continue;
        table.rows.push_back(
            {study.name(), study.devices()[device].name, entry.key, cell.test, cell.cell.sightings, cell.cell.total()});
      }
    }
  }
}

}  // namespace

Figure vendor_figure(Studies studies, const FigureOptions& options) {
  Figure figure{"vendors",
                "Weak behaviours by vendor",
                "The share of instances that show the behaviour, for each device and test in the environment with the "
                "largest share; averaged over the devices of a vendor.",
                {},
                {}};
  Table summary{"vendors",
                "Best rates by vendor, in per cent of instances",
                {{"study", "study"},
                 {"vendor", "vendor"},
                 {"devices", "devices"},
                 {"shown", "shown"},
                 {"pairs", "of"},
                 {"mean_percent", "mean %", 4, true},
                 {"median_percent", "median %", 4, true},
                 {"max_percent", "max %", 4, true}},
                {}};
  Table by_test = summary;
  by_test.name = "vendors_by_test";
  by_test.title = "Best rates by vendor and test";
  by_test.columns.insert(by_test.columns.begin() + 2, {"test", "test"});
  by_test.audience = Audience::page;
  Table conformance{"conformance",
                    "Conformance tests that failed",
                    {{"study", "study"},
                     {"device", "device"},
                     {"key", "key"},
                     {"test", "test"},
                     {"sightings", "sightings"},
                     {"instances", "of"}},
                    {}};
  const auto add = [](Table& table, std::vector<Value> keys, std::size_t devices, const std::vector<double>& best) {
    const auto shown =
        static_cast<std::uint64_t>(std::count_if(best.begin(), best.end(), [](double p) { return p > 0; }));
    for (Value value :
         {Value(std::uint64_t{devices}), Value(shown), Value(std::uint64_t{best.size()}), Value(stats::mean(best)),
          Value(stats::median(best)), Value(*std::max_element(best.begin(), best.end()))}) {
      keys.push_back(std::move(value));
    }
    table.rows.push_back(std::move(keys));
  };
  for (const Study& study : studies) {
    for (const auto& [vendor, devices] : by_vendor(study)) {
      std::vector<double> all;
      for (std::size_t test = 0; test < study.tests().size(); ++test) {
        if (study.tests()[test].role.kind == TestKind::conformance) continue;
        std::vector<double> best;
        for (const std::size_t device : devices) {
          if (study.ran(device, test)) best.push_back(best_percent(study, device, test));
        }
        if (best.empty()) continue;
        add(by_test, {study.name(), vendor, study.tests()[test].name}, devices.size(), best);
        all.insert(all.end(), best.begin(), best.end());
      }
      if (!all.empty()) add(summary, {study.name(), vendor}, devices.size(), all);
    }
    add_conformance(study, conformance);
  }
  if (options.pictures) {
    report::BarChart chart{"mean best rate", report::Scale::decades, {}};
    for (const std::vector<Value>& row : summary.rows) {
      chart.bars.push_back({full_text(row[0]) + ", " + full_text(row[1]), std::get<double>(row[5]),
                            fmt::format("{:.3g} %", std::get<double>(row[5])), ""});
    }
    if (!chart.bars.empty()) figure.pictures.push_back({"Mean over tests and devices, in per cent.", bar_chart(chart)});
  }
  figure.tables = {std::move(summary), std::move(by_test), std::move(conformance)};
  return figure;
}

}  // namespace weakspot::analysis
