// SPDX-License-Identifier: MIT
// A database of SQLite in a file of its own, for as long as the test runs.
#pragma once

#include <sqlite3.h>

#include <filesystem>
#include <stdexcept>
#include <string>

#include "base/temporary_folder.h"

namespace weakspot::support {

class SqliteDatabase {
 public:
  explicit SqliteDatabase(const std::string& statements, const std::string& name = "results.db")
      : path_((folder_.path() / name).string()) {
    sqlite3* database = nullptr;
    const bool done = sqlite3_open(path_.c_str(), &database) == SQLITE_OK &&
                      sqlite3_exec(database, statements.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
    const std::string reason = done ? "" : sqlite3_errmsg(database);
    sqlite3_close(database);
    if (!done) throw std::runtime_error(reason);
  }

  const std::string& path() const { return path_; }

 private:
  base::TemporaryFolder folder_;
  std::string path_;
};

}  // namespace weakspot::support
