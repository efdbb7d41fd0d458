// SPDX-License-Identifier: MIT
#include "store/open_store.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "store/schema.h"
#include "support/store_test.h"

namespace weakspot::store::open_store_test {
namespace {

class OpenStoreTest : public support::StoreTest {};
INSTANTIATE_TEST_SUITE_P(Stores, OpenStoreTest, support::both_engines(), support::engine_name);

TEST_P(OpenStoreTest, MakesAStoreOnlyIfAskedTo) {
  const std::string place = new_place();
  EXPECT_FALSE(open_store(place, Access::read));
  EXPECT_FALSE(open_store(place, Access::write));
  ASSERT_TRUE(open_store(place, Access::create));
  EXPECT_TRUE(open_store(place, Access::write));
  EXPECT_TRUE(open_store(place, Access::read));
  EXPECT_TRUE(looks_like_store(place));
  EXPECT_TRUE(is_store(place));
  EXPECT_EQ(schema_version(), *stored_version(*open(place)));
}

TEST_P(OpenStoreTest, RefusesANewerVersionAndLeavesItAlone) {
  const std::string place = new_place();
  ASSERT_TRUE(open(place)->run_script("UPDATE weakspot_store SET version = 999"));
  for (const Access access : {Access::read, Access::write, Access::create}) {
    const auto refused = open_store(place, access);
    ASSERT_FALSE(refused);
    const std::string expected = fmt::format(
        "the store has version 999, and this program knows versions up to {}: use a newer weakspot", schema_version());
    EXPECT_NE(std::string::npos, base::render(refused.errors()).find(expected)) << base::render(refused.errors());
  }
}

TEST_P(OpenStoreTest, RefusesADatabaseOfOthers) {
  const std::string place = new_place();
  ASSERT_TRUE(open(place)->run_script("DROP TABLE weakspot_store"));
  const auto refused = open_store(place, Access::create);
  ASSERT_FALSE(refused);
  EXPECT_NE(std::string::npos, base::render(refused.errors()).find("this database is not a store of weakspot"));
}

TEST_P(OpenStoreTest, TransactionsAreWholeOrNothing) {
  const auto database = new_store();
  const auto count = [&] { return whole_of(database->query("SELECT count(*) FROM weakspot_store")->at(0).at(0)); };
  const base::Status failed = in_transaction(*database, [&]() -> base::Status {
    EXPECT_TRUE(database->execute("INSERT INTO weakspot_store (version) VALUES ($1)", {std::int64_t{0}}));
    return base::error("on purpose");
  });
  EXPECT_FALSE(failed);
  EXPECT_EQ(1, count());
  EXPECT_FALSE(in_transaction(*database, [&]() -> base::Status {
    EXPECT_TRUE(database->execute("INSERT INTO weakspot_store (version) VALUES ($1)", {std::int64_t{0}}));
    const auto wrong = database->execute("INSERT INTO weakspot_store (version) VALUES ($1)", {Parameter()});
    return wrong ? base::ok_status() : base::Status(wrong.errors());
  }));
  EXPECT_EQ(1, count());
}

TEST_P(OpenStoreTest, ForeignKeysAreKept) {
  const auto database = new_store();
  EXPECT_FALSE(database->run_script("INSERT INTO shard_records VALUES ('none', 0, 0, 7)"));
}

TEST_P(OpenStoreTest, KnowsTheTime) {
  const auto database = new_store();
  const base::Result<Time> now = database->now();
  ASSERT_TRUE(now);
  const auto here = std::chrono::time_point_cast<Duration>(std::chrono::system_clock::now());
  EXPECT_LT(std::chrono::abs(here - *now), std::chrono::seconds(10));
  EXPECT_GT(*database->size(), 0);
}

TEST(OpenStore, TellsAStoreFromAnotherFile) {
  EXPECT_TRUE(looks_like_store("postgresql://host/name"));
  EXPECT_FALSE(looks_like_store("/no/such/file"));
  EXPECT_FALSE(looks_like_store("/dev/null"));
}

}  // namespace
}  // namespace weakspot::store::open_store_test
