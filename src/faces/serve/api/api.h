// SPDX-License-Identifier: MIT
// The interface of the server for results, version 1:
//
//   GET    api/1/status        the program, what sending means, and how many submissions there are
//   POST   api/1/submissions   a submission as JSON; the answer has its deletion token
//   DELETE api/1/submissions   deletes the submission of the token in the header Deletion-Token
//   GET    api/1/results       rows that at least five devices share; results.csv: the same as a table
//   api/1/work/...             for agents (work_api.h)
//   GET    api/1/campaigns...  how far campaigns are, and their runs (campaign_api.h)
//
// docs/server.md describes the forms. Nothing here reads or writes files.
#pragma once

#include <functional>
#include <string>

#include "http/server.h"
#include "serve/agents/work_api.h"
#include "serve/api/rate_limit.h"
#include "serve/campaigns/campaign_api.h"
#include "serve/submissions/clerk.h"
#include "serve/submissions/known_tests.h"

namespace weakspot::serve {

struct ApiOptions {
  bool is_public = false;                                // shown in the status
  double submissions_per_minute = 6;                     // per address; 0: no limit. This machine itself has none
  std::function<void(const std::string& line)> problem;  // the store failed; for whoever runs the server
};

class Api {
 public:
  // The tests, the store and the other parts must outlive this. `secret` makes senders recognisable for as long as the
  // server runs.
  Api(ApiOptions options, const KnownTests& known, Submissions& store, WorkApi& work, CampaignApi& campaigns,
      std::string secret);

  // `name` is what follows api/1/. In one thread.
  void answer(const std::string& name, http::Asked asked, http::Answer answer);

  // The page for a kind of GPU, `name` being its link: it opens there by itself, and its head says what is known.
  void gpu(const std::string& name, const http::Response& page, http::Answer answer);

 private:
  void ask(http::Answer answer, std::function<http::Response(Submissions&)> question);
  void submissions(http::Asked asked, http::Answer answer);
  void submit(http::Asked asked, http::Answer answer);
  void remove(const http::Asked& asked, http::Answer answer);
  void results(const http::Asked& asked, http::Answer answer, bool table);
  void status(http::Answer answer);
  void reject(std::string document, const std::string& reason, http::Answer answer);
  std::string device_key(const http::Asked& asked, const store::Submission& submission) const;

  ApiOptions options_;
  const KnownTests& known_;
  WorkApi& work_;
  CampaignApi& campaigns_;
  std::string secret_;
  RateLimit rate_;
  Clerk clerk_;  // last: its jobs use the others
};

}  // namespace weakspot::serve
