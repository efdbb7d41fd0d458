// SPDX-License-Identifier: MIT
#include "workbench/fleet/device_worker.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "workbench/store_documents.h"

namespace weakspot::workbench {
namespace {

using campaign::RunRecord;
using campaign::RunState;
using namespace std::chrono_literals;

// The time that results may wait for others, to be stored together.
constexpr auto kDeliverEvery = 250ms;
constexpr auto kLookAtStopEvery = 100ms;
// Between questions to a source that has nothing, or does not answer.
constexpr std::chrono::steady_clock::duration kFirstPatience = 50ms;
constexpr std::chrono::steady_clock::duration kLongestPatience = 5s;
constexpr std::int64_t kOrdinaryAttempts = 3;
constexpr double kProbeSeconds = 0.05;
// Beyond the time of a run, before its device is given up.
constexpr double kRunSlack = 30;
constexpr double kCountedDeadline = 300;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

store::Record campaign_record(const RunRecord& record, const std::string& device_class, const std::string& campaign) {
  store::Record stored = stored_form(record);
  stored.device_class = device_class;
  stored.campaign = campaign;
  return stored;
}

}  // namespace

DeviceWorker::DeviceWorker(WorkerDevice device, const AgentShared& shared)
    : device_(std::move(device)), shared_(shared), patience_(kFirstPatience) {
  tally_.id = device_.id;
}

void DeviceWorker::run() {
  std::thread runner([this] { run_jobs(); });
  while (!over_ && problems_.empty() && !shared_.stopping()) {
    if (deliver() && wants_work()) over_ = !fetch();
    if (!over_) wait();
  }
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }
  runner.join();
  tally_.waited_seconds = waited_seconds_;
  give_back();
}

// ---- the thread of the device ----

void DeviceWorker::run_jobs() {
  // Here, because a child process of the executor ends with the thread that started it.
  const std::unique_ptr<campaign::Executor> executor = device_.executor();
  while (std::optional<Job> job = next_job()) {
    if (job->first_of_claim) announce(*job, *executor);
    run_job(*std::move(job), *executor);
  }
}

std::optional<DeviceWorker::Job> DeviceWorker::next_job() {
  std::unique_lock lock(mutex_);
  running_ = false;
  changed_.notify_all();
  const Clock::time_point start = Clock::now();
  changed_.wait(lock, [this] { return closed_ || !queue_.empty(); });
  if (closed_) return std::nullopt;
  if (ran_) waited_seconds_ += seconds_since(start);
  ran_ = true;
  Job job = std::move(queue_.front());
  queue_.pop_front();
  running_ = true;
  changed_.notify_all();
  return job;
}

// Programs of one claim are compiled together. Shards that share a program are neighbours.
void DeviceWorker::announce(const Job& first, campaign::Executor& executor) const {
  std::vector<campaign::RunRequest> requests = {first.requests.front()};
  {
    const std::lock_guard lock(mutex_);
    for (const Job& job : queue_) {
      if (job.first_of_claim) break;
      const campaign::RunRequest& next = job.requests.front();
      const bool same =
          next.test.hash() == requests.back().test.hash() && next.environment == requests.back().environment;
      if (!same) requests.push_back(next);
    }
  }
  if (requests.size() > 1) executor.prepare(requests);
}

void DeviceWorker::run_job(Job job, campaign::Executor& executor) {
  if (const auto known = failures_.find(job.test);
      known != failures_.end() && known->second.count >= store::kMostFailures) {
    return note_end(Failed{std::move(job), known->second.reason, true});
  }
  std::vector<RunRecord> records;
  for (std::size_t i = 0; i < job.requests.size(); ++i) {
    const campaign::RunRequest& request = job.requests[i];
    if (const auto next = request_after(job, i)) executor.expect(*next);
    RunRecord record = executor.execute(request, *this);
    if (shared_.stopping() && record.status != RunState::finished && record.status != RunState::refused) return;
    if (record.status == RunState::failed || record.status == RunState::lost) {
      return note_end(failure_of(std::move(job), std::move(record.message), executor));
    }
    if (record.status == RunState::finished) last_good_ = request;
    records.push_back(std::move(record));
  }
  note_end(Done{std::move(job), std::move(records)});
}

