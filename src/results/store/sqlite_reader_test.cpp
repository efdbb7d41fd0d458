// SPDX-License-Identifier: MIT
#include "store/sqlite_reader.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "support/sqlite_database.h"
#include "system/temporary_folder.h"

namespace weakspot::store {
namespace {

TEST(SqliteReader, GivesRowsAsTexts) {
  const support::SqliteDatabase database(
      "CREATE TABLE t (a TEXT, b INTEGER, c REAL); INSERT INTO t VALUES ('x', 7, 0.5), (NULL, 8, ''), ('', NULL, 2);");
  const base::Result<QueryResult> result = query_sqlite(database.path(), "SELECT * FROM t");
  ASSERT_TRUE(result) << base::render(result.errors());
  EXPECT_EQ((std::vector<std::string>{"a", "b", "c"}), result->columns);
  EXPECT_EQ((std::vector<Row>{{"x", "7", "0.5"}, {std::nullopt, "8", ""}, {"", std::nullopt, "2.0"}}), result->rows);
}

TEST(SqliteReader, ErrorsNameTheFile) {
  const support::SqliteDatabase database("CREATE TABLE t (a TEXT);");
  const base::Result<QueryResult> none = query_sqlite(database.path(), "SELECT * FROM other");
  ASSERT_FALSE(none);
  EXPECT_EQ(database.path() + ": error: SQLite cannot read this file: no such table: other\n",
            base::render(none.errors()));
  const base::TemporaryFolder folder;
  const std::string odd = (folder.path() / "odd.db").string();
  ASSERT_TRUE(base::write_file(odd,
                               "SQLite format 3, or so it says, and then the rest of the header is missing........"
                               "................................................................................"));
  EXPECT_FALSE(query_sqlite(odd, "SELECT 1 FROM t"));
  EXPECT_FALSE(query_sqlite((folder.path() / "none.db").string(), "SELECT 1"));
}

}  // namespace
}  // namespace weakspot::store
