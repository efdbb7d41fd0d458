// SPDX-License-Identifier: MIT
#include "cli/run_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace weakspot::cli {
namespace {

using campaign::class_word;
using campaign::OutcomeCount;
using campaign::RunRecord;
using campaign::short_number;
using stats::OutcomeClass;

constexpr const char* kReset = "\033[0m";

const char* colour_of(OutcomeClass outcome_class) {
  switch (outcome_class) {
    case OutcomeClass::forbidden:
      return "\033[1;31m";
    case OutcomeClass::weak:
      return "\033[33m";
    case OutcomeClass::unknown:
      return "\033[35m";
    case OutcomeClass::interleaved:
      return "\033[36m";
    case OutcomeClass::sequential:
      return "\033[32m";
  }
  return "";
}

// The length of a bar, proportional to the logarithm of the count.
int bar_length(std::uint64_t count, std::uint64_t largest, int room) {
  if (count == 0 || room <= 0) return 0;
  const double scale = std::log10(static_cast<double>(std::max<std::uint64_t>(largest, 10))) + 1;
  return std::max(1, static_cast<int>(room * (std::log10(static_cast<double>(count)) + 1) / scale));
}

}  // namespace

std::string verdict_line(const campaign::RunGroup& group) {
  const RunRecord sum = group.sum();
  std::string text = fmt::format("{:<11} {}  {}", campaign::verdict_word(sum), sum.test, sum.device);
  if (!sum.model.empty()) text += "  " + sum.model;
  if (sum.instances != 0) {
    text +=
        fmt::format("  {} instances, {}/s", short_number(static_cast<double>(sum.instances)), short_number(sum.rate()));
    for (const OutcomeClass outcome_class : {OutcomeClass::forbidden, OutcomeClass::unknown, OutcomeClass::weak}) {
      const std::uint64_t count = sum.count(outcome_class);
      if (count != 0) text += fmt::format(", {} {}", count, class_word(outcome_class));
    }
    if (sum.unfinished != 0) text += fmt::format(", {} unfinished", sum.unfinished);
    if (sum.barrier_timeouts != 0) text += fmt::format(", {} barrier time-outs", sum.barrier_timeouts);
    if (group.records.size() > 1) {
      text += fmt::format("  [most in {}]", codegen::to_text(group.most_telling().environment));
    }
  }
  if (sum.deliberately_broken()) text += "  DELIBERATELY BROKEN";
  if (!sum.message.empty()) text += fmt::format("  ({}: {})", to_string(sum.status), sum.message);
  if (sum.instances != 0 && !sum.remark.empty()) text += fmt::format("  ({})", sum.remark);
  return text + "\n";
}

std::string outcome_lines(const RunRecord& sum, const TableOptions& options) {
  std::size_t outcome_width = 0;
  std::size_t count_width = 0;
  std::uint64_t largest = 0;
  for (const OutcomeCount& outcome : sum.outcomes) {
    outcome_width = std::max(outcome_width, outcome.outcome.size());
    count_width = std::max(count_width, std::to_string(outcome.count).size());
    largest = std::max(largest, outcome.count);
  }
  const int room = options.width - static_cast<int>(outcome_width + count_width) - 20;
  std::string text;
  for (const OutcomeCount& outcome : sum.outcomes) {
    std::string line = fmt::format("  {} {:<{}} {:>{}}  {}", outcome.matches ? '*' : ' ', outcome.outcome,
                                   outcome_width, outcome.count, count_width, class_word(outcome.outcome_class));
    const int length = options.width == 0 ? 0 : bar_length(outcome.count, largest, room);
    if (length > 0) {
      line += std::string(13 - class_word(outcome.outcome_class).size(), ' ');
      std::string bar;
      for (int i = 0; i < length; ++i) bar += "▇";
      line += options.colour ? colour_of(outcome.outcome_class) + bar + kReset : bar;
    }
    text += line + "\n";
  }
  return text;
}

std::string device_table_text(const campaign::DeviceTable& table) {
  // A column has two parts, a count and a rate, with the device's name above them.
  struct Cells {
    std::vector<std::string> counts, rates;
  };
  std::vector<Cells> columns;
  std::vector<std::size_t> count_widths, rate_widths;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const campaign::DeviceTable::Column& column = table.columns[c];
    Cells cells;
    auto add = [&](std::uint64_t count) {
      cells.counts.push_back(column.ran ? std::to_string(count) : "-");
      cells.rates.push_back(count == 0 || !column.ran ? "" : short_number(column.rate(count)) + "/s");
    };
    for (const campaign::DeviceTable::Row& row : table.rows) add(row.counts[c]);
    add(column.instances);
    std::size_t counts = 0, rates = 0;
    for (const std::string& text : cells.counts) counts = std::max(counts, text.size());
    for (const std::string& text : cells.rates) rates = std::max(rates, text.size());
    const std::size_t heads = std::max({column.device.size(), column.verdict.size(), column.model.size()});
    if (counts + 1 + rates < heads) counts = heads - rates - 1;
    count_widths.push_back(counts);
    rate_widths.push_back(rates);
    columns.push_back(std::move(cells));
  }
  std::size_t first = table.test.size();
  for (const campaign::DeviceTable::Row& row : table.rows) first = std::max(first, row.outcome.size() + 2);
  first = std::max(first, std::string_view("judged by").size() + 2);

  auto trimmed = [](std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    return line + "\n";
  };
  auto head = [&](const std::string& title, auto&& text_of) {
    std::string line = fmt::format("  {:<{}}", title, first);
    for (std::size_t c = 0; c < columns.size(); ++c) {
      line += fmt::format("   {:>{}}", text_of(table.columns[c]), count_widths[c] + 1 + rate_widths[c]);
    }
    return trimmed(line);
  };
  auto row = [&](const std::string& title, std::size_t number, const std::string& last) {
    std::string line = fmt::format("  {:<{}}", title, first);
    for (std::size_t c = 0; c < columns.size(); ++c) {
      line += fmt::format("   {:>{}} {:>{}}", columns[c].counts[number], count_widths[c], columns[c].rates[number],
                          rate_widths[c]);
    }
    return trimmed(line + "   " + last);
  };
  std::string text = head(table.test, [](const auto& column) { return column.device; });
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    text += row((table.rows[r].matches ? "* " : "  ") + table.rows[r].outcome, r, table.rows[r].classes);
  }
  text += row("  instances", table.rows.size(), "");
  text += head("  judged by", [](const auto& column) { return column.model; });
  return text + head("  verdict", [](const auto& column) { return column.verdict; });
}

}  // namespace weakspot::cli
