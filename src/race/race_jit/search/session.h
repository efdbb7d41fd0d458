// SPDX-License-Identifier: MIT
// The launches of one run of the tool: each is made under one or several schedules, recorded, and reported at the end.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "race/report.h"
#include "race/request.h"
#include "race_jit/lower/device_module.h"
#include "race_jit/machine/machine.h"
#include "race_jit/search/barrier_trials.h"
#include "race_jit/search/findings.h"

namespace weakspot::race_jit {

// The choices for a launch.
struct LaunchChoice {
  race::ScheduleChoice schedule;
  std::string replay;                     // the command line that repeats it; empty: running main() again does
  std::vector<std::uint32_t> concurrent;  // earlier launches that may run at the same time, see Session::last()
  std::uint32_t depends_on = 0;           // the one of them that this one depends on; 0: none
  bool keep_history = false;              // a later launch may be concurrent with this one or an earlier one
  // Whether the host may change the memory there while a kernel runs, which it does not do here.
  std::function<bool(std::uint64_t)> is_of_host;
};

// The launch for the machine, without arguments and schedule.
LaunchRequest launch_request(const Kernel& kernel, const race::LaunchShape& launch);
// The seed of a random schedule's generator.
std::uint64_t schedule_seed(std::uint64_t seed, const race::ScheduleChoice& schedule);

class Session {
 public:
  Session(const race::Request& request, Machine& device, DeviceModule& module)
      : request_(request), device_(device), module_(module), collector_(device, module), trials_(device, module) {}

  // Fails if the launch cannot be made at all.
  base::Status launch(const Kernel& kernel, const race::LaunchShape& launch, void** arguments,
                      const LaunchChoice& choice);
  // The number of the last launch that no kernel made, for `concurrent`.
  std::uint32_t last() const { return last_; }
  // The races of the last launch.
  const std::vector<race::Race>& races() const { return races_; }
  // True if the last launch came to its end.
  bool ended() const { return ended_; }
  // Whether an assert() of it failed, and not for what is not modelled.
  bool asserted() const { return asserted_; }
  // Counts a run that a search makes by itself, of which so many blocks came to their end.
  void count(const Kernel& kernel, const race::LaunchShape& launch, race::Schedule order, std::uint64_t ended_blocks);
  Collector& collector() { return collector_; }
  // Launches that can be repeated without some of their barriers.
  BarrierTrials& trials() { return trials_; }
  // Adds the report of a search.
  void add_search(const race::SearchReport& search) { search_ = search; }
  // Called with what was found so far after a launch that found something new.
  void on_news(std::function<void(const race::Report&)> tell) { tell_ = std::move(tell); }
  // The kernel should run. The report says why it did not: `otherwise`, unless it ran.
  void ask_for(const Kernel& kernel, const std::string& otherwise = "never launched");
  bool is_asked_for(const Kernel& kernel) { return !counts_[kernel.symbol].if_idle.empty(); }
  // A trial checked so many accesses, which are of no launch.
  void leave_out(std::uint64_t accesses) { left_out_ += accesses; }
  // Notes that the kernel ran, but not in earnest.
  void not_exercised(const Kernel& kernel, const std::string& reason);
  // The marks of the kernel that a run set.
  void add_reached(const Kernel& kernel, std::span<const std::uint8_t> marks);
  // A run met these barriers.
  void add_met(const std::map<race::SiteId, BarrierUse>& uses, const LaunchRecord& record);
  // Called before each launch that no kernel makes.
  using LaunchWatcher = std::function<void(const Kernel&, const race::LaunchShape&, void** arguments)>;
  void on_launch(LaunchWatcher watch) { watch_ = std::move(watch); }
  // Called now and then with a line that says what is being done.
  void on_progress(std::function<void(const std::string&)> show) { show_ = std::move(show); }
  // `runs`: of a search; 0 for launches that are counted as they come.
  void progress(const Kernel& kernel, const race::LaunchShape& launch, std::uint64_t run, std::uint64_t runs);
  // First tries, for at most `seconds`, which barriers are redundant.
  race::Report report(double seconds);

 private:
  struct Counts {
    std::uint64_t launches = 0, threads = 0;
    std::string if_idle;                // why it did not run; empty if it need not
    std::string problem;                // why its runs do not count
    std::vector<std::uint8_t> reached;  // by mark

    std::uint64_t branches_reached(const Kernel& kernel) const;
    bool is_reached(const CodeLine& line) const;
  };

  // Runs what the last launch launched, and what that launches.
  base::Status launch_children(const LaunchChoice& choice);
  static void doubt_waits(Noticed& noticed, const std::function<bool(std::uint64_t)>& is_of_host);
  void keep_barriers(const std::map<race::SiteId, BarrierUse>& before, const Noticed& noticed);
  std::vector<race::NotModelled> not_modelled();

  const race::Request& request_;
  Machine& device_;
  DeviceModule& module_;
  std::vector<LaunchRecord> launches_;
  std::map<std::string, Counts> counts_;
  Collector collector_;
  BarrierTrials trials_;
  std::vector<race::Race> races_;
  void add_kernels(race::Report& report);
  void add_fidelity(race::Report& report) const;
  void note_end_of_time(const LaunchRecord& record, const Noticed& noticed);
  bool is_well_exercised(const std::string& kernel);

  race::Fidelity ran_;  // blocks and orders
  std::optional<race::SearchReport> search_;
  std::function<void(const race::Report&)> tell_;
  std::size_t told_ = 0;  // findings
  std::function<void(const std::string&)> show_;
  LaunchWatcher watch_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now(), shown_;
  // The first launch of each kernel that met a barrier, by the kernel's name.
  std::map<race::SiteId, std::map<std::string, LaunchRecord>> met_in_;
  std::string incomplete_;  // why the runs did not come to their end
  bool ended_ = true, asserted_ = false;
  std::uint32_t last_ = 0;
  std::uint64_t left_out_ = 0;  // accesses
  unsigned depth_ = 0;          // depth of launches by kernels
};

}  // namespace weakspot::race_jit
