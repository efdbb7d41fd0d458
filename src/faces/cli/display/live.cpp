// SPDX-License-Identifier: MIT
#include "cli/display/live.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "cli/command/commands.h"
#include "cli/display/run_text.h"
#include "console/fold.h"
#include "console/terminal.h"

namespace weakspot::cli {
namespace {

constexpr auto kLiveSpacing = std::chrono::milliseconds(200);

LiveSize terminal_size() {
  const Terminal terminal = terminal_of(STDERR_FILENO);
  return {std::clamp<int>(static_cast<int>(terminal.width), 40, 160),
          std::max<int>(static_cast<int>(terminal.height), 4)};
}

}  // namespace

std::string time_text(double seconds) {
  const auto whole = static_cast<long>(seconds + 0.5);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

double progress_of(const campaign::RunRecord& record) {
  const double done = record.asked_instances != 0
                          ? static_cast<double>(record.instances) / static_cast<double>(record.asked_instances)
                      : record.asked_seconds > 0 ? record.host_seconds / record.asked_seconds
                                                 : 0;
  return std::clamp(done, 0.0, 1.0);
}

std::string live_text(const campaign::RunGroup& group, double fraction, double seconds, const LiveSize& size) {
  constexpr int kBar = 24;
  const auto filled = static_cast<int>(fraction * kBar);
  std::string bar;
  for (int i = 0; i < kBar; ++i) bar += i < filled ? "━" : "╌";
  campaign::RunRecord sum = group.sum();
  std::string text = fmt::format("{} {:3.0f} %", bar, fraction * 100);
  if (fraction > 0.005) text += fmt::format(", {} left", time_text(seconds * (1 - fraction) / fraction));
  text += fmt::format("   {} on {}: {} instances, {}/s\n", sum.test, sum.device,
                      campaign::short_number(static_cast<double>(sum.instances)), campaign::short_number(sum.rate()));
  // Only lines that are still on the screen can be drawn over.
  const auto room = static_cast<std::size_t>(std::max(size.height - 3, 1));
  const std::size_t hidden = sum.outcomes.size() - std::min(sum.outcomes.size(), room);
  sum.outcomes.resize(sum.outcomes.size() - hidden);
  text += outcome_lines(sum, static_cast<std::size_t>(size.width));
  if (hidden != 0) text += fmt::format("    and {} more\n", hidden);
  return text;
}

Live::Live() : active_(terminal_of(STDERR_FILENO).redraws) {}

void Live::draw(const campaign::RunGroup& group, std::size_t ended) {
  const Clock::time_point now = Clock::now();
  if (!start_)
    start_ = now - std::chrono::duration_cast<Clock::duration>(
                       std::chrono::duration<double>(group.records.back().host_seconds));
  if (!active_ || now - last_ < kLiveSpacing) return;
  last_ = now;
  const double fraction = (static_cast<double>(ended) + progress_of(group.records.back())) /
                          static_cast<double>(std::max<std::size_t>(runs_, 1));
  const LiveSize size = terminal_size();
  const double seconds = std::chrono::duration<double>(now - *start_).count();
  const std::string text =
      clipped(screen_text(live_text(group, fraction, seconds, size)), static_cast<std::size_t>(size.width) - 1);
  clear();
  lines_ = static_cast<int>(std::count(text.begin(), text.end(), '\n'));
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

void Live::clear() {
  if (lines_ == 0) return;
  fmt::print(stderr, "\033[{}A\033[J", lines_);
  lines_ = 0;
}

}  // namespace weakspot::cli
