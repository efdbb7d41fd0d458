// SPDX-License-Identifier: MIT
#include "store/token_store.h"

#include <gtest/gtest.h>

#include "store/schema.h"
#include "support/store_test.h"

namespace weakspot::store::token_store_test {
namespace {

class TokenStoreTest : public support::StoreTest {};
INSTANTIATE_TEST_SUITE_P(Databases, TokenStoreTest, support::both_engines(), support::engine_name);

TEST_P(TokenStoreTest, TokensAreMadeListedAndRevoked) {
  const std::unique_ptr<Database> database = new_store();
  TokenStore tokens(*database);
  const base::Result<std::string> first = tokens.create("node-2", Time(Duration(5)));
  ASSERT_TRUE(first) << base::render(first.errors());
  EXPECT_EQ(32u, first->size());
  const base::Result<std::string> second = tokens.create("node-1", Time(Duration(6)));
  ASSERT_TRUE(second);
  EXPECT_NE(*first, *second);
  EXPECT_FALSE(tokens.create("node-1", Time(Duration(7)))) << "the name is taken";
  for (const char* name : {"", "a b", "a/b", "a:b", "\n"}) EXPECT_FALSE(tokens.create(name, {})) << name;

  const base::Result<std::vector<AgentToken>> listed = tokens.list();
  ASSERT_TRUE(listed);
  ASSERT_EQ(2u, listed->size());
  EXPECT_EQ("node-1", listed->at(0).name);
  EXPECT_EQ(agent_token_hash(*second), listed->at(0).hash);
  EXPECT_EQ(Time(Duration(5)), listed->at(1).created);

  EXPECT_TRUE(*tokens.revoke("node-1"));
  EXPECT_FALSE(*tokens.revoke("node-1"));
  EXPECT_EQ(1u, tokens.list()->size());
}

// A store that was made before there were tokens.
TEST_P(TokenStoreTest, AnOlderStoreGetsTheTable) {
  const std::string place = new_place();
  {
    const std::unique_ptr<Database> database = open(place);
    ASSERT_TRUE(database->run_script("DROP TABLE agent_tokens; UPDATE weakspot_store SET version = 1"));
    EXPECT_EQ(1, *stored_version(*database));
  }
  const std::unique_ptr<Database> database = open(place, Access::write);
  EXPECT_EQ(schema_version(), *stored_version(*database));
  EXPECT_TRUE(TokenStore(*database).create("a", {}));
}

}  // namespace
}  // namespace weakspot::store::token_store_test
