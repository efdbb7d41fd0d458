// SPDX-License-Identifier: MIT
// One device of an agent: a thread that runs shards, and the books about them.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "campaign/runner.h"
#include "campaign/shard.h"
#include "questions/expected_outcomes.h"
#include "workbench/agent_request.h"
#include "workbench/work_source.h"

namespace weakspot::workbench {

struct WorkerDevice {
  std::string id;
  std::string key;  // unique among all agents
  std::vector<std::string> classes;
  std::optional<questions::Platform> platform;  // none: its results are judged already
  std::uint64_t memory = 0;                     // used if the plan does not say
  std::function<std::unique_ptr<campaign::Executor>()> executor;
};

// State that all workers of an agent share.
struct AgentShared {
  const AgentRequest& request;
  WorkSource& source;
  std::string agent;
  std::function<bool()> stopping;
  std::function<void(const std::string&)> note;
};

class DeviceWorker final : private campaign::RunObserver {
 public:
  DeviceWorker(WorkerDevice device, const AgentShared& shared);

  // Claims, judges and delivers until there is nothing to do or the agent stops; a second thread runs the shards.
  void run();

  // For heartbeats, from another thread: the attempts of this worker, and those of them that it has lost.
  std::vector<store::Attempt> held() const;
  void drop(const std::vector<store::Attempt>& lost);

  // After run().
  const AgentDevice& tally() const { return tally_; }
  const base::Diagnostics& problems() const { return problems_; }

 private:
  using Clock = std::chrono::steady_clock;

  struct Job {
    store::Attempt attempt;
    std::string device_class;
    std::string test;  // its name
    std::vector<campaign::RunRequest> requests;
    bool first_of_claim = false;
  };
  struct Done {
    Job job;
    std::vector<campaign::RunRecord> records;
  };
  struct Failed {
    Job job;
    std::string reason;
    bool device_is_well = false;  // the device ran another test since
  };
  using Ended = std::variant<Done, Failed>;

  bool cancelled() override { return shared_.stopping(); }

  // The thread of the device.
  void run_jobs();
  std::optional<Job> next_job();
  void run_job(Job job, campaign::Executor& executor);
  std::optional<campaign::RunRequest> request_after(const Job& job, std::size_t number) const;
  Failed failure_of(Job job, std::string reason, campaign::Executor& executor);
  void note_end(Ended ended);
  void announce(const Job& first, campaign::Executor& executor) const;

  // The books.
  bool fetch();
  bool take(const store::Claims& claims);
  std::optional<Job> job_of(const store::Claim& claim);
  base::Result<const campaign::CampaignPlan*> plan_of(const std::string& campaign);
  bool wants_work() const;
  bool has_room() const;  // with the mutex held
  bool has_nothing_to_do() const;
  void wait();
  // Stores what has ended; false if the source did not take it.
  bool deliver();
  base::Status deliver(std::vector<Ended>& ended);
  base::Status finish(std::span<Ended> done);
  base::Status fail(const Failed& failed);
  store::FinishedShard finished_shard(const Done& done) const;
  // Gives back shards of a test that has just failed here, so that others come first.
  base::Status release_returned();
  void give_back();
  void end_with(const base::Diagnostics& problems);
  void forget(const store::Attempt& attempt);
  // Notes an error of the source, and when to ask it again.
  void note_trouble(const base::Diagnostics& errors);

  // Only the thread of the device uses these.
  std::optional<campaign::RunRequest> last_good_;
  struct TestFailures {
    int count = 0;
    std::string reason;  // reason of the last failure
  };
  std::map<std::string, TestFailures> failures_;  // by test, of a device that was well

  const WorkerDevice device_;
  const AgentShared& shared_;
  std::map<std::string, questions::ExpectedOutcomes> outcomes_;  // by model
  std::map<std::string, campaign::CampaignPlan> plans_;
  AgentDevice tally_;
  base::Diagnostics problems_;
  std::size_t most_ = 1;  // shards of the next claim
  Clock::time_point next_claim_{};
  Clock::duration patience_{};
  bool over_ = false;
  bool reached_ = false;  // the source has answered before
  bool in_trouble_ = false;

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::deque<Job> queue_;
  std::vector<Ended> ended_;
  std::vector<store::Attempt> held_;
  std::vector<store::Attempt> returned_;  // to give back now
  Clock::time_point ended_since_{};
  bool running_ = false;
  bool ran_ = false;  // a job, before
  double waited_seconds_ = 0;
  bool closed_ = false;  // no job will follow
};

}  // namespace weakspot::workbench
