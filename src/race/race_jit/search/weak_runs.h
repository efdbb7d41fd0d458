// SPDX-License-Identifier: MIT
// Repeats launches with reads that return values which are already overwritten, as far as PTX's memory model allows,
// and tells what only they show.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "race/npy.h"
#include "race/report.h"
#include "race/request.h"
#include "race/weak_memory.h"
#include "race_jit/machine/machine.h"
#include "race_jit/search/barrier_trials.h"
#include "race_jit/search/findings.h"

namespace weakspot::race_jit {

// The schedule and the choices of the run of that number.
race::ScheduleChoice weak_schedule(std::uint64_t number);
race::WeakChoices weak_choices(std::uint64_t seed, std::uint64_t number);

class WeakRuns {
 public:
  using Clock = std::chrono::steady_clock;

  WeakRuns(const race::Request& request, Machine& device, BarrierTrials& trials, Collector& collector)
      : request_(request), device_(device), trials_(trials), collector_(collector) {}

  // The arrays that the request expects.
  base::Status read_expected();
  // Makes all runs of all trials, until `end` at the latest. Their findings go to the collector.
  race::WeakReport run(Clock::time_point end);
  // Says that runs without stale values do not leave what is expected either; else empty.
  const std::string& problem() const { return problem_; }

 private:
  // The end of a run that counts: something noticed that is a finding, or contents of memory.
  struct End {
    race::StaleEnd kind = race::StaleEnd::finding;
    NoticedKey key;
    std::string array;

    auto operator<=>(const End&) const = default;
  };
  // A trial, and what it does without stale values.
  struct Subject {
    std::size_t number = 0;
    const Trial& trial;
    std::set<NoticedKey> keys;
    std::optional<std::uint64_t> contents;  // if all schedules agree
    std::set<std::string> unexpected;       // arrays
  };
  struct Run {
    BarrierTrials::Seen seen;
    std::set<std::string> unexpected;
    std::vector<race::StaleRead> stale;
  };

  Subject subject(std::size_t number, Clock::time_point end);
  void learn(Subject& subject, std::uint64_t number, const Run& run);
  Run repeat(const Trial& trial, std::uint64_t number, const std::optional<std::set<race::ReadName>>& only,
             Clock::time_point end);
  static std::set<End> ends_of(const Subject& subject, const Run& run);
  void examine(const Subject& subject, std::uint64_t number, const End& found, Run run, Clock::time_point end);
  Run fewest(const Subject& subject, std::uint64_t number, const End& found, Run run, Clock::time_point end);
  void keep_usual(const Trial& trial, std::uint64_t number, const NoticedKey& key, const Noticed& noticed);
  void count(const End& end, const Run& run);
  std::set<std::string> unexpected() const;
  std::string replay(const Trial& trial, std::uint64_t number) const;

  const race::Request& request_;
  Machine& device_;
  BarrierTrials& trials_;
  Collector& collector_;
  std::map<std::string, race::NpyArray> expected_;
  race::WeakReport report_;
  std::string problem_;
  std::map<End, std::size_t> counted_;  // positions in the report
  std::set<End> examined_;              // of this trial
};

}  // namespace weakspot::race_jit
