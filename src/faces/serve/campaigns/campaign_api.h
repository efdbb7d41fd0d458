// SPDX-License-Identifier: MIT
// The interface through which people see campaigns:
//
//   GET api/1/campaigns                  how far each is
//   GET api/1/campaigns/ID               how far one is
//   GET api/1/campaigns/ID/events        the same, live, as server-sent events
//   GET api/1/campaigns/ID/report.html   its report
//   GET api/1/analysis.html              figures of all runs of the store
//   GET api/1/runs                       runs, with filters; runs.csv and runs.jsonl: the same as files
//
// On a public server the last three are for those who have a token: they tell single devices apart, and what is
// forbidden.
#pragma once

#include <functional>
#include <string>

#include "http/server.h"
#include "serve/agents/token_book.h"
#include "serve/answer/job_queue.h"
#include "serve/campaigns/event_hub.h"
#include "serve/campaigns/lab.h"
#include "serve/campaigns/run_rows.h"

namespace weakspot::serve {

class CampaignApi {
 public:
  struct Options {
    bool is_public = false;
    EventHubOptions events;
  };

  // The lab and the book must outlive this.
  CampaignApi(Lab& lab, TokenBook& tokens, Options options);

  // `name` is what follows api/1/. False if it is not one of the paths above.
  static bool knows(std::string_view name);
  void answer(const std::string& name, const http::Asked& asked, http::Answer answer);

 private:
  void listen(const std::string& id, const std::shared_ptr<http::Answering>& answer);
  http::Response shown(const std::string& name, const http::Request& request);
  http::Response all();
  http::Response one(const std::string& id);
  http::Response runs(const std::string& name, const RunQuestion& question);
  http::Response page(const std::string& name, const http::Request& request);
  std::optional<http::Response> refuse(const http::Request& request);
  std::string current(const std::string& id);

  Lab& lab_;
  TokenBook& tokens_;
  Options options_;
  EventHub events_;
  JobQueue jobs_;   // after what its jobs use
  JobQueue pages_;  // reports and analyses take their time
};

}  // namespace weakspot::serve