// The request that most likely runs next. The first of a claim is not, because programs of the claim are announced
// before it.
std::optional<campaign::RunRequest> DeviceWorker::request_after(const Job& job, std::size_t number) const {
  if (number + 1 < job.requests.size()) return job.requests[number + 1];
  const std::lock_guard lock(mutex_);
  if (closed_ || queue_.empty() || queue_.front().first_of_claim) return std::nullopt;
  return queue_.front().requests.front();
}

// Decides whose fault a failure is: a device that still runs its last good request is well, and the test is to blame.
DeviceWorker::Failed DeviceWorker::failure_of(Job job, std::string reason, campaign::Executor& executor) {
  Failed failed{std::move(job), std::move(reason), false};
  if (!last_good_ || last_good_->test->name == failed.job.test) return failed;
  campaign::RunRequest probe = *last_good_;
  probe.seconds = std::min(probe.seconds, kProbeSeconds);
  failed.device_is_well = executor.execute(probe, *this).status == RunState::finished;
  if (failed.device_is_well) {
    TestFailures& known = failures_[failed.job.test];
    ++known.count;
    known.reason = failed.reason;
  }
  return failed;
}

// A test that kills every device must not look like a device that fails with everything: after a failure other tests
// have their turn.
void DeviceWorker::note_end(Ended ended) {
  const std::lock_guard lock(mutex_);
  if (const Failed* failed = std::get_if<Failed>(&ended)) {
    std::erase_if(queue_, [&](const Job& job) {
      const bool same = job.test == failed->job.test;
      if (same) returned_.push_back(job.attempt);
      return same;
    });
  }
  if (ended_.empty()) ended_since_ = Clock::now();
  ended_.push_back(std::move(ended));
}

// ---- the books ----

bool DeviceWorker::wants_work() const {
  if (Clock::now() < next_claim_) return false;
  const std::lock_guard lock(mutex_);
  return has_room();
}

// The next claim comes while half of the last one is still to be run. A shard that others did not finish may be what
// ended them, so it is held alone.
bool DeviceWorker::has_room() const {
  const bool careful = std::any_of(held_.begin(), held_.end(),
                                   [](const store::Attempt& attempt) { return attempt.number > kOrdinaryAttempts; });
  return !careful && queue_.size() * 2 <= most_;
}

bool DeviceWorker::has_nothing_to_do() const {
  const std::lock_guard lock(mutex_);
  return held_.empty();
}

// False if there will never be anything more to do.
bool DeviceWorker::fetch() {
  const store::ClaimRequest request{
      shared_.agent,   device_.key,
      device_.classes, shared_.request.campaign,
      most_,           store::Duration(static_cast<std::int64_t>(shared_.request.lease * 1000))};
  const base::Result<store::Claims> claims = shared_.source.claim(request);
  if (!claims) {
    // A store that has never answered is more likely a wrong one.
    if (!reached_) {
      end_with(claims.errors());
    } else {
      note_trouble(claims.errors());
    }
    return true;
  }
  reached_ = true;
  in_trouble_ = false;
  if (!claims->quarantined.empty()) {
    tally_.quarantined = claims->quarantined;
    shared_.note(fmt::format("{} is quarantined: {}", device_.id, claims->quarantined));
    return false;
  }
  if (!claims->claims.empty()) {
    patience_ = kFirstPatience;
    return take(*claims);
  }
  next_claim_ = Clock::now() + patience_;
  patience_ = std::min(patience_ * 2, kLongestPatience);
  if (!shared_.request.until_done || !has_nothing_to_do()) return true;
  const base::Result<bool> over = shared_.source.is_over(shared_.request.campaign, device_.classes);
  if (!over) note_trouble(over.errors());
  return !over || !*over;
}

bool DeviceWorker::take(const store::Claims& claims) {
  {
    const std::lock_guard lock(mutex_);
    for (const store::Claim& claim : claims.claims) held_.push_back(claim.attempt);
  }
  bool first = true;
  for (const store::Claim& claim : claims.claims) {
    if (shared_.stopping() || !problems_.empty()) break;
    std::optional<Job> job = job_of(claim);
    if (!job) continue;
    job->first_of_claim = first;
    first = false;
    const std::lock_guard lock(mutex_);
    queue_.push_back(*std::move(job));
    changed_.notify_all();
  }
  return true;
}

