// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "analysis/figure.h"

namespace weakspot::analysis {
namespace {

// The earlier of two times; empty ones are not known.
void keep_first(std::string& known, const std::string& time) {
  if (!time.empty() && (known.empty() || time < known)) known = time;
}

struct Firsts {
  std::string run, sighting;
};

Firsts firsts_of(const Study& study, std::size_t device, std::size_t test) {
  Firsts firsts;
  for (std::size_t environment = 0; environment < study.environments().size(); ++environment) {
    const Cell* cell = study.cell(device, environment, test);
    if (cell == nullptr) continue;
    keep_first(firsts.run, cell->first_run);
    keep_first(firsts.sighting, cell->first_sighting);
  }
  return firsts;
}

void add_news(const Study& study, const std::string& since, Table& table) {
  for (std::size_t device = 0; device < study.devices().size(); ++device) {
    const Device& named = study.devices()[device];
    const auto add = [&](Value test, const char* what, const std::string& time) {
      if (time >= since) table.rows.push_back({study.name(), named.vendor, named.name, std::move(test), what, time});
    };
    std::vector<Firsts> firsts;
    std::string first;
    for (std::size_t test = 0; test < study.tests().size(); ++test) {
      firsts.push_back(firsts_of(study, device, test));
      keep_first(first, firsts.back().run);
    }
    add(Value(), "device", first);
    for (std::size_t test = 0; test < study.tests().size(); ++test) {
      // The tests of a new device are not news of their own.
      if (first < since) add(study.tests()[test].name, "test", firsts[test].run);
      add(study.tests()[test].name, "sighting", firsts[test].sighting);
    }
  }
}

}  // namespace

Figure news_figure(Studies studies, const FigureOptions& options) {
  Figure figure{"news",
                "What is new",
                "Devices and tests that were not run before, and behaviours that were not seen before.",
                {},
                {}};
  if (options.since.empty()) return figure;
  Table table{"news",
              fmt::format("New since {}", options.since),
              {{"study", "study"},
               {"vendor", "vendor"},
               {"device", "device"},
               {"test", "test"},
               {"new", "new"},
               {"since", "since"}},
              {}};
  for (const Study& study : studies) add_news(study, options.since, table);
  figure.tables = {std::move(table)};
  return figure;
}

}  // namespace weakspot::analysis
