// SPDX-License-Identifier: MIT
// Serves the page and takes results: to people of this machine, or to everybody.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"

namespace weakspot::serve {

struct ResultServer {
  std::string store;                 // as store::open_store() takes it; a missing one is made
  std::filesystem::path folder;      // the page's files; empty: without a page
  bool is_public = false;            // reachable from other machines
  std::uint16_t port = 0;            // 0: a free one
  std::vector<std::string> proxies;  // as http::sender_of() takes them
  double submissions_per_minute = 6;
  const std::atomic<bool>* stop = nullptr;  // ends serving
  std::function<void(const std::string& url, std::size_t connections)> ready;
  std::function<void(const std::string& line)> problem;  // may be called in another thread
};

// Serves until `stop`. Fails if the store cannot be opened or the port is taken.
base::Status serve_results(const ResultServer& server);

}  // namespace weakspot::serve
