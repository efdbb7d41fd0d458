// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "analysis/figure.h"
#include "campaign/summary.h"
#include "report/plot.h"
#include "stats/rates.h"
#include "stats/reproducibility.h"

namespace weakspot::analysis {
namespace {

// The environment in which a mutant dies fastest on a device; the first of equals.
struct Death {
  std::size_t device = 0;
  std::size_t test = 0;
  Mutator mutator = Mutator::weakening_sw;
  double rate = 0;
  const Cell* cell = nullptr;
  std::size_t environment = 0;
};

std::vector<Death> deaths_of(const Study& study) {
  const std::vector<std::size_t> mutants = study.tests_that_are(TestKind::mutant);
  const stats::RateTable rates = rate_table(study, mutants);
  std::vector<Death> deaths;
  for (std::size_t device = 0; device < study.devices().size(); ++device) {
    for (std::size_t mutant = 0; mutant < mutants.size(); ++mutant) {
      Death death{device, mutants[mutant], *study.tests()[mutants[mutant]].role.mutator, 0, nullptr, 0};
      for (std::size_t environment = 0; environment < study.environments().size(); ++environment) {
        const double rate = rates.at(mutant, environment, device);
        const Cell* cell = study.cell(device, environment, death.test);
        if (cell == nullptr || (death.cell != nullptr && rate <= death.rate)) continue;
        death.rate = rate;
        death.cell = cell;
        death.environment = environment;
      }
      if (death.cell != nullptr) deaths.push_back(death);
    }
  }
  return deaths;
}

struct Score {
  std::uint64_t killed = 0;
  std::uint64_t mutants = 0;
  double rates = 0;

