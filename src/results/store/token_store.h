// SPDX-License-Identifier: MIT
// Tokens of agents: who has one may claim shards and deliver results over a server. Each has a name, for people and for
// the names of its agents. Only a hash of a token is stored, so a token is shown once, when it is made.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "store/database.h"

namespace weakspot::store {

struct AgentToken {
  std::string name;
  std::string hash;
  Time created;
};

// The stored form of a token. Differs from that of a deletion token with the same digits.
std::string agent_token_hash(const std::string& token);

class TokenStore {
 public:
  // The database must outlive this.
  explicit TokenStore(Database& database) : database_(database) {}

  // The new token: 32 hexadecimal digits. The name has 1 to 64 letters, digits, '.', '_' and '-', and must be new.
  base::Result<std::string> create(const std::string& name, Time now);
  // By name.
  base::Result<std::vector<AgentToken>> list();
  // False if no token has this name.
  base::Result<bool> revoke(const std::string& name);

 private:
  Database& database_;
};

}  // namespace weakspot::store