base::Result<const campaign::CampaignPlan*> DeviceWorker::plan_of(const std::string& campaign) {
  auto found = plans_.find(campaign);
  if (found == plans_.end()) {
    base::Result<campaign::CampaignPlan> plan = shared_.source.plan(campaign);
    if (!plan) return plan.errors();
    found = plans_.emplace(campaign, *std::move(plan)).first;
  }
  return &found->second;
}

// Nothing if the agent must end: the shard is given back.
std::optional<DeviceWorker::Job> DeviceWorker::job_of(const store::Claim& claim) {
  const base::Result<const campaign::CampaignPlan*> plan = plan_of(claim.attempt.campaign);
  const base::Result<campaign::Shard> shard = campaign::shard_from_json(claim.document);
  if (!plan || !shard) {
    end_with(plan ? shard.errors() : plan.errors());
    return std::nullopt;
  }
  const campaign::RunTest* test = (*plan)->test_with(shard->test);
  if (test == nullptr) {
    end_with({base::error(fmt::format("campaign {} has no test {}", claim.attempt.campaign, shard->test))});
    return std::nullopt;
  }
  Job job{claim.attempt, claim.device_class, (*test)->name, {}, false};
  campaign::RunRequest request;
  request.test = *test;
  request.device = device_.id;
  request.environment = shard->environment;
  request.seconds = shard->seconds;
  request.instances = shard->instances;
  request.memory = (*plan)->memory != 0 ? (*plan)->memory : device_.memory;
  request.deadline = shard->instances != 0 ? kCountedDeadline : shard->seconds + kRunSlack;
  if (shared_.request.now) request.started = shared_.request.now();
  if (device_.platform) {
    questions::ExpectedOutcomes& outcomes = outcomes_.try_emplace((*plan)->model, (*plan)->model).first->second;
    const base::Result<stats::Expected> expected = outcomes.of(*request.test, &*device_.platform);
    if (!expected) {
      end_with(expected.errors());
      return std::nullopt;
    }
    request.expected = *expected;
  }
  for (std::uint64_t i = 0; i < shard->seeds; ++i) {
    request.seed = shard->first_seed + i;
    job.requests.push_back(request);
  }
  most_ = campaign::shards_per_claim(*shard);
  return job;
}

void DeviceWorker::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, kLookAtStopEvery, [this] {
    const Clock::time_point now = Clock::now();
    if (in_trouble_ && now < next_claim_) return false;
    const bool idle = !running_ && queue_.empty();
    return (!ended_.empty() && (idle || now - ended_since_ >= kDeliverEvery)) || (has_room() && now >= next_claim_);
  });
}

bool DeviceWorker::deliver() {
  std::vector<Ended> ended;
  {
    const std::lock_guard lock(mutex_);
    const bool idle = !running_ && queue_.empty();
    const bool due = idle || closed_ || Clock::now() - ended_since_ >= kDeliverEvery;
    if (ended_.empty() || !due) return true;
    if (in_trouble_ && !closed_ && Clock::now() < next_claim_) return false;
    ended.swap(ended_);
  }
  base::Status delivered = deliver(ended);
  if (delivered) delivered = release_returned();
  if (delivered) {
    in_trouble_ = false;
    // The last shard: whether another one is free, or the campaign over, should be known at once.
    if (has_nothing_to_do()) next_claim_ = {};
    return true;
  }
  note_trouble(delivered.errors());
  const std::lock_guard lock(mutex_);
  ended_.insert(ended_.begin(), std::make_move_iterator(ended.begin()), std::make_move_iterator(ended.end()));
  return false;
}

// In the order in which they ended, so that a device is only blamed for failures without a success in between. What was
// delivered is removed.
base::Status DeviceWorker::deliver(std::vector<Ended>& ended) {
  while (!ended.empty()) {
    const auto failed =
        std::find_if(ended.begin(), ended.end(), [](const Ended& one) { return std::holds_alternative<Failed>(one); });
    if (const auto count = static_cast<std::size_t>(failed - ended.begin()); count != 0) {
      if (base::Status done = finish(std::span(ended).first(count)); !done) return done;
      ended.erase(ended.begin(), ended.begin() + static_cast<std::ptrdiff_t>(count));
      continue;
    }
    if (base::Status done = fail(std::get<Failed>(ended.front())); !done) return done;
    ended.erase(ended.begin());
  }
  return base::ok_status();
}

