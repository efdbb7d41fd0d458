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
#include "base/source.h"
#include "http/gate.h"
#include "http/server.h"
#include "json/json.h"

namespace weakspot::backend::webgpu {

// The page's answer: its text, and the object in it.
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
  void serve(http::Asked asked, http::Answer answer);
  base::Diagnostic over(std::string message);

  http::Gate gate_;
  std::string page_, script_;
  std::optional<Browser> browser_;
  http::Answer waiting_;  // the reply to the page's question, still open
  std::string answer_;    // the answer that came with the question
  bool lost_ = false;
  std::unique_ptr<http::Server> server_;
};

}  // namespace weakspot::backend::webgpu
