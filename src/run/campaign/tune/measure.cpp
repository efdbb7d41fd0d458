// SPDX-License-Identifier: MIT
#include "campaign/measure.h"

namespace weakspot::campaign {
namespace {

// Seconds that a slice may take beyond the time asked for, before the device is given up.
constexpr double kPatience = 20;

class DeviceMeasurer final : public Measurer {
 public:
  DeviceMeasurer(Executor& executor, std::span<const litmus::LitmusTest> tests, MeasureSetup setup,
                 RunObserver& observer)
      : executor_(executor), tests_(tests.begin(), tests.end()), setup_(std::move(setup)), observer_(observer) {}

  void announce(std::span<const Cell> cells) override {
    std::vector<RunRequest> requests;
    for (const Cell& cell : cells) requests.push_back(request(cell, 0, 0));
    executor_.prepare(requests);
  }

  Slice measure(const Cell& cell, double seconds, std::uint64_t seed) override {
    const RunRecord record = executor_.execute(request(cell, seconds, seed), observer_);
    return slice_of(record, observer_.cancelled());
  }

 private:
  RunRequest request(const Cell& cell, double seconds, std::uint64_t seed) const {
    return slice_request(tests_[cell.test], cell.environment, setup_, seconds, seed);
  }

  Executor& executor_;
  std::vector<RunTest> tests_;
  MeasureSetup setup_;
  RunObserver& observer_;
};

}  // namespace

void Slice::add(const Slice& other) {
  kills += other.kills;
  instances += other.instances;
  seconds += other.seconds;
  if (problem.empty()) problem = other.problem;
  lost = lost || other.lost;
  interrupted = interrupted || other.interrupted;
  parts.clear();
}

Slice slice_of(const RunRecord& record, bool cancelled) {
  const bool finished = record.status == RunState::finished;
  // A device that was lost may not open again; a run on a device that was never opened does not know its name.
  const bool is_closed = record.status == RunState::failed && record.device_name.empty();
  Slice slice;
  slice.kills = record.matches();
  slice.instances = record.instances;
  slice.seconds = record.seconds;
  for (const RunSlice& part : record.slices) {
    stats::Seen& seen = slice.parts.emplace_back(stats::Seen{0, part.instances});
    for (std::size_t i = 0; i < part.counts.size(); ++i) {
      if (record.outcomes[i].matches) seen.count += part.counts[i];
    }
  }
  if (!finished) slice.problem = record.message;
  slice.lost = record.status == RunState::lost || is_closed;
  slice.interrupted = !finished && cancelled;
  return slice;
}

RunRequest slice_request(RunTest test, const codegen::TestEnvironment& environment, const MeasureSetup& setup,
                         double seconds, std::uint64_t seed) {
  RunRequest request;
  request.test = std::move(test);
  request.device = setup.device;
  request.environment = environment;
  request.seed = seed;
  request.seconds = seconds;
  request.memory = setup.memory;
  request.deadline = seconds + kPatience;
  request.started = setup.started;
  request.optcheck = setup.optcheck;
  return request;
}

std::unique_ptr<Measurer> device_measurer(Executor& executor, std::span<const litmus::LitmusTest> tests,
                                          MeasureSetup setup, RunObserver& observer) {
  return std::make_unique<DeviceMeasurer>(executor, tests, std::move(setup), observer);
}

}  // namespace weakspot::campaign
