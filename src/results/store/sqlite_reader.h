// SPDX-License-Identifier: MIT
// Reads SQLite databases: a query gives its rows as texts. Only this module knows SQLite.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "store/row.h"

namespace weakspot::store {

struct QueryResult {
  std::vector<std::string> columns;
  std::vector<Row> rows;
};

// Opens the file for reading only, runs the query and closes it. Errors name the file and SQLite's reason.
base::Result<QueryResult> query_sqlite(const std::string& file, const std::string& query);

}  // namespace weakspot::store
