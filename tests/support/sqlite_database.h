// SPDX-License-Identifier: MIT
// A database of SQLite in a file of its own, for as long as the test runs.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

#include "store/sqlite/sqlite_library.h"
#include "system/temporary_folder.h"

namespace weakspot::support {

class SqliteDatabase {
 public:
  explicit SqliteDatabase(const std::string& statements, const std::string& name = "results.db")
      : path_((folder_.path() / name).string()) {
    if (!store::load_sqlite()) throw std::runtime_error("SQLite cannot be opened");
    sqlite3* database = nullptr;
    constexpr int kFlags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    const bool done = store::sqlite3_open_v2(path_.c_str(), &database, kFlags, nullptr) == SQLITE_OK &&
                      store::sqlite3_exec(database, statements.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
    const std::string reason = done ? "" : store::sqlite3_errmsg(database);
    store::sqlite3_close(database);
    if (!done) throw std::runtime_error(reason);
  }

  const std::string& path() const { return path_; }

 private:
  base::TemporaryFolder folder_;
  std::string path_;
};

}  // namespace weakspot::support