store::FinishedShard DeviceWorker::finished_shard(const Done& done) const {
  store::FinishedShard shard{done.job.attempt, device_.key, 0, {}};
  for (const RunRecord& record : done.records) {
    shard.seconds += record.seconds;
    shard.records.push_back(campaign_record(record, done.job.device_class, done.job.attempt.campaign));
  }
  return shard;
}

base::Status DeviceWorker::finish(std::span<Ended> done) {
  std::vector<store::FinishedShard> shards;
  for (const Ended& one : done) shards.push_back(finished_shard(std::get<Done>(one)));
  const base::Result<std::vector<store::Finished>> finished = shared_.source.finish(shared_.agent, shards);
  if (!finished) return finished.errors();
  for (std::size_t i = 0; i < shards.size(); ++i) {
    if ((*finished)[i] == store::Finished::lease_lost) {
      ++tally_.lease_lost;
    } else {
      ++tally_.shards;
      tally_.device_seconds += shards[i].seconds;
    }
    forget(shards[i].attempt);
  }
  return base::ok_status();
}

base::Status DeviceWorker::fail(const Failed& failed) {
  const base::Result<store::Failure> answer =
      shared_.source.fail({failed.job.attempt, shared_.agent, failed.device_is_well ? std::string() : device_.key,
                           failed.job.test, failed.reason});
  if (!answer) return answer.errors();
  ++tally_.failures;
  forget(failed.job.attempt);
  shared_.note(fmt::format("{} failed with {}: {}", device_.id, failed.job.test, failed.reason));
  if (answer->shard_quarantined) shared_.note(fmt::format("{} is quarantined", failed.job.test));
  if (answer->device_quarantined) {
    tally_.quarantined = failed.reason;
    shared_.note(fmt::format("{} is quarantined; its last test was {}", device_.id, failed.job.test));
    over_ = true;
  }
  return base::ok_status();
}

base::Status DeviceWorker::release_returned() {
  std::vector<store::Attempt> returned;
  {
    const std::lock_guard lock(mutex_);
    returned = returned_;
  }
  if (returned.empty()) return base::ok_status();
  if (base::Status released = shared_.source.release(shared_.agent, returned); !released) return released;
  for (const store::Attempt& attempt : returned) forget(attempt);
  const std::lock_guard lock(mutex_);
  std::erase_if(returned_, [&](const store::Attempt& attempt) {
    return std::find(returned.begin(), returned.end(), attempt) != returned.end();
  });
  return base::ok_status();
}

void DeviceWorker::give_back() {
  // A last time, and even if the source did not answer a moment ago.
  for (int tries = 0; tries < 3 && !deliver(); ++tries) std::this_thread::sleep_for(kDeliverEvery);
  std::vector<store::Attempt> left = held();
  {
    const std::lock_guard lock(mutex_);
    if (!ended_.empty()) {
      problems_.push_back(
          base::error(fmt::format("{} of {} could not be stored; they will be run again", ended_.size(), device_.id),
                      base::ErrorKind::environment));
    }
  }
  if (left.empty()) return;
  const base::Status released = shared_.source.release(shared_.agent, left);
  if (released) {
    tally_.returned = left.size();
  } else if (problems_.empty()) {
    problems_ = released.errors();
  }
}

void DeviceWorker::end_with(const base::Diagnostics& problems) {
  if (problems_.empty()) problems_ = problems;
}

// A source that is away may come back. One that refuses, because the token was revoked, will refuse again.
void DeviceWorker::note_trouble(const base::Diagnostics& errors) {
  if (base::kind_of(errors) == base::ErrorKind::bad_input) end_with(errors);
  next_claim_ = Clock::now() + patience_;
  patience_ = std::min(patience_ * 2, kLongestPatience);
  if (!in_trouble_) shared_.note(fmt::format("{}; trying again", base::messages(errors)));
  in_trouble_ = true;
}

void DeviceWorker::forget(const store::Attempt& attempt) {
  const std::lock_guard lock(mutex_);
  std::erase(held_, attempt);
}

std::vector<store::Attempt> DeviceWorker::held() const {
  const std::lock_guard lock(mutex_);
  return held_;
}

void DeviceWorker::drop(const std::vector<store::Attempt>& lost) {
  const std::lock_guard lock(mutex_);
  for (const store::Attempt& attempt : lost) {
    const std::size_t dropped = std::erase_if(queue_, [&](const Job& job) { return job.attempt == attempt; });
    if (dropped != 0) std::erase(held_, attempt);
  }
}

}  // namespace weakspot::workbench
