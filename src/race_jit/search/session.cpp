// SPDX-License-Identifier: MIT
#include "race_jit/search/session.h"

#include <fmt/format.h>

#include <algorithm>

#include "race/replay.h"
#include "race_jit/search/redundant_barriers.h"

namespace weakspot::race_jit {
std::uint64_t schedule_seed(std::uint64_t seed, const race::ScheduleChoice& schedule) {
  return seed * 1'000'003 + schedule.number;
}

LaunchRequest launch_request(const Kernel& kernel, const race::LaunchShape& launch, std::uint64_t static_shared) {
  LaunchRequest request;
  static_cast<race::LaunchShape&>(request) = launch;
  request.entry = kernel.entry;
  request.static_shared = static_shared;
  return request;
}

base::Status Session::launch(const Kernel& kernel, const race::LaunchShape& launch, void** arguments,
                             const LaunchChoice& choice) {
  LaunchRequest request = launch_request(kernel, launch, module_.static_shared());
  if (request.shared_bytes() > Arena::kMaxShared) {
    return base::error_in(request_.file, fmt::format("kernel {} needs {} bytes of shared memory; the limit is {}",
                                                     kernel.name, request.shared_bytes(), Arena::kMaxShared));
  }
  if (base::Status fits = race::check_cluster(launch); !fits) {
    return base::error_in(request_.file, fmt::format("kernel {}: {}", kernel.name, fits.errors().front().message));
  }
  request.arguments = arguments;
  request.keep_history = choice.keep_history;
  // Blocks of concurrent launches have different numbers.
  for (const std::uint32_t number : choice.concurrent) {
    const LaunchRecord& other = launches_[number - 1];
    request.concurrent.push_back(other.intervals);
    request.first_block = std::max(request.first_block, other.first_block + other.shape.grid.count());
  }
  request.seed = schedule_seed(request_.seed, choice.schedule);
  launches_.push_back({.kernel = kernel.name,
                       .shape = launch,
                       .replay = choice.replay.empty() ? race::replay_program(request_) : choice.replay,
                       .first_block = request.first_block});
  count(kernel, launch.threads());
  ended_ = device_.launch(request, choice.schedule.order);
  launches_.back().intervals = device_.last_intervals();
  Noticed noticed = collector_.take();
  collector_.add(launches_.back(), noticed);
  races_ = std::move(noticed.races);
  if (tell_ && collector_.kept().size() > told_) {
    told_ = collector_.kept().size();
    race::Report report;
    report.findings = collector_.kept();
    report.notes = collector_.notes_so_far();
    add_kernels(report);
    tell_(report);
  }
  return base::ok_status();
}

void Session::add_kernels(race::Report& report) {
  for (const Kernel& kernel : module_.kernels()) {
    const Counts& counts = counts_[kernel.symbol];
    if (counts.launches > 0) report.kernels.push_back({kernel.name, kernel.place, counts.launches, counts.threads});
  }
}

void Session::count(const Kernel& kernel, std::uint64_t threads) {
  Counts& counts = counts_[kernel.symbol];
  ++counts.launches;
  counts.threads += threads;
}

race::Report Session::report(double seconds) {
  race::Report report;
  report.output = device_.output();
  report.accesses = device_.checked_accesses();
  RunEvidence evidence{.runs = launches_.size()};
  if (search_) {
    evidence.runs += search_->runs - search_->unjudged;
    evidence.branches = search_->branches;
    evidence.branches_reached = search_->branches_reached;
  }
  for (race::Finding& finding : redundant_barriers(device_, trials_, evidence, seconds)) {
    collector_.add_redundant(std::move(finding));
  }
  report.search = search_;
  report.findings = collector_.findings();
  report.notes = collector_.notes();
  add_kernels(report);
  return report;
}

}  // namespace weakspot::race_jit
