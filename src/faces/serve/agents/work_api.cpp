// SPDX-License-Identifier: MIT
#include "serve/agents/work_api.h"

#include <fmt/format.h>

#include <algorithm>

#include "campaign/record_json.h"
#include "http/gate.h"
#include "http/replies.h"
#include "workbench/store_documents.h"

namespace weakspot::serve {
namespace {

using http::json_reply;
using http::refusal;
using http::Response;

constexpr std::size_t kMostWithoutToken = 1u << 20;
constexpr std::size_t kMostWithToken = 64u << 20;
constexpr std::size_t kMostPlans = 16;  // in memory
constexpr int kUnavailable = 503;

Response unreadable(const base::Diagnostics& errors) { return refusal(422, base::messages(errors)); }

// Names of agents and devices are those of their token: one token cannot touch the leases of another, nor quarantine
// its devices.
std::string full_name(const std::string& owner, const std::string& name) { return owner + ":" + name; }

// The shard of the plan that a record belongs to by its test, environment and seed.
campaign::Shard shard_of(const campaign::RunRecord& record, const std::string& device_class,
                         const campaign::CampaignPlan& plan) {
  const std::uint64_t offset = record.seed - plan.first_seed;
  const std::uint64_t begin = offset - offset % plan.seeds_per_shard;
  return {record.hash,
          device_class,
          record.environment,
          plan.first_seed + begin,
          std::min(plan.seeds_per_shard, plan.seeds - begin),
          plan.seconds,
          plan.instances};
}

// The reason to refuse the record with this number of what was sent.
std::optional<std::string> problem_of(const campaign::RunRecord& record, std::size_t number, const SentShard& sent,
                                      const campaign::CampaignPlan& plan) {
  const campaign::RunTest* test = plan.test_with(record.hash);
  if (test == nullptr || test->text() != record.text) return "the campaign has no such test";
  if (record.seed < plan.first_seed || record.seed - plan.first_seed >= plan.seeds) {
    return "the campaign has no such seed";
  }
  // The id is a hash of all that a shard is.
  const campaign::Shard planned = shard_of(record, sent.device_class, plan);
  if (campaign::shard_id(sent.attempt.campaign, planned) != sent.attempt.shard) {
    return "the record is of another shard: its test, environment, seed or device class differs";
  }
  if (sent.records.size() != planned.seeds || record.seed != planned.first_seed + number) {
    return fmt::format("expected {} records, one for each seed in their order", planned.seeds);
  }
  if (!sent.device.ends_with("/" + record.device)) {
    return fmt::format("the record is of device '{}', the shard was claimed for '{}'", record.device, sent.device);
  }
  std::uint64_t sum = record.unfinished;
  for (const campaign::OutcomeCount& outcome : record.outcomes) {
    if (outcome.count > record.instances) return "an outcome has more instances than the run";
    sum += outcome.count;
  }
  if (sum != record.instances) {
    return fmt::format("the outcomes add up to {}, the instances are {}", sum, record.instances);
  }
  return std::nullopt;
}

}  // namespace

WorkApi::WorkApi(workbench::WorkSource& source, TokenBook& tokens, std::function<void(const std::string& line)> problem)
    : source_(source), tokens_(tokens), problem_(std::move(problem)) {}

std::size_t WorkApi::most_body(const http::Request& head) const {
  return tokens_.seems_known(head.header("authorization")) ? kMostWithToken : kMostWithoutToken;
}

void WorkApi::answer(const std::string& name, http::Asked asked, http::Answer answer) {
  const std::shared_ptr<http::Answering> shared = std::move(answer);
  const auto request = std::make_shared<http::Request>(std::move(asked.request));
  const bool taken = jobs_.add([this, name, request, shared] { shared->give(work(name, *request)); });
  if (!taken) shared->give(refusal(503, "too many requests are waiting; try again"));
}

Response WorkApi::work(const std::string& name, const http::Request& request) {
  const base::Result<std::optional<std::string>> owner = tokens_.owner(request.header("authorization"));
  if (!owner) return failed(owner.errors());
  if (!*owner) return refusal(401, "agents need a token; 'weakspot serve --new-token NAME' makes one");
  Response response = done(name, **owner, request);
  // A connection to PostgreSQL that broke while nobody used it is noticed now, and the next call opens another one.
  // Every call may be repeated.
  if (response.status == kUnavailable) response = done(name, **owner, request);
  return response;
}

Response WorkApi::done(const std::string& name, const std::string& owner, const http::Request& request) {
  constexpr std::string_view kPlan = "plan/";
  if (name.starts_with(kPlan)) {
    return request.method == "GET" ? plan(name.substr(kPlan.size())) : refusal(405, "expected GET");
  }
  constexpr std::string_view kNames[] = {kClaim, kExtend, kFinish, kFail, kRelease, kOver};
  if (std::find(std::begin(kNames), std::end(kNames), name) == std::end(kNames)) {
    return refusal(404, "there is no such path; docs/server.md lists them");
  }
  if (std::optional<Response> refused = http::refuse_other_than_json(request)) return *std::move(refused);
  if (name == kClaim) return claim(owner, request.body);
  if (name == kExtend) return extend(owner, request.body);
  if (name == kFinish) return finish(owner, request.body);
  if (name == kFail) return fail(owner, request.body);
  if (name == kRelease) return release(owner, request.body);
  return over(request.body);
}

// A store that does not answer is worth another try; a wrong name is not.
Response WorkApi::failed(const base::Diagnostics& errors) const {
  if (base::kind_of(errors) != base::ErrorKind::environment) return refusal(404, base::messages(errors));
  if (problem_) problem_(base::messages(errors));
  return refusal(kUnavailable, "the store does not answer now");
}

Response WorkApi::claim(const std::string& owner, const std::string& body) {
  base::Result<store::ClaimRequest> request = claim_request_from(body);
  if (!request) return unreadable(request.errors());
  request->agent = full_name(owner, request->agent);
  request->device = full_name(owner, request->device);
  const base::Result<store::Claims> claims = source_.claim(*request);
  return claims ? json_reply(200, to_json(*claims)) : failed(claims.errors());
}

Response WorkApi::extend(const std::string& owner, const std::string& body) {
  const base::Result<HeldAttempts> held = held_attempts_from(body, true);
  if (!held) return unreadable(held.errors());
  const auto lost = source_.extend(full_name(owner, held->agent), held->attempts, held->lease);
  return lost ? json_reply(200, lost_json(*lost)) : failed(lost.errors());
}

Response WorkApi::finish(const std::string& owner, const std::string& body) {
  const base::Result<SentShards> sent = sent_shards_from(body);
  if (!sent) return unreadable(sent.errors());
  std::vector<store::FinishedShard> shards;
  for (const SentShard& one : sent->shards) {
    base::Result<store::FinishedShard> shard = checked(one);
    if (!shard && base::kind_of(shard.errors()) == base::ErrorKind::environment) return failed(shard.errors());
    if (!shard) {
      const std::string reason = fmt::format("shard {}: {}", one.attempt.shard, base::messages(shard.errors()));
      if (problem_) problem_(fmt::format("results of {} refused: {}", full_name(owner, sent->agent), reason));
      return refusal(422, reason);
    }
    shard->device = full_name(owner, shard->device);
    shards.push_back(*std::move(shard));
  }
  const auto finished = source_.finish(full_name(owner, sent->agent), shards);
  return finished ? json_reply(200, finished_json(*finished)) : failed(finished.errors());
}

Response WorkApi::fail(const std::string& owner, const std::string& body) {
  base::Result<store::FailedShard> request = failed_shard_from(body);
  if (!request) return unreadable(request.errors());
  request->agent = full_name(owner, request->agent);
  if (!request->device.empty()) request->device = full_name(owner, request->device);
  const base::Result<store::Failure> failure = source_.fail(*request);
  return failure ? json_reply(200, to_json(*failure)) : failed(failure.errors());
}

Response WorkApi::release(const std::string& owner, const std::string& body) {
  const base::Result<HeldAttempts> held = held_attempts_from(body, false);
  if (!held) return unreadable(held.errors());
  const base::Status released = source_.release(full_name(owner, held->agent), held->attempts);
  return released ? json_reply(200, base::json_object()) : failed(released.errors());
}

Response WorkApi::over(const std::string& body) {
  const base::Result<OverQuestion> question = over_question_from(body);
  if (!question) return unreadable(question.errors());
  const base::Result<bool> is_over = source_.is_over(question->campaign, question->device_classes);
  return is_over ? json_reply(200, base::json_object({{"over", *is_over}})) : failed(is_over.errors());
}

Response WorkApi::plan(const std::string& campaign) {
  const base::Result<const campaign::CampaignPlan*> found = plan_of(campaign);
  if (!found) return failed(found.errors());
  Response response = json_reply(200, base::json_object());
  response.body = campaign::to_json(**found) + "\n";
  return response;
}

base::Result<const campaign::CampaignPlan*> WorkApi::plan_of(const std::string& campaign) {
  auto found = plans_.find(campaign);
  if (found == plans_.end()) {
    base::Result<campaign::CampaignPlan> plan = source_.plan(campaign);
    if (!plan) return plan.errors();
    if (plans_.size() >= kMostPlans) plans_.clear();
    found = plans_.emplace(campaign, *std::move(plan)).first;
  }
  return &found->second;
}

base::Result<store::FinishedShard> WorkApi::checked(const SentShard& sent) {
  const base::Result<const campaign::CampaignPlan*> plan = plan_of(sent.attempt.campaign);
  if (!plan) return plan.errors();
  const auto& classes = (*plan)->classes;
  if (std::none_of(classes.begin(), classes.end(),
                   [&](const campaign::DeviceClass& one) { return one.name == sent.device_class; })) {
    return base::error(fmt::format("the campaign has no device class '{}'", sent.device_class));
  }
  store::FinishedShard shard{sent.attempt, sent.device, sent.seconds, {}};
  if (sent.records.empty()) return base::error("expected records");
  for (const std::string& document : sent.records) {
    const base::Result<campaign::RunRecord> record = campaign::record_from_json(document);
    if (!record) return record.errors();
    if (const auto problem = problem_of(*record, shard.records.size(), sent, **plan)) return base::error(*problem);
    store::Record stored = workbench::stored_form(*record);
    stored.device_class = sent.device_class;
    stored.campaign = sent.attempt.campaign;
    shard.records.push_back(std::move(stored));
  }
  return shard;
}

}  // namespace weakspot::serve
