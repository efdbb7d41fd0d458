// SPDX-License-Identifier: MIT
#include "campaign/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>

#include "campaign/run/loaded_programs.h"
#include "litmus/text.h"

namespace weakspot::campaign {
namespace {

using Clock = std::chrono::steady_clock;
using stats::OutcomeClass;

// The aim for the length of a launch: short enough to show progress and to be stopped, but so long that the work around
// a launch costs at most a fiftieth of it.
constexpr double kLaunchSeconds = 0.25;
// A short run has shorter launches, so that its slices still tell how much the counts vary.
constexpr double kLaunchesAtLeast = 16;
constexpr double kOverheadFactor = 50;
constexpr double kMostRounds = 1e6;
// Slices that a record keeps, the numbers in all of them, and the slices that are kept however many outcomes there are.
constexpr std::size_t kMostSlices = 64;
constexpr std::size_t kMostSliceNumbers = 4096;
constexpr std::size_t kFewSlices = 8;
constexpr double kOvertime = 1;  // seconds beyond the time that was asked for
constexpr std::uint32_t kGrowth = 8;
// Instances per second that any CPU and any GPU can run: fast ones run forty times as many, but stress may make that
// thirty times less.
constexpr double kSlowRate = 5e6;
constexpr double kFirstRate = 5e8;

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

class Run {
 public:
  Run(backend::Device& device, LoadedPrograms& programs, const RunRequest& request, RunObserver& observer)
      : device_(device), programs_(programs), request_(request), observer_(observer), record_(begin_record(request)) {}

  RunRecord run() {
    const backend::DeviceInfo& info = device_.info();
    record_.device = info.id;
    record_.device_name = info.name;
    record_.driver = info.driver;
    const Clock::time_point start = Clock::now();
    LoadError error;
    const ReadyProgram* ready = programs_.get(request_, error);
    if (ready == nullptr) return end(device_.lost() ? RunState::lost : error.state, std::move(error.message));
    const codegen::TestProgram& program = ready->test;
    record_.code_hash = ready->code_hash;
    record_.compile_seconds = since(start);
    record_.workgroup_size = program.workgroup_size();
    observer_.started(record_);

    start_ = Clock::now();
    while (record_.status == RunState::running) launch(program, *ready->loaded);
    programs_.note_memory(*ready, record_.memory);
    if (request_.optcheck && !record_.code) know_code(!request_.code_later);
    if (!request_.optcheck) check_what_is_forbidden();
    return record_;
  }

 private:
  RunRecord end(RunState state, std::string message) {
    record_.status = state;
    record_.message = std::move(message);
    for (const CountedSlice& slice : slices_) {
      RunSlice& kept = record_.slices.emplace_back();
      kept.instances = slice.instances;
      for (const auto& [outcome, counted] : counts_) {
        const auto found = slice.counts.find(outcome);
        kept.counts.push_back(found == slice.counts.end() ? 0 : found->second);
      }
    }
    return record_;
  }

  void launch(const codegen::TestProgram& program, backend::LoadedProgram& loaded) {
    const Clock::time_point start = Clock::now();
    codegen::PlanOptions options;
    options.resident_workgroups = loaded.resident_workgroups(program.run_entry());
    options.memory_bytes = memory_bound();
    options.multiprocessors = device_.info().multiprocessors;
    options.seed = codegen::launch_seed(request_.seed, record_.launches);
    options.most_instances = request_.instances != 0 ? instances_left() : most_in_a_round();
    base::Result<codegen::PlannedRun> planned = program.plan(options);
    if (!planned) {
      end(RunState::failed, base::messages(planned.errors()));
      return;
    }
    planned->launch.rounds = rounds_of(planned->instances_per_round());
    const auto limit = std::chrono::ceil<std::chrono::milliseconds>(std::chrono::duration<double>(time_limit()));
    const auto result = loaded.run(planned->launch, limit);
    if (!result) {
      end(RunState::failed, base::messages(result.errors()));
      return;
    }
    if (!take(program, *planned, *result, since(start))) return;
    report();
    last_ = {planned->instances_per_round() * std::max(planned->launch.rounds, 1u), result->device_seconds,
             std::max(since(start) - result->device_seconds, 0.0)};
    if (record_.launches == 1) late_ = last_.overhead;
    decide(result->status);
  }

  // Reports no outcomes until the code was checked: those of changed code say nothing about the test.
  void report() {
    if (request_.optcheck && !record_.code) know_code(false);
    if (!request_.optcheck || record_.code) return observer_.progress(record_);
    RunRecord counted = record_;
    counted.outcomes.clear();
    counted.witnesses.clear();
    observer_.progress(counted);
  }

  void know_code(bool wait) {
    std::optional<CheckedCode> code = programs_.code(request_, wait);
    if (code) know(*std::move(code));
  }

  // A compiler may have changed the test, so a device is not accused before its code was compared with it. A fault that
  // was planted is what the run is for.
  void check_what_is_forbidden() {
    if (record_.witnesses.empty() || record_.deliberately_broken()) return;
    RunRequest checked = request_;
    checked.optcheck = true;
    LoadError error;
    const bool loaded = programs_.get(checked, error) != nullptr;
    std::optional<CheckedCode> code = loaded ? programs_.code(checked, true) : CheckedCode{.reason = error.message};
    if (!code) return;
    code->afterwards = true;
    know(*std::move(code));
  }

