// SPDX-License-Identifier: MIT
#include "store/sqlite_reader.h"

#include <fmt/format.h>

#include <memory>

#include "store/sqlite/sqlite_library.h"

namespace weakspot::store {
namespace {

struct Close {
  void operator()(sqlite3* database) const { sqlite3_close(database); }
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using ReaderHandle = std::unique_ptr<sqlite3, Close>;
using ReaderStatement = std::unique_ptr<sqlite3_stmt, Close>;

base::Diagnostic failed(const std::string& file, sqlite3* database) {
  return base::error_in(file, fmt::format("SQLite cannot read this file: {}", sqlite3_errmsg(database)));
}

std::optional<std::string> column_text(sqlite3_stmt* statement, int column) {
  if (sqlite3_column_type(statement, column) == SQLITE_NULL) return std::nullopt;
  const void* bytes = sqlite3_column_blob(statement, column);
  const int size = sqlite3_column_bytes(statement, column);
  return bytes == nullptr ? std::string()
                          : std::string(static_cast<const char*>(bytes), static_cast<std::size_t>(size));
}

}  // namespace

base::Result<QueryResult> query_sqlite(const std::string& file, const std::string& query) {
  if (base::Status loaded = load_sqlite(); !loaded) return loaded.errors();
  sqlite3* opened = nullptr;
  const int code = sqlite3_open_v2(file.c_str(), &opened, SQLITE_OPEN_READONLY, nullptr);
  const ReaderHandle database(opened);
  if (code != SQLITE_OK) return failed(file, opened);
  sqlite3_stmt* prepared = nullptr;
  if (sqlite3_prepare_v2(opened, query.c_str(), static_cast<int>(query.size()), &prepared, nullptr) != SQLITE_OK) {
    return failed(file, opened);
  }
  const ReaderStatement statement(prepared);
  QueryResult result;
  const int columns = sqlite3_column_count(prepared);
  for (int column = 0; column < columns; ++column) result.columns.emplace_back(sqlite3_column_name(prepared, column));
  int step = sqlite3_step(prepared);
  for (; step == SQLITE_ROW; step = sqlite3_step(prepared)) {
    Row& row = result.rows.emplace_back();
    for (int column = 0; column < columns; ++column) row.push_back(column_text(prepared, column));
  }
  if (step != SQLITE_DONE) return failed(file, opened);
  return result;
}

}  // namespace weakspot::store
