// SPDX-License-Identifier: MIT
// What the server for results answers, version 1:
//
//   GET    api/1/status        the program, what sending means, and how many submissions there are
//   POST   api/1/submissions   a submission as JSON; the answer has its deletion token
//   DELETE api/1/submissions   deletes the submission of the token in the header Deletion-Token
//   GET    api/1/results       rows that at least five devices share; results.csv: the same as a table
//   api/1/work/...             for agents (work_api.h)
//   GET    api/1/campaigns...  how far campaigns are, and their runs (campaign_api.h)
//
// and the page at every other path. docs/server.md describes the forms. Nothing here reads or writes files.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "http/server.h"
#include "serve/campaign_api.h"
#include "serve/clerk.h"
#include "serve/known_tests.h"
#include "serve/rate_limit.h"
#include "serve/work_api.h"

namespace weakspot::serve {

// Files of the page by path, "" for its first. They are read once.
using PageFiles = std::map<std::string, http::Response>;

struct ApiOptions {
  bool is_public = false;                                // otherwise only names of this machine are answered
  std::uint16_t port = 0;                                // that they stand with
  double submissions_per_minute = 6;                     // of one address; 0: no limit. This machine itself has none
  std::function<void(const std::string& line)> problem;  // the store failed; for whoever runs the server
};

class Api {
 public:
  // The tests, the store and the other parts must outlive this. `secret` makes senders recognisable for as long as the
  // server runs.
  Api(ApiOptions options, const KnownTests& known, PageFiles files, Submissions& store, WorkApi& work,
      CampaignApi& campaigns, std::string secret);

  // In one thread.
  void answer(http::Asked asked, http::Answer answer);

 private:
  bool refuses(const http::Asked& asked, http::Response& refusal) const;
  void submissions(http::Asked asked, http::Answer answer);
  void submit(http::Asked asked, http::Answer answer);
  void remove(const http::Asked& asked, http::Answer answer);
  void results(const http::Asked& asked, http::Answer answer, bool table);
  void status(http::Answer answer);
  void page(const http::Asked& asked, const std::string& path, const http::Answer& answer) const;
  void reject(std::string document, const std::string& reason, http::Answer answer);
  std::string device_key(const http::Asked& asked, const store::Submission& submission) const;

  ApiOptions options_;
  const KnownTests& known_;
  PageFiles files_;
  WorkApi& work_;
  CampaignApi& campaigns_;
  std::string secret_;
  RateLimit rate_;
  Clerk clerk_;  // last: its jobs use the others
};

}  // namespace weakspot::serve