  void know(CheckedCode code) {
    record_.set_code(std::move(code));
    if (!record_.is_changed()) return;
    for (auto& [outcome, counted] : counts_) {
      counted.matches = false;
      counted.outcome_class = OutcomeClass::changed;
    }
  }

  // A launch that takes much longer than estimated is cut short well before the deadline.
  double time_limit() const {
    const double passed = since(start_);
    double limit = request_.deadline - passed;
    if (request_.instances == 0) limit = std::min(limit, request_.seconds - running_seconds() + kOvertime);
    return std::max(limit, 0.0);
  }

  double running_seconds() const { return since(start_) - late_; }

  // One round must not make a short run long. Estimates from short launches are poor.
  std::uint64_t most_in_a_round() const {
    const bool is_cpu = device_.info().target == codegen::Target::cpu;
    double most = request_.seconds * (is_cpu ? kSlowRate : kFirstRate);
    if (!is_cpu && record_.launches != 0) {
      const double seconds = request_.seconds - running_seconds();
      most = std::min(seconds * last_.rate(), static_cast<double>(last_.instances) * kGrowth);
    }
    return static_cast<std::uint64_t>(std::clamp(most, 1.0, 1e18));
  }

  std::uint32_t rounds_of(std::uint64_t instances_per_round) const {
    const double wanted = record_.launches == 0 ? 1 : next_instances() / static_cast<double>(instances_per_round);
    const auto rounds = static_cast<std::uint32_t>(std::clamp(wanted, 1.0, kMostRounds));
    if (request_.instances == 0) return rounds;
    const std::uint64_t enough = std::max<std::uint64_t>(instances_left() / instances_per_round, 1);
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(rounds, enough));
  }

  double next_instances() const {
    double seconds = kLaunchSeconds;
    if (request_.instances == 0) seconds = std::min(seconds, request_.seconds / kLaunchesAtLeast);
    seconds = std::max(seconds, last_.overhead * kOverheadFactor);
    if (request_.instances == 0) seconds = std::min(seconds, request_.seconds - running_seconds());
    return std::min(seconds * last_.rate(), static_cast<double>(last_.instances) * kGrowth);
  }

  std::uint64_t instances_left() const { return request_.instances - std::min(request_.instances, record_.instances); }

  // Programs keep their allocations, so the free memory after the first launch says nothing.
  std::uint64_t memory_bound() {
    if (memory_ == 0) memory_ = request_.memory != 0 ? request_.memory : device_.free_bytes() / 4;
    return memory_;
  }

  // Adds the results of a launch; false if it has none.
  bool take(const codegen::TestProgram& program, const codegen::PlannedRun& planned, const backend::RunResult& result,
            double host_seconds) {
    record_.host_seconds += host_seconds;
    if (result.status == backend::RunStatus::lost) {
      end(RunState::lost, result.message);
      return false;
    }
    const auto decoded = program.decode(planned, result.buffers);
    if (!decoded) {
      end(RunState::failed, base::messages(decoded.errors()));
      return false;
    }
    record_.seconds += result.device_seconds;
    record_.rounds += result.rounds;
    record_.workgroups = planned.shape.workgroups;
    record_.iterations = std::max(record_.iterations, planned.iterations);
    record_.memory = std::max(record_.memory, planned.launch.bytes());
    record_.instances += decoded->instances;
    record_.unfinished += decoded->unfinished;
    record_.barrier_timeouts += decoded->barrier_timeouts;
    for (const auto& [outcome, count] : decoded->histogram.counts()) {
      const auto sighting = decoded->sightings.find(outcome);
      add(program, planned, outcome, count, sighting == decoded->sightings.end() ? nullptr : &sighting->second);
    }
    ++record_.launches;
    add_slice(*decoded);
    record_.outcomes.clear();
    for (const auto& [outcome, counted] : counts_) record_.outcomes.push_back(counted);
    return true;
  }

  void add(const codegen::TestProgram& program, const codegen::PlannedRun& planned, const litmus::Outcome& outcome,
           std::uint64_t count, const codegen::Sighting* sighting) {
    const auto [entry, is_new] = counts_.try_emplace(outcome);
    OutcomeCount& counted = entry->second;
    counted.count += count;
    if (!is_new) return;
    counted.outcome = litmus::outcome_text(*request_.test, outcome);
    counted.matches = litmus::satisfies(*request_.test, outcome);
    counted.outcome_class = stats::classify(request_.expected, outcome, counted.matches);
    if (record_.is_changed()) {
      counted.matches = false;
      counted.outcome_class = OutcomeClass::changed;
    }
    if (sighting != nullptr) counted.first = FirstSeen{record_.launches, *sighting};
    if (counted.outcome_class != OutcomeClass::forbidden) return;
    Witness witness;
    witness.outcome = counted.outcome;
    witness.first = counted.first;
    witness.launch_seed = codegen::launch_seed(request_.seed, record_.launches);
    if (sighting != nullptr) add_place(program.locate(planned, *sighting), witness);
    record_.witnesses.push_back(std::move(witness));
  }

