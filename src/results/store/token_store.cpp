// SPDX-License-Identifier: MIT
#include "store/token_store.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/sha256.h"
#include "store/submission_store.h"

namespace weakspot::store {
namespace {

bool is_token_name(const std::string& name) {
  return !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("._-").find(c) != std::string_view::npos;
  });
}

}  // namespace

std::string agent_token_hash(const std::string& token) { return base::sha256_hex("agent token " + token); }

base::Result<std::string> TokenStore::create(const std::string& name, Time now) {
  if (!is_token_name(name)) {
    return base::error(fmt::format("'{}': expected a name of 1 to 64 letters, digits, '.', '_' and '-'", name));
  }
  base::Result<std::string> token = new_token();
  if (!token) return token.errors();
  const base::Result<std::int64_t> made =
      database_.execute("INSERT INTO agent_tokens (name, hash, created) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
                        {name, agent_token_hash(*token), parameter_of(now)});
  if (!made) return made.errors();
  if (*made == 0) return base::error_in(database_.place(), fmt::format("there is a token '{}' already", name));
  return token;
}

base::Result<std::vector<AgentToken>> TokenStore::list() {
  const base::Result<std::vector<Row>> rows =
      database_.query("SELECT name, hash, created FROM agent_tokens ORDER BY name");
  if (!rows) return rows.errors();
  std::vector<AgentToken> tokens;
  for (const Row& row : *rows) tokens.push_back({text_of(row[0]), text_of(row[1]), time_of(row[2])});
  return tokens;
}

base::Result<bool> TokenStore::revoke(const std::string& name) {
  const base::Result<std::int64_t> gone = database_.execute("DELETE FROM agent_tokens WHERE name = $1", {name});
  if (!gone) return gone.errors();
  return *gone != 0;
}

}  // namespace weakspot::store
