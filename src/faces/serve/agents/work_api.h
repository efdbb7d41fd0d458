// SPDX-License-Identifier: MIT
// The server's side of agents: hands out shards and takes results, for those who have a token.
//
//   POST api/1/work/claim, extend, finish, fail, release, over     as WorkSource has them
//   GET  api/1/work/plan/ID                                        the plan of a campaign
//
// Agents are trusted to have run what they say, and nothing else: a token ends only leases that it holds. What they
// send is read strictly. Every record must be one of its shard - test, environment, seed, class, and the device that
// claimed it - and its counts must add up. One bad record refuses the whole request.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "http/server.h"
#include "serve/agents/token_book.h"
#include "serve/agents/work_json.h"
#include "serve/answer/job_queue.h"
#include "workbench/work_source.h"

namespace weakspot::serve {

class WorkApi {
 public:
  // The source and the book must outlive this. `problem` hears what whoever runs the server should know.
  WorkApi(workbench::WorkSource& source, TokenBook& tokens, std::function<void(const std::string& line)> problem);

  // `name` is what follows api/1/work/. Answers in a thread of its own, after the store has.
  void answer(const std::string& name, http::Asked asked, http::Answer answer);

  // The most that a request may bring: more if it has a token.
  std::size_t most_body(const http::Request& head) const;

 private:
  http::Response work(const std::string& name, const http::Request& request);
  http::Response done(const std::string& name, const std::string& owner, const http::Request& request);
  http::Response claim(const std::string& owner, const std::string& body);
  http::Response extend(const std::string& owner, const std::string& body);
  http::Response finish(const std::string& owner, const std::string& body);
  http::Response fail(const std::string& owner, const std::string& body);
  http::Response release(const std::string& owner, const std::string& body);
  http::Response over(const std::string& body);
  http::Response plan(const std::string& campaign);

  base::Result<const campaign::CampaignPlan*> plan_of(const std::string& campaign);
  base::Result<store::FinishedShard> checked(const SentShard& sent);
  http::Response failed(const base::Diagnostics& errors) const;

  workbench::WorkSource& source_;
  TokenBook& tokens_;
  std::function<void(const std::string& line)> problem_;
  std::map<std::string, campaign::CampaignPlan> plans_;
  JobQueue jobs_;  // last: its jobs use the others
};

}  // namespace weakspot::serve
