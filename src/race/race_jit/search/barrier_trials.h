// SPDX-License-Identifier: MIT
// Repeats launches without some of their barriers, to see whether anything depends on them.
//
// A trial remembers how a launch began: arguments that can be made again, or a copy of memory. The launch is repeated
// unchanged under three schedules, and then without the barriers. They are needed if a new race, divergence or fault
// shows up, or if memory ends with other contents. Contents that already depend on the schedule are not compared.
// Launches that it may overlap with are repeated before it.
#pragma once

#include <chrono>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "race_jit/lower/device_module.h"
#include "race_jit/machine/machine.h"
#include "race_jit/search/findings.h"

namespace weakspot::race_jit {

struct Trial {
  const Kernel* kernel = nullptr;
  race::LaunchSpec launch;
  std::uint64_t seed = 1;  // seed of contents
  // For a launch of a program: the memory before it, and the bytes of each parameter.
  std::optional<Arena::Snapshot> memory;
  std::vector<std::vector<char>> parameters;
  // Numbers of earlier trials, of launches that may run at the same time, and the one of them that this one depends on.
  std::vector<std::size_t> concurrent;
  std::optional<std::size_t> depends_on;
};

class BarrierTrials {
 public:
  BarrierTrials(Machine& device, DeviceModule& module)
      : device_(device), module_(module), mark_(device.arena().mark()) {}

  // Keeps the first trials of each kernel, as far as memory allows. Returns the number of this one if it is kept.
  std::optional<std::size_t> add(Trial trial);
  bool has_enough(const Kernel& kernel) const;

  struct Verdict {
    std::uint64_t runs = 0;      // runs that skipped one of the barriers and showed nothing new
    std::uint64_t compared = 0;  // those with the same contents of memory
    bool needed = false;         // a run showed something
    bool out_of_time = false;
  };
  // Runs all trials without the barriers at these sites, until `end` at the latest.
  using Clock = std::chrono::steady_clock;
  Verdict run_without(const std::vector<race::SiteId>& sites, Clock::time_point end);

  struct Seen {
    Noticed noticed;
    std::set<NoticedKey> keys;
    std::uint64_t contents = 0;
    std::uint64_t skipped = 0;
    bool in_time = true;
  };
  // The course of a trial with all barriers.
  struct Usual {
    std::set<NoticedKey> keys;
    std::optional<std::uint64_t> contents;  // if the schedules agree
    bool in_time = true;
  };

  std::size_t count() const { return trials_.size(); }
  const Trial& trial(std::size_t number) const { return trials_[number]; }
  static std::span<const race::ScheduleChoice> schedules();
  // Repeats the launch with what the machine is told to skip or change.
  Seen run(const Trial& trial, race::ScheduleChoice schedule, Clock::time_point end);
  // Numbers are asked for in ascending order first.
  const Usual& usual(std::size_t number, Clock::time_point end);

 private:
  bool launch(const Trial& trial, race::ScheduleChoice schedule, LaunchRequest& request);

  static constexpr std::ptrdiff_t kTrials = 16;                      // per kernel
  static constexpr std::uint64_t kMemory = std::uint64_t{64} << 20;  // bytes of all copies

  Machine& device_;
  DeviceModule& module_;
  std::uint64_t mark_;
  std::uint64_t memory_ = 0;
  std::vector<Trial> trials_;
  std::vector<Usual> usual_;
};

}  // namespace weakspot::race_jit