  double percent() const { return 100.0 * static_cast<double>(killed) / static_cast<double>(mutants); }
  double mean_rate() const { return rates / static_cast<double>(mutants); }
};

Score score(const std::vector<Death>& deaths, const std::function<bool(const Death&)>& counts) {
  Score result;
  for (const Death& death : deaths) {
    if (!counts(death)) continue;
    ++result.mutants;
    if (death.rate > 0) ++result.killed;
    result.rates += death.rate;
  }
  return result;
}

const std::vector<Column> kScoreColumns = {
    {"killed", "killed"}, {"mutants", "of"}, {"score_percent", "score %"}, {"mean_rate", "mean death rate /s", 3}};

Table score_table(std::string name, std::string title, std::vector<Column> keys) {
  keys.insert(keys.end(), kScoreColumns.begin(), kScoreColumns.end());
  return {std::move(name), std::move(title), std::move(keys), {}};
}

void add_score(Table& table, const Study& study, std::vector<Value> keys, const Score& score) {
  if (score.mutants == 0) return;
  keys.insert(keys.begin(), study.name());
  for (Value value : {Value(score.killed), Value(score.mutants), Value(score.percent()),
                      study.has_times() ? Value(score.mean_rate()) : Value()}) {
    keys.push_back(std::move(value));
  }
  table.rows.push_back(std::move(keys));
}

// Adds the number of kills that a repetition of the whole study would miss.
void add_misses(Table& table, const Study& study) {
  std::vector<stats::Sighted> cells;
  for (const std::size_t mutant : study.tests_that_are(TestKind::mutant)) {
    for (std::size_t device = 0; device < study.devices().size(); ++device) {
      for (std::size_t environment = 0; environment < study.environments().size(); ++environment) {
        const Cell* cell = study.cell(device, environment, mutant);
        if (cell != nullptr && cell->sightings > 0) cells.push_back({cell->sightings, cell->total()});
      }
    }
  }
  if (cells.empty()) return;
  const double misses = stats::false_negatives(cells);
  table.rows.push_back({study.name(), cells.size(), misses, 100 * misses / static_cast<double>(cells.size())});
}

void add_death_rates(Table& table, const Study& study, const std::vector<Death>& deaths) {
  for (const Death& death : deaths) {
    std::vector<Value> row = {study.name(), study.devices()[death.device].name, study.tests()[death.test].name,
                              std::string(to_string(death.mutator))};
    row.push_back(study.has_times() ? Value(death.rate) : Value());
    if (death.rate > 0 && !study.has_times()) {
      row.insert(row.end(), {Value(), Value(), study.environments()[death.environment]});
    } else if (death.rate > 0) {
      const stats::Interval interval = stats::per_second(death.cell->sightings, death.cell->seconds).interval;
      row.insert(row.end(), {interval.low, interval.high, study.environments()[death.environment]});
    } else {
      row.insert(row.end(), 3, Value());
    }
    table.rows.push_back(std::move(row));
  }
}

Picture score_bars(const Table& table) {
  report::BarChart chart{"mutation scores", report::Scale::linear, {}};
  for (const std::vector<Value>& row : table.rows) {
    chart.bars.push_back(
        {full_text(row[0]), std::get<double>(row[3]),
         fmt::format("{} of {}, {:.4g} %", full_text(row[1]), full_text(row[2]), std::get<double>(row[3])), ""});
  }
  return {"Mutants killed in at least one environment, by study.", bar_chart(chart)};
}

Picture rate_bars(const Study& study, const std::vector<Death>& deaths) {
  report::BarChart chart{"death rates", report::Scale::decades, {}};
  for (std::size_t mutator = 0; mutator < std::size(kMutators); ++mutator) {
    for (std::size_t device = 0; device < study.devices().size(); ++device) {
      const Score part = score(
          deaths, [&](const Death& death) { return death.device == device && death.mutator == kMutators[mutator]; });
      if (part.mutants == 0) continue;
      chart.bars.push_back(
          {fmt::format("{}, {}", to_string(kMutators[mutator]), study.devices()[device].name), part.mean_rate(),
           fmt::format("{}, {} of {}", campaign::rate_text(part.mean_rate()), part.killed, part.mutants),
           report::palette_colour(mutator)});
    }
  }
  return {fmt::format("{}: mean death rate and mutants killed, by mutator and device.", study.name()),
          bar_chart(chart)};
}

}  // namespace

Figure mutation_figure(Studies studies, const FigureOptions& options) {
  Figure figure{
      "mutation",
      "Mutation scores and death rates",
      "A mutant is killed when its behaviour is seen in some environment; its death rate is the largest number "
      "of sightings per second in any of them, rounded to three digits after the point.",
      {},
      {}};
  Table all = score_table("mutation", "Mutation score by study", {{"study", "study"}});
  Table by_device = score_table("mutation_by_device", "By device", {{"study", "study"}, {"device", "device"}});
  Table by_mutator = score_table("mutation_by_mutator", "By mutator", {{"study", "study"}, {"mutator", "mutator"}});
  Table by_both = score_table("mutation_by_mutator_and_device", "By mutator and device",
                              {{"study", "study"}, {"mutator", "mutator"}, {"device", "device"}});
  by_both.audience = Audience::page;
  Table misses{"false_negatives",
               "Cells expected to miss their behaviour if the study is repeated (lower bound)",
               {{"study", "study"},
                {"cells_with_sightings", "cells with sightings"},
                {"missed", "missed", 1},
                {"missed_percent", "missed %", 2}},
               {}};
  Table rates{"death_rates",
              "Death rates, with intervals of 95 %",
              {{"study", "study"},
               {"device", "device"},
               {"test", "test"},
               {"mutator", "mutator"},
               {"rate", "rate /s", 3},
               {"rate_low", "at least", 3},
               {"rate_high", "at most", 3},
               {"environment", "environment"}},
              {},
              Audience::page};
  std::vector<Picture> bars;
  for (const Study& study : studies) {
    const std::vector<Death> deaths = deaths_of(study);
    if (deaths.empty()) continue;
    add_score(all, study, {}, score(deaths, [](const Death&) { return true; }));
    for (std::size_t device = 0; device < study.devices().size(); ++device) {
      const std::string& name = study.devices()[device].name;
      add_score(by_device, study, {name}, score(deaths, [&](const Death& d) { return d.device == device; }));
    }
    for (const Mutator mutator : kMutators) {
      const std::string word(to_string(mutator));
      add_score(by_mutator, study, {word}, score(deaths, [&](const Death& d) { return d.mutator == mutator; }));
      for (std::size_t device = 0; device < study.devices().size(); ++device) {
        add_score(by_both, study, {word, study.devices()[device].name},
                  score(deaths, [&](const Death& d) { return d.device == device && d.mutator == mutator; }));
      }
    }
    add_misses(misses, study);
    add_death_rates(rates, study, deaths);
    if (options.pictures && study.has_times()) bars.push_back(rate_bars(study, deaths));
  }
  if (options.pictures && !all.rows.empty()) figure.pictures.push_back(score_bars(all));
  figure.pictures.insert(figure.pictures.end(), bars.begin(), bars.end());
  figure.tables = {std::move(all),     std::move(by_device), std::move(by_mutator),
                   std::move(by_both), std::move(misses),    std::move(rates)};
  return figure;
}

}  // namespace weakspot::analysis
