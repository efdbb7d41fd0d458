// SPDX-License-Identifier: MIT
// Serves the page to one person on this machine, and lets it use the machine's own devices.
//
//   GET  api/1/status    the program and its version
//   GET  api/1/devices   as `weakspot devices --json`
//   POST api/1/runs      runs a test and tells its progress as events, until it ends or the page closes the connection
//   POST api/1/checks    looks for races in a program, or proves what it does
//
// docs/webgpu.md describes the forms.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "campaign/runner.h"

namespace weakspot::serve {

struct PageServer {
  std::filesystem::path folder;  // with index.html
  // Makes what runs tests; called by several threads.
  std::function<std::unique_ptr<campaign::Executor>()> executor;
  // Runs this program with these words and gives what it printed, for checks.
  std::function<base::Result<std::string>(const std::vector<std::string>&)> ask;
  std::function<std::string()> now;         // the date and time of a record
  const std::atomic<bool>* stop = nullptr;  // ends serving
  std::function<void(const std::string& url)> ready;
};

// Serves until `stop`. Fails if no port is free.
base::Status serve_page(const PageServer& server);

}  // namespace weakspot::serve
