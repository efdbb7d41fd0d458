// SPDX-License-Identifier: MIT
#include "serve/agents/token_book.h"

namespace weakspot::serve {
namespace {

constexpr std::chrono::seconds kOldTokens{1};

}  // namespace

base::Result<std::optional<std::string>> TokenBook::owner(std::string_view authorization) {
  const std::lock_guard one_reads(reading_);
  if (!read_at_ || Clock::now() - *read_at_ > kOldTokens) {
    base::Result<std::vector<store::AgentToken>> tokens = read_();
    // A connection that broke while nobody used it is noticed by the first call.
    if (!tokens) tokens = read_();
    if (!tokens) return tokens.errors();
    const std::lock_guard lock(mutex_);
    by_hash_.clear();
    for (const store::AgentToken& token : *tokens) by_hash_.emplace(token.hash, token.name);
    read_at_ = Clock::now();
  }
  return known_owner(authorization);
}

bool TokenBook::seems_known(std::string_view authorization) const { return known_owner(authorization).has_value(); }

// By the hash: how long the search takes says nothing about the token.
std::optional<std::string> TokenBook::known_owner(std::string_view authorization) const {
  constexpr std::string_view kScheme = "Bearer ";
  if (!authorization.starts_with(kScheme)) return std::nullopt;
  const std::string hash = store::agent_token_hash(std::string(authorization.substr(kScheme.size())));
  const std::lock_guard lock(mutex_);
  const auto found = by_hash_.find(hash);
  return found == by_hash_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace weakspot::serve