  struct CountedSlice {
    std::uint64_t instances = 0;
    std::map<litmus::Outcome, std::uint64_t> counts;
  };

  // Neighbours are joined when there are too many.
  void add_slice(const codegen::Decoded& launch) {
    slices_.push_back({launch.instances, {launch.histogram.counts().begin(), launch.histogram.counts().end()}});
    const std::size_t numbers = slices_.size() * (counts_.size() + 1);
    if (slices_.size() <= kMostSlices && (numbers <= kMostSliceNumbers || slices_.size() <= kFewSlices)) return;
    for (std::size_t i = 0; i < slices_.size(); i += 2) {
      CountedSlice joined = std::move(slices_[i]);
      if (i + 1 < slices_.size()) {
        joined.instances += slices_[i + 1].instances;
        for (const auto& [outcome, count] : slices_[i + 1].counts) joined.counts[outcome] += count;
      }
      slices_[i / 2] = std::move(joined);
    }
    slices_.resize((slices_.size() + 1) / 2);
  }

  void add_place(const codegen::InstancePlace& place, Witness& witness) const {
    for (std::size_t i = 0; i < place.threads.size(); ++i) {
      witness.threads.push_back({fmt::format("P{}", i), place.threads[i].workgroup, place.threads[i].local});
    }
    for (std::size_t i = 0; i < place.words.size(); ++i) {
      const litmus::Location& location = request_.test->locations[i];
      witness.addresses.push_back(
          {location.name, location.space == litmus::Space::shared ? "shared" : "memory", place.words[i]});
    }
  }

  void decide(backend::RunStatus status) {
    const bool enough = request_.instances != 0 ? instances_left() == 0 : running_seconds() >= request_.seconds;
    if (enough) {
      end(RunState::finished, "");
    } else if (status == backend::RunStatus::stopped || since(start_) >= request_.deadline) {
      end(RunState::stopped, fmt::format("the deadline of {} seconds passed", request_.deadline));
    } else if (observer_.cancelled()) {
      end(RunState::stopped, "interrupted");
    }
  }

  struct LastLaunch {
    std::uint64_t instances = 0;  // planned
    double device_seconds = 0;
    double overhead = 0;

    double rate() const { return static_cast<double>(instances) / std::max(device_seconds, 1e-7); }
  };

  backend::Device& device_;
  LoadedPrograms& programs_;
  const RunRequest& request_;
  RunObserver& observer_;
  RunRecord record_;
  std::map<litmus::Outcome, OutcomeCount> counts_;
  std::vector<CountedSlice> slices_;
  std::uint64_t memory_ = 0;
  LastLaunch last_;
  Clock::time_point start_;
  // Seconds of the first launch around its running. Some drivers compile only then, for longer than short runs last.
  double late_ = 0;
};

class InProcess final : public Executor {
 public:
  explicit InProcess(backend::OpenOptions options) : options_(std::move(options)) {}

  RunRecord execute(const RunRequest& request, RunObserver& observer) override {
    base::Result<Opened*> opened = open(request.device);
    if (!opened) {
      RunRecord record = begin_record(request);
      record.status = RunState::failed;
      record.message = base::messages(opened.errors());
      return record;
    }
    RunRecord record = Run(*(*opened)->device, (*opened)->programs, request, observer).run();
    if (record.status == RunState::lost) devices_.erase(request.device);
    return record;
  }

  void prepare(std::span<const RunRequest> requests) override {
    if (requests.empty()) return;
    if (base::Result<Opened*> opened = open(requests.front().device); opened) (*opened)->programs.prepare(requests);
  }

  std::vector<std::optional<CheckedCode>> codes(std::span<const RunRequest> requests) override {
    std::vector<std::optional<CheckedCode>> all;
    for (const RunRequest& request : requests) {
      const auto found = devices_.find(request.device);
      all.push_back(found == devices_.end() ? std::nullopt : found->second->programs.code(request, true));
    }
    return all;
  }

 private:
  struct Opened {
    explicit Opened(std::unique_ptr<backend::Device> d) : device(std::move(d)), programs(*device) {}
    std::unique_ptr<backend::Device> device;
    LoadedPrograms programs;
  };

  base::Result<Opened*> open(const std::string& id) {
    auto found = devices_.find(id);
    if (found == devices_.end()) {
      auto opened = backend::open_device(id, options_);
      if (!opened) return opened.errors();
      found = devices_.emplace(id, std::make_unique<Opened>(*std::move(opened))).first;
    }
    return found->second.get();
  }

  backend::OpenOptions options_;
  std::map<std::string, std::unique_ptr<Opened>> devices_;
};

}  // namespace

RunRecord run_on(backend::Device& device, const RunRequest& request, RunObserver& observer) {
  LoadedPrograms programs(device);
  return Run(device, programs, request, observer).run();
}

std::unique_ptr<Executor> in_process_executor(backend::OpenOptions options) {
  return std::make_unique<InProcess>(std::move(options));
}

}  // namespace weakspot::campaign
