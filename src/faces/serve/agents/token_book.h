// SPDX-License-Identifier: MIT
// The tokens of agents as the server knows them. They are kept in memory, so that strangers with wrong tokens cost the
// store nothing, and read again when they are older than a second: a new or revoked token counts after that time.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/token_store.h"

namespace weakspot::serve {

class TokenBook {
 public:
  using Read = std::function<base::Result<std::vector<store::AgentToken>>()>;

  // Any thread may use the book, but one at a time calls `read`.
  explicit TokenBook(Read read) : read_(std::move(read)) {}

  // The name of the token in a header "Bearer TOKEN"; nothing if there is no such token. Fails if the store does.
  base::Result<std::optional<std::string>> owner(std::string_view authorization);
  // The same without asking the store.
  bool seems_known(std::string_view authorization) const;

 private:
  using Clock = std::chrono::steady_clock;

  std::optional<std::string> known_owner(std::string_view authorization) const;

  Read read_;
  std::mutex reading_;
  mutable std::mutex mutex_;                    // guards what follows
  std::map<std::string, std::string> by_hash_;  // names
  std::optional<Clock::time_point> read_at_;
};

}  // namespace weakspot::serve
