// SPDX-License-Identifier: MIT
#include "race_jit/search/redundant_barriers.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "race/classes.h"

namespace weakspot::race_jit {
namespace {

using race::Finding;
using race::Place;

std::string plural_runs(std::uint64_t count) { return fmt::format("{} run{}", count, count == 1 ? "" : "s"); }

// By place. If one instruction of a place is needed, the place is.
std::map<Place, UnneededBarrier> unneeded_barriers(const Machine& device) {
  std::map<Place, UnneededBarrier> barriers;
  std::set<Place> needed;
  for (const auto& [id, use] : device.barriers()) {
    const Place& place = device.sites()[id].place;
    UnneededBarrier& barrier = barriers[place];
    barrier.sites.push_back(id);
    barrier.instances += use.instances;
    barrier.threads = std::max(barrier.threads, use.threads);
    if (device.detector().barrier_needed(id)) needed.insert(place);
  }
  std::erase_if(barriers, [&](const auto& entry) { return needed.contains(entry.first) || entry.second.threads < 2; });
  return barriers;
}

std::string confirmation(const race::BarrierEvidence& evidence) {
  if (evidence.confirmed == 0) return "; there was no time for a run without it";
  std::string text = fmt::format("; confirmed by {} without it", plural_runs(evidence.confirmed));
  if (evidence.compared == evidence.confirmed) return text + ", which left the same memory";
  if (evidence.compared == 0) return text + "; the memory that they leave depends on the schedule";
  return text + fmt::format(", of which {} left the same memory; that of the others depends on the schedule",
                            evidence.compared);
}

Finding describe_barrier(const Machine& device, const Place& place, const UnneededBarrier& barrier,
                         const RunEvidence& runs) {
  Finding finding;
  race::classify(finding, race::ClassId::r1);
  finding.kind = race::FindingKind::redundant_barrier;
  finding.place = place;
  const race::Site& site = device.sites()[barrier.sites.front()];
  finding.function = site.function;
  finding.called_from = site.called_from;
  finding.origin = site.origin;
  finding.message = "everything that this barrier orders is ordered without it";
  finding.why = fmt::format("in {}, something else also ordered every conflict across it", plural_runs(runs.runs));
  if (runs.branches > 0) {
    finding.why += fmt::format("; {} of {} branches were reached", runs.branches_reached, runs.branches);
  }
  finding.count = barrier.instances;
  finding.evidence = race::BarrierEvidence{runs.runs, barrier.instances, barrier.threads, 0, 0, {}, {}};
  return finding;
}

race::Fix removal(const Finding& finding) {
  const race::BarrierEvidence& evidence = *finding.evidence;
  race::Fix fix{.kind = race::FixKind::remove_barrier, .certain = evidence.confirmed > 0};
  auto add = [&](const Place& place, race::FixRole role) {
    fix.places.push_back({{place.file, place.line, false}, role, place});
  };
  add(finding.place, race::FixRole::none);
  for (const Place& place : evidence.together) add(place, race::FixRole::none);
  for (const Place& place : evidence.instead) add(place, race::FixRole::keep);
  return fix;
}

}  // namespace

std::vector<Company> keep_company(std::size_t count,
                                  const std::function<bool(const std::vector<std::size_t>&)>& may_go) {
  std::vector<Company> companies(count);
  std::vector<std::size_t> all(count), gone;
  std::iota(all.begin(), all.end(), std::size_t{0});
  if (count < 2) return companies;
  if (may_go(all)) {
    gone = all;
  } else {
    // Removes as many as can be removed together, tried in the order of the source.
    for (const std::size_t one : all) {
      std::vector<std::size_t> more = gone;
      more.push_back(one);
      if (more.size() == 1 || may_go(more)) gone = std::move(more);
    }
  }
  for (const std::size_t one : all) {
    Company& company = companies[one];
    if (std::find(gone.begin(), gone.end(), one) != gone.end()) {
      company.together = gone;
      std::erase(company.together, one);
      continue;
    }
    for (const std::size_t other : gone) {
      if (!may_go({std::min(one, other), std::max(one, other)})) company.instead.push_back(other);
    }
    // The barrier can be removed with each of them, but not with all.
    if (company.instead.empty()) company.instead = gone;
  }
  // The relation goes both ways.
  for (const std::size_t one : all) {
    if (std::find(gone.begin(), gone.end(), one) != gone.end()) continue;
    for (const std::size_t other : companies[one].instead) companies[other].instead.push_back(one);
  }
  return companies;
}

std::vector<Finding> redundant_barriers(const Machine& device, BarrierTrials& trials, const RunEvidence& evidence,
                                        double seconds) {
  const auto end = BarrierTrials::Clock::now() +
                   std::chrono::duration_cast<BarrierTrials::Clock::duration>(std::chrono::duration<double>(seconds));
  std::vector<Finding> findings;
  std::vector<const UnneededBarrier*> kept;
  const std::map<Place, UnneededBarrier> barriers = unneeded_barriers(device);
  for (const auto& [place, barrier] : barriers) {
    const BarrierTrials::Verdict verdict = trials.run_without(barrier.sites, end);
    if (verdict.needed) continue;
    findings.push_back(describe_barrier(device, place, barrier, evidence));
    findings.back().evidence->confirmed = verdict.runs;
    findings.back().evidence->compared = verdict.compared;
    kept.push_back(&barrier);
  }
  bool in_time = true;
  const std::vector<Company> companies = keep_company(kept.size(), [&](const std::vector<std::size_t>& numbers) {
    std::vector<race::SiteId> sites;
    for (const std::size_t number : numbers) {
      sites.insert(sites.end(), kept[number]->sites.begin(), kept[number]->sites.end());
    }
    const BarrierTrials::Verdict verdict = trials.run_without(sites, end);
    in_time = in_time && !verdict.out_of_time;
    return !verdict.needed;
  });
  for (std::size_t i = 0; i < findings.size(); ++i) {
    Finding& finding = findings[i];
    finding.why += confirmation(*finding.evidence);
    if (in_time) {
      for (const std::size_t other : companies[i].together) finding.evidence->together.push_back(findings[other].place);
      for (const std::size_t other : companies[i].instead) finding.evidence->instead.push_back(findings[other].place);
    } else if (findings.size() > 1) {
      finding.why += "; there was no time to try which of them can be removed together";
    }
    finding.fixes = {removal(finding)};
  }
  return findings;
}

}  // namespace weakspot::race_jit
