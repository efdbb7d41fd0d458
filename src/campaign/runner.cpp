#include "campaign/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>

#include "campaign/loaded_programs.h"
#include "litmus/text.h"

namespace weakspot::campaign {
namespace {

using Clock = std::chrono::steady_clock;
using stats::OutcomeClass;

// How long a launch should take: short enough to show progress and to be stopped, or longer where what surrounds a
// launch would cost more than a fiftieth of it.
constexpr double kLaunchSeconds = 0.25;
constexpr double kOverheadFactor = 50;
constexpr double kMostRounds = 1e6;
constexpr double kOvertime = 1;  // seconds beyond the time that was asked for
constexpr std::uint32_t kGrowth = 8;
// Instances per second that a CPU can be counted on to run, and those of a fast GPU; stress makes it slower by a factor
// of a hundred and more, so that the first round is smaller.
constexpr double kSlowRate = 5e6;
constexpr double kFastRate = 2e10;
constexpr double kFirstRate = 2e9;

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
    if (ready == nullptr) return end(error.state, std::move(error.message));
    const codegen::TestProgram& program = ready->test;
    record_.code_hash = ready->code_hash;
    record_.compile_seconds = since(start);
    record_.workgroup_size = program.harness().roles.workgroup_size;
    observer_.started(record_);

    start_ = Clock::now();
    std::uint32_t rounds = 1;
    while (record_.status == RunState::running) rounds = launch(program, *ready->loaded, rounds);
    programs_.note_memory(*ready, record_.memory);
    return record_;
  }

 private:
  RunRecord end(RunState state, std::string message) {
    record_.status = state;
    record_.message = std::move(message);
    return record_;
  }

  // Runs so many rounds and says how many should be next.
  std::uint32_t launch(const codegen::TestProgram& program, backend::LoadedProgram& loaded, std::uint32_t rounds) {
    const Clock::time_point start = Clock::now();
    codegen::PlanOptions options;
    options.resident_workgroups = loaded.resident_workgroups(program.run_entry());
    options.memory_bytes = memory_bound();
    options.multiprocessors = device_.info().multiprocessors;
    options.seed = launch_seed(request_.seed, record_.launches);
    options.most_instances = request_.instances != 0 ? instances_left() : most_in_a_round();
    base::Result<codegen::PlannedRun> planned = program.plan(options);
    if (!planned) {
      end(RunState::failed, base::messages(planned.errors()));
      return 0;
    }
    if (request_.instances != 0) {
      const std::uint64_t enough = std::max<std::uint64_t>(instances_left() / planned->instances_per_round(), 1);
      rounds = static_cast<std::uint32_t>(std::min<std::uint64_t>(rounds, enough));
    }
    planned->launch.rounds = rounds;
    const auto limit = std::chrono::ceil<std::chrono::milliseconds>(std::chrono::duration<double>(time_limit()));
    const auto result = loaded.run(planned->launch, limit);
    if (!result) {
      end(RunState::failed, base::messages(result.errors()));
      return 0;
    }
    if (!take(program, *planned, *result, since(start))) return 0;
    observer_.progress(record_);
    const double overhead = std::max(since(start) - result->device_seconds, 0.0);
    if (record_.launches == 1) late_ = overhead;
    decide(result->status);
    return next_rounds(rounds, result->device_seconds, overhead);
  }

  // A launch that takes much longer than guessed is cut short, not waited for until the deadline.
  double time_limit() const {
    const double passed = since(start_);
    double limit = request_.deadline - passed;
    if (request_.instances == 0) limit = std::min(limit, request_.seconds - running_seconds() + kOvertime);
    return std::max(limit, 0.0);
  }

  double running_seconds() const { return since(start_) - late_; }

  // A short run must not become a long one by one round.
  std::uint64_t most_in_a_round() const {
    double rate = kSlowRate;
    if (device_.info().target != codegen::Target::cpu) {
      rate = kFirstRate;
      if (record_.seconds > 0) {
        rate = std::clamp(static_cast<double>(record_.instances) / record_.seconds, rate / 10, kFastRate);
      }
    }
    return static_cast<std::uint64_t>(std::clamp(request_.seconds * rate, 1.0, 1e18));
  }

  std::uint64_t instances_left() const { return request_.instances - std::min(request_.instances, record_.instances); }

  // Programs keep what they have allocated, so that what is free after the first launch says nothing.
  std::uint64_t memory_bound() {
    if (memory_ == 0) memory_ = request_.memory != 0 ? request_.memory : device_.free_bytes() / 4;
    return memory_;
  }

  // Adds what a launch gave; false if it gave nothing of use.
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
    counted.outcome = litmus::outcome_text(request_.test, outcome);
    counted.outcome_class = stats::classify(request_.expected, outcome);
    counted.matches = litmus::satisfies(request_.test, outcome);
    if (sighting != nullptr) counted.first = FirstSeen{record_.launches, *sighting};
    if (counted.outcome_class != OutcomeClass::forbidden) return;
    Witness witness;
    witness.outcome = counted.outcome;
    witness.first = counted.first;
    witness.launch_seed = launch_seed(request_.seed, record_.launches);
    if (sighting != nullptr) add_place(program.locate(planned, *sighting), witness);
    record_.witnesses.push_back(std::move(witness));
  }

  void add_place(const codegen::InstancePlace& place, Witness& witness) const {
    for (std::size_t i = 0; i < place.threads.size(); ++i) {
      witness.threads.push_back({fmt::format("P{}", i), place.threads[i].workgroup, place.threads[i].local});
    }
    for (std::size_t i = 0; i < place.words.size(); ++i) {
      const litmus::Location& location = request_.test.locations[i];
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

  std::uint32_t next_rounds(std::uint32_t rounds, double device_seconds, double overhead) const {
    const double per_round = std::max(device_seconds / std::max(rounds, 1u), 1e-7);
    double wanted = std::max(kLaunchSeconds, overhead * kOverheadFactor);
    if (request_.instances == 0) wanted = std::min(wanted, request_.seconds - running_seconds());
    const double next = std::clamp(wanted / per_round, 1.0, kMostRounds);
    // Guesses from short launches are poor.
    return static_cast<std::uint32_t>(std::min(next, static_cast<double>(rounds) * kGrowth));
  }

  backend::Device& device_;
  LoadedPrograms& programs_;
  const RunRequest& request_;
  RunObserver& observer_;
  RunRecord record_;
  std::map<litmus::Outcome, OutcomeCount> counts_;
  std::uint64_t memory_ = 0;
  Clock::time_point start_;
  // Of the first launch: what surrounded its running. Some drivers compile only then, for longer than short runs last.
  double late_ = 0;
};

class InProcess final : public Executor {
 public:
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

 private:
  struct Opened {
    explicit Opened(std::unique_ptr<backend::Device> d) : device(std::move(d)), programs(*device) {}
    std::unique_ptr<backend::Device> device;
    LoadedPrograms programs;
  };

  base::Result<Opened*> open(const std::string& id) {
    auto found = devices_.find(id);
    if (found == devices_.end()) {
      auto opened = backend::open_device(id);
      if (!opened) return opened.errors();
      found = devices_.emplace(id, std::make_unique<Opened>(*std::move(opened))).first;
    }
    return found->second.get();
  }

  std::map<std::string, std::unique_ptr<Opened>> devices_;
};

}  // namespace

RunRecord run_on(backend::Device& device, const RunRequest& request, RunObserver& observer) {
  LoadedPrograms programs(device);
  return Run(device, programs, request, observer).run();
}

std::unique_ptr<Executor> in_process_executor() { return std::make_unique<InProcess>(); }

}  // namespace weakspot::campaign
