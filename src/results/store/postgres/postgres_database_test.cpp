// SPDX-License-Identifier: MIT
#include "store/postgres/postgres_database.h"

#include <gtest/gtest.h>

#include "store/open_store.h"
#include "store/result_store.h"
#include "support/postgres_server.h"

namespace weakspot::store::postgres_database_test {
namespace {

TEST(PostgresStore, AMissingServerIsNamedWithoutThePassword) {
  const auto refused = open_store("postgresql://me:secret@127.0.0.1:1/results", Access::create);
  ASSERT_FALSE(refused);
  const std::string text = base::render(refused.errors());
  EXPECT_TRUE(text.starts_with("postgresql://me@127.0.0.1:1/results: error: PostgreSQL: ")) << text;
  EXPECT_NE(std::string::npos, text.find("Connection refused")) << text;
  EXPECT_EQ(std::string::npos, text.find("secret")) << text;
  EXPECT_EQ(base::ErrorKind::environment, base::kind_of(refused.errors()));
}

TEST(PostgresStore, APasswordAmongTheOptionsIsNotShownEither) {
  const auto refused = open_store("postgresql://127.0.0.1:1/results?password=secret&connect_timeout=5", Access::create);
  ASSERT_FALSE(refused);
  const std::string text = base::render(refused.errors());
  EXPECT_TRUE(text.starts_with("postgresql://127.0.0.1:1/results?password=&connect_timeout=5: error: ")) << text;
}

TEST(PostgresStore, OutlivesItsServer) {
  support::PostgresServer server;
  if (!server.problem().empty()) GTEST_SKIP() << server.problem();
  base::Result<std::unique_ptr<Database>> database = open_store(server.address(), Access::create);
  ASSERT_TRUE(database) << base::render(database.errors());
  ResultStore store(**database);
  server.stop(SIGKILL);
  // The process of a connection outlives its server for a moment.
  std::int64_t stored = 0;
  const auto add_next = [&] { return store.add(std::vector<Record>{{.document = std::to_string(stored + 1)}}); };
  base::Result<Added> added = add_next();
  for (; added && stored < 100'000; added = add_next()) ++stored;
  ASSERT_FALSE(added);
  EXPECT_EQ(base::ErrorKind::environment, base::kind_of(added.errors()));
  server.start();
  ASSERT_EQ("", server.problem());
  added = add_next();
  ASSERT_TRUE(added) << base::render(added.errors());
  EXPECT_EQ(stored + 1, *store.count());
}

}  // namespace
}  // namespace weakspot::store::postgres_database_test
