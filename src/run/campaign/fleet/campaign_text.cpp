// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/plural.h"
#include "campaign/campaign_report.h"
#include "campaign/summary.h"

namespace weakspot::campaign {
namespace {

using stats::OutcomeClass;

std::string cut(const std::string& text, std::size_t width) {
  return text.size() <= width ? text : text.substr(0, width - 3) + "...";
}

// "0.5/s (0.1 to 1.4)"
std::string interval_text(const stats::Rate& rate) {
  return fmt::format("{} ({} to {})", rate_text(rate.value), rate_text(rate.interval.low),
                     rate_text(rate.interval.high));
}

// The outcomes that a row is about: forbidden ones if there are any, else weak ones.
std::string told(const RunTally& tally) {
  if (tally.runs == tally.refused) return "";
  const bool forbidden = tally.count(OutcomeClass::forbidden) != 0;
  const OutcomeClass shown = forbidden ? OutcomeClass::forbidden : OutcomeClass::weak;
  if (tally.count(shown) == 0) return fmt::format("none weak; below {}", rate_text(tally.rate(shown).interval.high));
  return interval_text(tally.rate(shown));
}

std::string device_line(const CampaignCell& cell) {
  return fmt::format("{}: {}, {}\n", cell.device_class, cell.device_name.empty() ? "not opened" : cell.device_name,
                     cell.driver.empty() ? "no driver" : cell.driver);
}

constexpr std::size_t kMostListed = 20;

std::string finding_text(const CampaignFinding& finding, EnvironmentNames& names) {
  const RunRecord& run = finding.first;
  return fmt::format("FORBIDDEN {} on {} ({}): {} {} in {}, judged by {}; first with seed {} in {}\n", run.test,
                     run.device_name, run.device, finding.outcome, base::counted(finding.count, "instance"),
                     base::counted(finding.runs, "run"), run.model, run.seed, names.name(run.environment));
}

}  // namespace

std::string campaign_text(const CampaignReport& report, std::size_t width, EnvironmentNames& names) {
  std::string text = fmt::format("campaign {} of {}: {} of {} done\n", report.campaign, report.suite, report.done,
                                 base::counted(report.shards, "shard"));
  const std::vector<CampaignCell> rows = report.by_test();
  std::size_t name = 4;
  for (const CampaignCell& row : rows) name = std::max(name, row.test.size());
  // Verdict, instances and rate with their gaps take 52 columns.
  name = std::min(name, width > 72 ? width - 52 : std::size_t{20});
  std::string device;
  for (const CampaignCell& row : rows) {
    if (const std::string line = device_line(row); line != device) {
      device = line;
      text += fmt::format("\n{}{:<11} {:<{}}  {:>9}  {}\n", device, "verdict", "test", name, "instances", "rate, 95 %");
    }
    text += fmt::format("{:<11} {:<{}}  {:>9}  {}\n", row.tally.verdict(), cut(row.test, name), name,
                        short_number(static_cast<double>(row.tally.instances)), told(row.tally));
  }
  if (!report.findings.empty()) text += "\n";
  for (std::size_t i = 0; i < std::min(report.findings.size(), kMostListed); ++i) {
    text += finding_text(report.findings[i], names);
  }
  if (report.findings.size() > kMostListed) {
    text +=
        fmt::format("and {} more findings; --json and --html have them all\n", report.findings.size() - kMostListed);
  }
  if (!report.quarantined.empty()) text += "\n";
  for (const Quarantined& one : report.quarantined) {
    text += fmt::format("quarantined {} {}: {}\n", one.kind, one.name, one.reason);
  }
  return text;
}

std::string campaign_commands(const CampaignReport& report) {
  std::string text;
  std::set<std::pair<std::string, std::string>> seen;
  for (const CampaignFinding& finding : report.findings) {
    const RunRecord& run = finding.first;
    if (seen.size() == kMostListed || !seen.emplace(run.hash, run.device_name).second) continue;
    text += fmt::format("\n# {} on {} again:\n{}", run.test, run.device_name, replay_commands(run));
  }
  return text;
}

}  // namespace weakspot::campaign
