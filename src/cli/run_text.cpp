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

// The length of a bar: each tenfold count is so much longer.
int bar_length(std::uint64_t count, std::uint64_t largest, int room) {
  if (count == 0 || room <= 0) return 0;
  const double scale = std::log10(static_cast<double>(std::max<std::uint64_t>(largest, 10))) + 1;
  return std::max(1, static_cast<int>(room * (std::log10(static_cast<double>(count)) + 1) / scale));
}

}  // namespace

std::string verdict_line(const campaign::RunGroup& group) {
  const RunRecord sum = group.sum();
  std::string text = fmt::format("{:<11} {}  {}", campaign::verdict_word(sum), sum.test, sum.device);
  if (sum.instances != 0) {
    text +=
        fmt::format("  {} instances, {}/s", short_number(static_cast<double>(sum.instances)), short_number(sum.rate()));
    for (const OutcomeClass outcome_class : {OutcomeClass::forbidden, OutcomeClass::unknown, OutcomeClass::weak}) {
      const std::uint64_t count = sum.count(outcome_class);
      if (count != 0) text += fmt::format(", {} {}", count, class_word(outcome_class));
    }
    if (sum.unfinished != 0) text += fmt::format(", {} unfinished", sum.unfinished);
    if (sum.barrier_timeouts != 0) text += fmt::format(", {} barrier time-outs", sum.barrier_timeouts);
    const RunRecord& telling = group.most_telling();
    text += fmt::format("  [{}]", codegen::to_text(telling.environment));
  }
  if (sum.deliberately_broken()) text += "  DELIBERATELY BROKEN";
  if (!sum.message.empty()) text += fmt::format("  ({}: {})", to_string(sum.status), sum.message);
  if (sum.instances != 0 && !sum.remark.empty()) text += fmt::format("  ({}: {})", sum.model, sum.remark);
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

}  // namespace weakspot::cli
