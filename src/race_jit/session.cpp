#include "race_jit/session.h"

#include <fmt/format.h>

#include <algorithm>

namespace weakspot::race_jit {
namespace {

std::string extent_text(const std::array<std::uint32_t, 3>& extent) {
  if (extent[2] > 1) return fmt::format("{},{},{}", extent[0], extent[1], extent[2]);
  if (extent[1] > 1) return fmt::format("{},{}", extent[0], extent[1]);
  return std::to_string(extent[0]);
}

}  // namespace

std::string launch_text(const race::LaunchSpec& launch) {
  std::string text = fmt::format("grid={} block={}", extent_text(launch.grid), extent_text(launch.block));
  if (launch.shared > 0) text += fmt::format(" shared={}", launch.shared);
  return text;
}

base::Status Session::launch(const Kernel& kernel, const race::LaunchSpec& launch, void** arguments, Schedule schedule,
                             const std::vector<std::uint32_t>& concurrent, bool keep_history) {
  const std::uint64_t shared = module_.static_shared() + launch.shared;
  if (shared > Arena::kWindow - 4096) {
    return base::error_in(request_.file, fmt::format("kernel {} needs {} bytes of shared memory; the most is {}",
                                                     kernel.name, shared, Arena::kWindow - 4096));
  }
  LaunchRequest request;
  request.kernel = kernel.name;
  request.entry = kernel.entry;
  request.arguments = arguments;
  request.grid = {launch.grid[0], launch.grid[1], launch.grid[2]};
  request.block = {launch.block[0], launch.block[1], launch.block[2]};
  request.shared_bytes = shared;
  request.cooperative = launch.cooperative;
  request.keep_history = keep_history;
  // Blocks of launches that run at the same time have numbers of their own.
  for (const std::uint32_t number : concurrent) {
    const LaunchRecord& other = launches_[number - 1];
    request.concurrent.push_back(other.intervals);
    request.first_block = std::max(request.first_block, other.first_block + other.grid.count());
  }
  LaunchRecord record{kernel.name, launch_text(launch), request.grid, request.block,
                      fmt::format("weakspot race {} --kernel {} --seed {}", request_.file, kernel.name, request_.seed)};
  record.first_block = request.first_block;
  launches_.push_back(record);
  Counts& counts = counts_[kernel.symbol];
  ++counts.launches;
  counts.threads += request.grid.count() * request.block.count();
  ended_ = device_.launch(request, schedule);
  launches_.back().intervals = device_.last_intervals();
  return base::ok_status();
}

race::Report Session::report() {
  race::Report report;
  Findings findings = collect_findings(device_, module_, launches_);
  report.findings = std::move(findings.findings);
  report.notes = std::move(findings.notes);
  for (const Kernel& kernel : module_.kernels()) {
    const Counts& counts = counts_[kernel.symbol];
    if (counts.launches > 0) report.kernels.push_back({kernel.name, kernel.place, counts.launches, counts.threads});
  }
  report.output = device_.output();
  report.accesses = device_.checked_accesses();
  return report;
}

}  // namespace weakspot::race_jit
