// SPDX-License-Identifier: MIT
// Our side of the conversation with the page web/src/device/job.ts. The page asks for jobs at a loopback address; the
// answer to a job comes along with the question for the next one. Nothing is served between two calls: the page waits.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "backend/webgpu/browser.h"
#include "base/json.h"
#include "http/inbox.h"

namespace weakspot::backend::webgpu {

// What the page answered: the text, and the object in it.
struct Answer {
  base::Source source;
  base::JsonValue value;
};

class Host {
 public:
  // Starts the browser. `folder` has the files of the page.
  static base::Result<std::unique_ptr<Host>> start(const std::filesystem::path& folder, Adapter adapter);

  // Has the page do a job. Fails with the page's reason, or with that of the browser's end or silence; after the latter
  // two the conversation is over.
  base::Result<Answer> ask(const base::JsonValue& job, std::chrono::milliseconds limit);
  // Whether the conversation is over.
  bool lost() const { return lost_; }

 private:
  Host(http::Listener listener, std::string page, std::string script);

  base::Status serve_until_asked(http::Clock::time_point limit);
  void serve(http::Inbox::Arrival arrival);
  base::Diagnostic over(std::string message);

  http::Inbox inbox_;
  http::Gate gate_;
  std::string page_, script_;
  std::optional<Browser> browser_;
  std::optional<http::Connection> waiting_;  // the page's question
  std::string answer_;                       // that came with it
  bool lost_ = false;
};

}  // namespace weakspot::backend::webgpu
