// SPDX-License-Identifier: MIT
#include "cli/display/status_text.h"

#include <fmt/format.h>

#include "cli/display/live.h"
#include "console/fold.h"

namespace weakspot::cli {
namespace {

constexpr std::size_t kClassWidth = 22;

std::string state_word(const store::CampaignStatus& status) {
  if (status.over()) return "done";
  return status.campaign.paused ? "paused" : "running";
}

std::string left_text(const store::ClassStatus& row) {
  if (row.left + row.running == 0) return "-";
  // Runs that end after a number of instances have no planned time.
  const std::optional<double> seconds = row.seconds_left > 0 ? row.time_left() : std::nullopt;
  return seconds ? time_text(*seconds) : "unknown";
}

}  // namespace

std::string status_text(const store::CampaignStatus& status) {
  const store::Campaign& campaign = status.campaign.campaign;
  std::string text = fmt::format("{} campaign {}  {}\n", state_word(status), campaign.id, campaign.name);
  text += fmt::format("{:<{}} {:>8} {:>7} {:>8} {:>11} {:>7} {:>11}\n", "device class", kClassWidth, "done", "running",
                      "left", "quarantined", "rate", "time left");
  for (const store::ClassStatus& row : status.classes) {
    text += fmt::format("{:<{}} {:>8} {:>7} {:>8} {:>11} {:>7} {:>11}\n",
                        console::shortened(row.device_class, kClassWidth), kClassWidth, row.done, row.running, row.left,
                        row.quarantined, row.rate > 0 ? fmt::format("{:.3g}", row.rate) : "-", left_text(row));
  }
  return text;
}

}  // namespace weakspot::cli
