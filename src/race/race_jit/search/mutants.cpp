// SPDX-License-Identifier: MIT
#include "race_jit/search/mutants.h"

#include <map>
#include <set>

#include "race_jit/machine/signals.h"

namespace weakspot::race_jit {
namespace {

using race::MutantEnd;

// Operations as a person sees them: places of the source. A template or an inlined function has several sites.
using PlacesToMutate = std::map<std::pair<race::Place, race::MutantKind>, std::vector<race::SiteId>>;
PlacesToMutate places_to_mutate(const Machine& device, const DeviceModule& module) {
  PlacesToMutate places;
  for (const SyncPoint& point : module.sync_points()) {
    const race::Place& place = device.sites()[point.site].place;
    if (place.line != 0) places[{place, point.kind}].push_back(point.site);
  }
  return places;
}

// The gravest of what is new; none if nothing is worse than a hint.
std::optional<race::Finding> gravest(const Collector& collector, const LaunchRecord& record,
                                     const BarrierTrials::Seen& seen, const std::set<NoticedKey>& usual) {
  std::optional<race::Finding> found;
  auto offer = [&](race::Finding finding) {
    if (finding.severity == race::Severity::hint) return;
    if (!found || finding.finding_class < found->finding_class) found = std::move(finding);
  };
  for (const race::Race& race : seen.noticed.races) {
    if (!usual.contains(key_of(race))) offer(collector.describe(record, race));
  }
  for (const Incident& incident : seen.noticed.incidents) {
    if (is_finding(incident) && !usual.contains(key_of(incident))) offer(collector.describe(record, incident));
  }
  return found;
}

void run_mutant(race::Mutant& mutant, const Collector& collector, BarrierTrials& trials,
                std::chrono::steady_clock::time_point end) {
  bool in_time = true;
  mutant.end = MutantEnd::not_reached;
  for (std::size_t number = 0; number < trials.count(); ++number) {
    const BarrierTrials::Usual& usual = trials.usual(number, end);
    const Trial& trial = trials.trial(number);
    in_time = in_time && usual.in_time;
    if (!usual.in_time) continue;
    for (const race::ScheduleChoice& schedule : BarrierTrials::schedules()) {
      const BarrierTrials::Seen seen = trials.run(trial, schedule, end);
      in_time = in_time && seen.in_time;
      if (seen.skipped == 0) break;
      const LaunchRecord record{.kernel = trial.kernel->name, .shape = trial.launch};
      if (const std::optional<race::Finding> found = gravest(collector, record, seen, usual.keys)) {
        mutant.end = MutantEnd::noticed;
        mutant.by_class = found->finding_class;
        mutant.by_message = found->message;
        mutant.by_place = found->place;
        return;
      }
      if (!seen.in_time) break;
      const bool differs = usual.contents && *usual.contents != seen.contents;
      if (mutant.end != MutantEnd::changed) mutant.end = differs ? MutantEnd::changed : MutantEnd::survived;
    }
  }
  if (!in_time) mutant.end = MutantEnd::not_tried;
}

// Our headers make an atomic of several operations and choose at run time. What was not chosen is not in the source.
void leave_out_parts(std::vector<race::Mutant>& mutants) {
  std::set<race::Place> reached;
  for (const race::Mutant& mutant : mutants) {
    if (mutant.end != MutantEnd::not_reached) reached.insert(mutant.place);
  }
  std::erase_if(mutants, [&](const race::Mutant& mutant) {
    return mutant.end == MutantEnd::not_reached && reached.contains(mutant.place);
  });
  for (std::size_t i = 0; i < mutants.size(); ++i) mutants[i].number = i + 1;
}

}  // namespace

std::vector<race::Mutant> try_mutants(Machine& device, const DeviceModule& module, BarrierTrials& trials,
                                      const Collector& collector, std::chrono::steady_clock::time_point end) {
  std::vector<race::Mutant> mutants;
  device.skip_barriers({});
  for (std::size_t number = 0; number < trials.count(); ++number) trials.usual(number, end);
  for (const auto& [key, sites] : places_to_mutate(device, module)) {
    race::Mutant mutant;
    mutant.place = key.first;
    mutant.kind = key.second;
    mutant.function = device.sites()[sites.front()].function;
    device.mutate(sites, mutant.kind);
    if (!stop_requested()) run_mutant(mutant, collector, trials, end);
    mutants.push_back(std::move(mutant));
  }
  device.skip_barriers({});
  leave_out_parts(mutants);
  return mutants;
}

}  // namespace weakspot::race_jit
