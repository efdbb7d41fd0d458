// SPDX-License-Identifier: MIT
#include "race_jit/search/barrier_trials.h"

#include <algorithm>
#include <array>

#include "race_jit/machine/signals.h"
#include "race_jit/search/arguments.h"
#include "race_jit/search/session.h"

namespace weakspot::race_jit {
namespace {

constexpr double kSecondsPerTrial = 2;
constexpr std::array<race::ScheduleChoice, 3> kSchedules = {
    {{Schedule::forward, 0}, {Schedule::reversed, 0}, {Schedule::random, 0}}};

}  // namespace

std::span<const race::ScheduleChoice> BarrierTrials::schedules() { return kSchedules; }

bool BarrierTrials::has_enough(const Kernel& kernel) const {
  return std::count_if(trials_.begin(), trials_.end(), [&](const Trial& trial) { return trial.kernel == &kernel; }) >=
         kTrials;
}

std::optional<std::size_t> BarrierTrials::add(Trial trial) {
  const std::uint64_t bytes = trial.memory ? trial.memory->contents.size() : 0;
  if (has_enough(*trial.kernel) || memory_ + bytes > kMemory) return std::nullopt;
  memory_ += bytes;
  trials_.push_back(std::move(trial));
  return trials_.size() - 1;
}

// False if its arguments cannot be made.
bool BarrierTrials::launch(const Trial& trial, race::ScheduleChoice schedule, LaunchRequest& request) {
  if (!module_.prepare(*trial.kernel)) return false;
  std::vector<void*> pointers;
  std::optional<base::Result<Arguments>> arguments;
  if (trial.memory) {
    device_.arena().restore(*trial.memory);
    for (const std::vector<char>& bytes : trial.parameters) pointers.push_back(const_cast<char*>(bytes.data()));
    request.arguments = pointers.data();
  } else {
    device_.arena().rewind(mark_);
    module_.reset_variables();
    arguments.emplace(Arguments::make(*trial.kernel, trial.launch, device_.arena(), trial.seed));
    if (!arguments->ok()) return false;
    request.arguments = (*arguments)->pointers();
  }
  request.seed = schedule_seed(trial.seed, schedule);
  device_.launch(request, schedule.order);
  return true;
}

BarrierTrials::Seen BarrierTrials::run(const Trial& trial, race::ScheduleChoice schedule, Clock::time_point end) {
  Seen seen;
  const double left = std::chrono::duration<double>(end - Clock::now()).count();
  seen.in_time = left > 0;
  if (!seen.in_time) return seen;
  LaunchRequest request = launch_request(*trial.kernel, trial.launch);
  set_time_left(std::clamp(left, 0.01, kSecondsPerTrial));
  device_.detector().set_doubt({});
  std::uint64_t blocks = trial.launch.grid.count();
  for (const std::size_t number : trial.concurrent) {
    const Trial& other = trials_[number];
    LaunchRequest before = launch_request(*other.kernel, other.launch);
    before.keep_history = true;
    before.first_block = blocks;  // no two of them have the same
    before.concurrent = request.concurrent;
    blocks += other.launch.grid.count();
    if (!launch(other, schedule, before)) continue;
    request.concurrent.push_back(device_.last_intervals());
    if (trial.depends_on == number) request.prerequisite = device_.last_intervals();
    seen.skipped += device_.skipped();
  }
  seen.in_time = launch(trial, schedule, request);
  if (!seen.in_time) return seen;
  seen.noticed = {device_.detector().take_races(), device_.take_incidents()};
  for (const race::Race& race : seen.noticed.races) {
    seen.keys.insert(key_of(race));
  }
  for (const Incident& incident : seen.noticed.incidents) {
    if (incident.kind == Incident::Kind::deadline) seen.in_time = false;
    seen.keys.insert(key_of(incident));
  }
  seen.contents = device_.arena().fingerprint();
  seen.skipped += device_.skipped();
  return seen;
}

const BarrierTrials::Usual& BarrierTrials::usual(std::size_t number, Clock::time_point end) {
  if (number < usual_.size()) return usual_[number];
  device_.skip_barriers({});
  Usual usual;
  for (const race::ScheduleChoice& schedule : kSchedules) {
    const Seen seen = run(trials_[number], schedule, end);
    usual.keys.insert(seen.keys.begin(), seen.keys.end());
    usual.in_time = usual.in_time && seen.in_time;
    const bool first = schedule.order == Schedule::forward;
    if (first || usual.contents != seen.contents) usual.contents = first ? std::optional(seen.contents) : std::nullopt;
  }
  usual_.push_back(std::move(usual));
  return usual_.back();
}

BarrierTrials::Verdict BarrierTrials::run_without(const std::vector<race::SiteId>& sites, Clock::time_point end) {
  Verdict verdict;
  for (std::size_t number = 0; number < trials_.size() && !verdict.needed; ++number) {
    const Usual& expected = usual(number, end);
    if (!expected.in_time) {
      verdict.out_of_time = true;
      break;
    }
    device_.skip_barriers(sites);
    for (const race::ScheduleChoice& schedule : kSchedules) {
      const Seen seen = run(trials_[number], schedule, end);
      if (!seen.in_time) verdict.out_of_time = true;
      if (!seen.in_time || seen.skipped == 0) break;
      const bool news = !std::includes(expected.keys.begin(), expected.keys.end(), seen.keys.begin(), seen.keys.end());
      verdict.needed = news || (expected.contents && *expected.contents != seen.contents);
      if (verdict.needed) break;
      ++verdict.runs;
      if (expected.contents) ++verdict.compared;
    }
    device_.skip_barriers({});
    if (verdict.out_of_time) break;
  }
  return verdict;
}

}  // namespace weakspot::race_jit
