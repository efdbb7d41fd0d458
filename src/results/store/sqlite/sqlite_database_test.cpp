// SPDX-License-Identifier: MIT
#include "store/sqlite/sqlite_database.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "store/open_store.h"
#include "store/result_store.h"
#include "system/temporary_folder.h"

namespace weakspot::store::sqlite_database_test {
namespace {

class SqliteStoreTest : public testing::Test {
 protected:
  std::string path(const std::string& name) { return (folder_.path() / name).string(); }
  std::unique_ptr<Database> open(const std::string& file, Duration patience = Duration(10'000)) {
    base::Result<std::unique_ptr<Database>> database = open_store(file, Access::create, patience);
    EXPECT_TRUE(database) << base::render(database.errors());
    return *std::move(database);
  }
  base::TemporaryFolder folder_;
};

std::vector<Record> records(int count, std::size_t size) {
  std::vector<Record> made;
  made.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) made.push_back({.document = std::to_string(i) + std::string(size, ' ')});
  return made;
}

TEST_F(SqliteStoreTest, CommitsWaitForTheDiskAndForeignKeysHold) {
  const auto database = open(path("s.db"));
  EXPECT_EQ("wal", text_of(database->query("PRAGMA journal_mode")->at(0).at(0)));
  EXPECT_EQ("2", text_of(database->query("PRAGMA synchronous")->at(0).at(0)));
  EXPECT_EQ("1", text_of(database->query("PRAGMA foreign_keys")->at(0).at(0)));
}

TEST_F(SqliteStoreTest, AFullDiskLosesNothing) {
  const std::string file = path("s.db");
  const auto database = open(file);
  ResultStore store(*database);
  ASSERT_TRUE(store.add(records(1, 10)));
  ASSERT_TRUE(database->run_script("PRAGMA max_page_count = 40"));
  const base::Result<Added> full = store.add(records(100, 10'000));
  ASSERT_FALSE(full);
  EXPECT_EQ(file + ": error: the disk is full: nothing of this was stored\n", base::render(full.errors()));
  EXPECT_EQ(base::ErrorKind::environment, base::kind_of(full.errors()));
  EXPECT_EQ(1, *store.count());
  ASSERT_TRUE(database->run_script("PRAGMA max_page_count = 100000"));
  EXPECT_TRUE(store.add(records(100, 10'000)));
}

TEST_F(SqliteStoreTest, AFolderThatCannotBeWrittenIsNamed) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write every folder";
  ASSERT_EQ(0, ::chmod(folder_.path().c_str(), 0500));
  EXPECT_EQ(
      path("s.db") + ": error: the folder '" + folder_.path().string() + "' may only be read: nothing was stored\n",
      base::render(open_store(path("s.db"), Access::create).errors()));
  ASSERT_EQ(0, ::chmod(folder_.path().c_str(), 0700));
}

TEST_F(SqliteStoreTest, ALockedStoreIsNamed) {
  const std::string file = path("s.db");
  const auto first = open(file);
  const auto second = open(file, Duration(50));
  ASSERT_TRUE(first->begin());
  const base::Result<Added> locked = ResultStore(*second).add(records(1, 1));
  ASSERT_FALSE(locked);
  EXPECT_EQ(file + ": error: another process has locked the store for more than 0.05 s\n",
            base::render(locked.errors()));
  EXPECT_EQ(0, *ResultStore(*second).count());
  first->roll_back();
  EXPECT_TRUE(ResultStore(*second).add(records(1, 1)));
}

TEST_F(SqliteStoreTest, AFileThatIsNotADatabaseStaysAsItIs) {
  const std::string file = path("text.db");
  const std::string text(5000, 'x');
  ASSERT_TRUE(base::write_file(file, text));
  const auto refused = open_store(file, Access::create);
  ASSERT_FALSE(refused);
  EXPECT_EQ(file + ": error: not a database of SQLite\n", base::render(refused.errors()));
  EXPECT_EQ(text, *base::read_file(file));
}

TEST_F(SqliteStoreTest, MissingPlaces) {
  EXPECT_EQ(path("none.db") + ": error: no such store\n",
            base::render(open_store(path("none.db"), Access::write).errors()));
  EXPECT_EQ("/no/such/s.db: error: there is no folder '/no/such'\n",
            base::render(open_store("/no/such/s.db", Access::create).errors()));
}

TEST_F(SqliteStoreTest, AReadOnlyFileCanBeRead) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write every file";
  const std::string file = path("s.db");
  ASSERT_TRUE(ResultStore(*open(file)).add(records(1, 10)));
  ASSERT_EQ(0, ::chmod(file.c_str(), 0400));
  ASSERT_EQ(0, ::chmod(folder_.path().c_str(), 0500));
  const auto reading = open_store(file, Access::read);
  ASSERT_TRUE(reading) << base::render(reading.errors());
  EXPECT_EQ(1, *ResultStore(**reading).count());
  const auto writing = open_store(file, Access::write);
  ASSERT_FALSE(writing);
  ASSERT_EQ(0, ::chmod(folder_.path().c_str(), 0700));
}

}  // namespace
}  // namespace weakspot::store::sqlite_database_test
