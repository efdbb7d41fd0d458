// SPDX-License-Identifier: MIT
#include "cli/display/run_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/plural.h"
#include "base/printable.h"
#include "campaign/record_json.h"
#include "console/fold.h"

namespace weakspot::cli {
namespace {

using base::printable_word;
using campaign::class_word;
using campaign::OutcomeCount;
using campaign::RunRecord;
using campaign::short_number;
using stats::OutcomeClass;

// The length of a bar, proportional to the logarithm of the count.
int bar_length(std::uint64_t count, std::uint64_t largest, int room) {
  if (count == 0 || room <= 0) return 0;
  const double scale = std::log10(static_cast<double>(std::max<std::uint64_t>(largest, 10))) + 1;
  return std::max(1, static_cast<int>(room * (std::log10(static_cast<double>(count)) + 1) / scale));
}

std::string head_text(const RunRecord& sum) {
  std::string text =
      fmt::format("{:<11} {}  {}", campaign::verdict_word(sum), printable_word(sum.test), printable_word(sum.device));
  return sum.model.empty() ? text : text + "  " + printable_word(sum.model);
}

std::string counts_text(const RunRecord& sum, bool with_rate) {
  if (sum.instances == 0) return "";
  std::string text = fmt::format("  {} instances", short_number(static_cast<double>(sum.instances)));
  if (with_rate) text += fmt::format(", {}/s", short_number(sum.rate()));
  for (const OutcomeClass outcome_class : {OutcomeClass::forbidden, OutcomeClass::unknown, OutcomeClass::weak}) {
    const std::uint64_t count = sum.count(outcome_class);
    if (count != 0) text += fmt::format(", {} {}", count, class_word(outcome_class));
  }
  if (sum.unfinished != 0) text += fmt::format(", {} unfinished", sum.unfinished);
  if (sum.barrier_timeouts != 0) text += ", " + base::counted(sum.barrier_timeouts, "barrier time-out");
  return text;
}

std::string broken_text(const RunRecord& sum) { return sum.deliberately_broken() ? "  DELIBERATELY BROKEN" : ""; }

std::string remarks_text(const RunRecord& sum) {
  std::string text;
  if (sum.code && sum.code->verdict == optcheck::CodeVerdict::matched) text += "  code matched";
  if (sum.is_changed()) text += fmt::format("  NOT AN OBSERVATION: the code is not the test: {}", sum.code->reason);
  if (sum.code && sum.code->verdict == optcheck::CodeVerdict::unknown) {
    text += fmt::format("  (code not checked: {})", printable_word(sum.code->reason));
  }
  if (!sum.message.empty()) text += fmt::format("  ({}: {})", to_string(sum.status), printable_word(sum.message));
  if (sum.instances != 0 && !sum.remark.empty()) text += fmt::format("  ({})", printable_word(sum.remark));
  return text;
}

}  // namespace

std::string verdict_line(const campaign::RunGroup& group, campaign::EnvironmentNames& names) {
  const RunRecord sum = group.sum();
  const bool several = group.records.size() > 1 && sum.instances != 0;
  const std::string where = several ? fmt::format("  [most in {}]", names.name(group.most_telling().environment)) : "";
  return head_text(sum) + counts_text(sum, true) + where + broken_text(sum) + remarks_text(sum) + "\n";
}

std::string brief_line(const campaign::RunGroup& group, std::size_t width) {
  RunRecord sum = group.sum();
  // The whole report has it.
  if (sum.code && sum.code->afterwards && sum.code->verdict == optcheck::CodeVerdict::unknown) sum.code.reset();
  const auto line = [&](bool with_rate) {
    return head_text(sum) + broken_text(sum) + counts_text(sum, with_rate) + remarks_text(sum);
  };
  const bool fits = base::columns_of(line(true)) <= width;
  return console::shortened(line(fits), width) + "\n";
}

std::string environment_legend(const campaign::EnvironmentNames& names, bool verbose) {
  const std::vector<campaign::EnvironmentNames::Entry>& entries = names.numbered();
  if (entries.empty()) return "";
  if (!verbose) {
    const std::string last = entries.size() > 1 ? " to " + entries.back().name : "";
    return fmt::format("\n--verbose lists the settings of {}{}\n", entries.front().name, last);
  }
  std::string text = "\n";
  for (const campaign::EnvironmentNames::Entry& entry : entries) {
    text += fmt::format("{}  {}\n", entry.name, entry.settings);
  }
  return text;
}

namespace {

// The lines of a readable table.
constexpr std::size_t kMostOutcomes = 40;

// The outcomes to show, in their order: all, or of very many those that matter and the most frequent.
std::vector<const OutcomeCount*> shown_outcomes(const RunRecord& sum) {
  std::vector<const OutcomeCount*> shown;
  shown.reserve(sum.outcomes.size());
  for (const OutcomeCount& outcome : sum.outcomes) shown.push_back(&outcome);
  if (shown.size() <= kMostOutcomes) return shown;
  auto matters = [](const OutcomeCount& outcome) {
    return (outcome.outcome_class == OutcomeClass::forbidden ? 2 : 0) + (outcome.matches ? 1 : 0);
  };
  std::sort(shown.begin(), shown.end(), [&](const OutcomeCount* a, const OutcomeCount* b) {
    if (matters(*a) != matters(*b)) return matters(*a) > matters(*b);
    return a->count != b->count ? a->count > b->count : a < b;
  });
  shown.resize(kMostOutcomes);
  std::sort(shown.begin(), shown.end());
  return shown;
}

}  // namespace

std::string outcome_lines(const RunRecord& sum, std::size_t width) {
  constexpr std::size_t kMostWidth = 100;  // longer bars say no more
  std::size_t outcome_width = 0;
  std::size_t count_width = 0;
  std::uint64_t largest = 0;
  const std::vector<const OutcomeCount*> shown = shown_outcomes(sum);
  std::uint64_t left = 0;  // instances of the others
  for (const OutcomeCount& outcome : sum.outcomes) left += outcome.count;
  for (const OutcomeCount* outcome : shown) {
    outcome_width = std::max(outcome_width, outcome->outcome.size());
    count_width = std::max(count_width, std::to_string(outcome->count).size());
    largest = std::max(largest, outcome->count);
    left -= outcome->count;
  }
  const int room = static_cast<int>(std::min(width, kMostWidth)) - static_cast<int>(outcome_width + count_width) - 20;
  std::string text;
  for (const OutcomeCount* one : shown) {
    const OutcomeCount& outcome = *one;
    std::string line = fmt::format("  {} {:<{}} {:>{}}  {}", outcome.matches ? '*' : ' ', outcome.outcome,
                                   outcome_width, outcome.count, count_width, class_word(outcome.outcome_class));
    const int length = bar_length(outcome.count, largest, room);
    if (length > 0) {
      line += std::string(13 - class_word(outcome.outcome_class).size(), ' ');
      for (int i = 0; i < length; ++i) line += "▇";
    }
    text += line + "\n";
  }
  if (const std::size_t others = sum.outcomes.size() - shown.size(); others != 0) {
    text += fmt::format("    and {} other outcome{}, seen {} time{}; --json lists them all\n", others,
                        others == 1 ? "" : "s", left, left == 1 ? "" : "s");
  }
  return text;
}

namespace {

// The columns [begin, end) of a table.
campaign::DeviceTable part_of(const campaign::DeviceTable& table, std::size_t begin, std::size_t end) {
  campaign::DeviceTable part = table;
  auto keep = [&](auto& cells) {
    cells.erase(cells.begin() + static_cast<std::ptrdiff_t>(end), cells.end());
    cells.erase(cells.begin(), cells.begin() + static_cast<std::ptrdiff_t>(begin));
  };
  keep(part.columns);
  for (campaign::DeviceTable::Row& row : part.rows) keep(row.counts);
  return part;
}

std::string whole_table(const campaign::DeviceTable& table) {
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
  std::string text = head(printable_word(table.test), [](const auto& column) { return printable_word(column.device); });
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    text += row((table.rows[r].matches ? "* " : "  ") + table.rows[r].outcome, r, table.rows[r].classes);
  }
  text += row("  instances", table.rows.size(), "");
  text += head("  judged by", [](const auto& column) { return column.model; });
  return text + head("  verdict", [](const auto& column) { return column.verdict; });
}

std::size_t width_of(const std::string& text) {
  std::size_t width = 0;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    width = std::max(width, base::columns_of(rest.substr(0, end)));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return width;
}

}  // namespace

std::string device_table_text(const campaign::DeviceTable& table, std::size_t width) {
  std::string text;
  for (std::size_t begin = 0; begin < table.columns.size();) {
    std::size_t end = table.columns.size();
    std::string part = whole_table(part_of(table, begin, end));
    while (end > begin + 1 && width_of(part) > width) part = whole_table(part_of(table, begin, --end));
    text += (text.empty() ? "" : "\n") + part;
    begin = end;
  }
  return text;
}

std::string results_text(const std::vector<campaign::RunRecord>& records) {
  base::JsonValue array = base::json_array();
  for (const campaign::RunRecord& record : records) array.push_back(campaign::results_json(record));
  return base::json_indented(array) + "\n";
}

}  // namespace weakspot::cli
