// SPDX-License-Identifier: MIT
#include "race_jit/search/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

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
  const std::map<race::SiteId, BarrierUse> met_before = device_.barriers();
  ended_ = device_.launch(request, choice.schedule.order);
  launches_.back().intervals = device_.last_intervals();
  Noticed noticed = collector_.take();
  if (choice.is_of_host) doubt_waits(noticed, choice.is_of_host);
  keep_barriers(met_before, noticed);
  collector_.add(launches_.back(), noticed);
  races_ = std::move(noticed.races);
  if (tell_ && collector_.kept().size() > told_) {
    told_ = collector_.kept().size();
    race::Report report;
    report.findings = collector_.kept();
    report.not_modelled = not_modelled();
    add_kernels(report);
    tell_(report);
  }
  return base::ok_status();
}

// Kernels that ran, and those that should have run.
void Session::add_kernels(race::Report& report) {
  for (const Kernel& kernel : module_.kernels()) {
    const Counts& counts = counts_[kernel.symbol];
    if (counts.launches > 0) report.kernels.push_back({kernel.name, kernel.place, counts.launches, counts.threads});
    const std::string& reason = counts.threads == 0 ? counts.if_idle : counts.problem;
    if (!reason.empty()) report.not_exercised.push_back({kernel.name, kernel.place, reason});
  }
}

// A thread that waits for the host waits in vain here, because the host goes on only after the launch.
void Session::doubt_waits(Noticed& noticed, const std::function<bool(std::uint64_t)>& is_of_host) {
  const std::size_t count = noticed.incidents.size();
  for (std::size_t i = 0; i < count; ++i) {
    Incident& incident = noticed.incidents[i];
    if (incident.kind != Incident::Kind::stuck || incident.address == 0 || !is_of_host(incident.address)) continue;
    Incident left_out{.kind = Incident::Kind::not_modelled, .site = incident.site};
    left_out.text = "the host while a kernel runs";
    left_out.effect = race::Effect::order;
    incident.doubt = incident.site;
    noticed.incidents.push_back(std::move(left_out));
  }
}

// Where something ran that is not modelled, every barrier of the launch may be needed for it.
void Session::keep_barriers(const std::map<race::SiteId, BarrierUse>& before, const Noticed& noticed) {
  const bool modelled = is_modelled(noticed);
  for (const auto& [site, use] : device_.barriers()) {
    auto found = before.find(site);
    if (found != before.end() && found->second.instances == use.instances) continue;
    met_in_.try_emplace(site, launches_.back());
    if (!modelled) device_.detector().keep_barrier(site);
  }
}

void Session::ask_for(const Kernel& kernel, const std::string& otherwise) {
  counts_[kernel.symbol].if_idle = otherwise;
}

void Session::not_exercised(const Kernel& kernel, const std::string& reason) {
  counts_[kernel.symbol].problem = reason;
}

// What ran, and then what no run reached.
std::vector<race::NotModelled> Session::not_modelled() {
  std::vector<race::NotModelled> all = collector_.not_modelled();
  const std::size_t reached = all.size();
  for (const LeftOut& operation : module_.left_out()) {
    const race::Place& place = device_.sites()[operation.site].place;
    auto same = [&](const race::NotModelled& known) { return known.what == operation.what && known.place == place; };
    if (std::none_of(all.begin(), all.end(), same)) all.push_back({operation.what, place, operation.effect, false});
  }
  auto by_place = [](const race::NotModelled& a, const race::NotModelled& b) {
    return std::tie(a.place, a.what) < std::tie(b.place, b.what);
  };
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(reached);
  std::sort(all.begin(), middle, by_place);
  std::sort(middle, all.end(), by_place);
  return all;
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
    auto met = std::find_if(met_in_.begin(), met_in_.end(),
                            [&](const auto& entry) { return device_.sites()[entry.first].place == finding.place; });
    collector_.add_redundant(std::move(finding), met == met_in_.end() ? nullptr : &met->second);
  }
  report.search = search_;
  report.findings = collector_.findings();
  report.not_modelled = not_modelled();
  add_kernels(report);
  return report;
}

}  // namespace weakspot::race_jit
