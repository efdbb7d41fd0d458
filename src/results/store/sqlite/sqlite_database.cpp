// SPDX-License-Identifier: MIT
#include "store/sqlite/sqlite_database.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <map>
#include <thread>
#include <utility>

#include "base/file.h"
#include "store/sqlite/sqlite_library.h"

namespace weakspot::store {
namespace {

struct CloseSqlite {
  void operator()(sqlite3* database) const { sqlite3_close_v2(database); }
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using SqliteHandle = std::unique_ptr<sqlite3, CloseSqlite>;
using SqliteStatement = std::unique_ptr<sqlite3_stmt, CloseSqlite>;

// Looks for the cause behind SQLite's errors of the disk, or of a log that it cannot make: SQLite only passes it on.
int error_code(const std::string& file, sqlite3* database) {
  const int code = sqlite3_errcode(database) & 0xff;
  if (code != SQLITE_CANTOPEN && code != SQLITE_IOERR) return code;
  const int reason = sqlite3_system_errno(database);
  if (reason == ENOSPC || reason == EDQUOT) return SQLITE_FULL;
  const bool exists = ::access(file.c_str(), F_OK) == 0;
  return exists && ::access(file.c_str(), W_OK) != 0 ? SQLITE_READONLY : code;
}

// A store and its log need a folder that can be written.
std::string folder_problem(const std::string& file) {
  const std::filesystem::path named = std::filesystem::path(file).parent_path();
  const std::filesystem::path folder = named.empty() ? "." : named;
  if (!base::exists(folder)) return fmt::format("there is no folder '{}'", folder.string());
  if (::access(folder.c_str(), W_OK) == 0) return {};
  return fmt::format("the folder '{}' may only be read: nothing was stored", folder.string());
}

// One line for a person: what is wrong with the file, as far as SQLite knows.
base::Diagnostic sqlite_error(const std::string& file, sqlite3* database, Duration patience) {
  using enum base::ErrorKind;
  switch (error_code(file, database)) {
    case SQLITE_FULL:
      return base::error_in(file, "the disk is full: nothing of this was stored", environment);
    case SQLITE_READONLY:
      return base::error_in(file, "the store may only be read: nothing was stored", environment);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return base::error_in(
          file,
          fmt::format("another process has locked the store for more than {:g} s", double(patience.count()) / 1000),
          environment);
    case SQLITE_NOTADB:
      return base::error_in(file, "not a database of SQLite");
    case SQLITE_CORRUPT:
      return base::error_in(file, fmt::format("the database is damaged: {}", sqlite3_errmsg(database)), environment);
    case SQLITE_CANTOPEN:
      // SQLite reports the last of its tries, which says nothing about the folder.
      if (const std::string problem = folder_problem(file); !problem.empty()) {
        return base::error_in(file, problem, environment);
      }
      [[fallthrough]];
    case SQLITE_IOERR: {
      const int reason = sqlite3_system_errno(database);
      return base::error_in(file,
                            fmt::format("SQLite: {}{}{}", sqlite3_errmsg(database), reason == 0 ? "" : ": ",
                                        reason == 0 ? "" : std::strerror(reason)),
                            environment);
    }
    default:
      return base::error_in(file, fmt::format("SQLite: {}", sqlite3_errmsg(database)), environment);
  }
}

std::optional<std::string> sqlite_field(sqlite3_stmt* statement, int column) {
  if (sqlite3_column_type(statement, column) == SQLITE_NULL) return std::nullopt;
  const unsigned char* text = sqlite3_column_text(statement, column);
  const int size = sqlite3_column_bytes(statement, column);
  return std::string(reinterpret_cast<const char*>(text), static_cast<std::size_t>(size));
}

int bind_sqlite(sqlite3_stmt* statement, int index, const Parameter& parameter) {
  if (const auto* whole = std::get_if<std::int64_t>(&parameter)) return sqlite3_bind_int64(statement, index, *whole);
  if (const auto* real = std::get_if<double>(&parameter)) return sqlite3_bind_double(statement, index, *real);
  if (const auto* text = std::get_if<std::string>(&parameter)) {
    return sqlite3_bind_text64(statement, index, text->data(), text->size(), SQLITE_STATIC, SQLITE_UTF8);
  }
  return sqlite3_bind_null(statement, index);
}

// SQLite numbers parameters as they come in the text; $2 may come before $1, and $3 be missing (0).
int parameter_index(sqlite3_stmt* statement, std::size_t number) {
  const std::string name = fmt::format("${}", number);
  const int usual = static_cast<int>(number);
  const char* there = sqlite3_bind_parameter_name(statement, usual);  // looked up by name, many would be slow
  return there != nullptr && name == there ? usual : sqlite3_bind_parameter_index(statement, name.c_str());
}

class SqliteStore final : public Database {
 public:
  SqliteStore(std::string file, SqliteHandle handle, Access access, Duration patience)
      : file_(std::move(file)), handle_(std::move(handle)), access_(access), patience_(patience) {
    sqlite3_busy_handler(handle_.get(), wait_for_others, this);
  }

  Engine engine() const override { return Engine::sqlite; }
  const std::string& place() const override { return file_; }

  base::Result<std::vector<Row>> query(std::string_view text, const Parameters& parameters) override {
    base::Result<sqlite3_stmt*> statement = prepared(text, parameters);
    if (!statement) return statement.errors();
    std::vector<Row> rows;
    int step = sqlite3_step(*statement);
    const int columns = sqlite3_column_count(*statement);
    for (; step == SQLITE_ROW; step = sqlite3_step(*statement)) {
      Row& row = rows.emplace_back();
      for (int column = 0; column < columns; ++column) row.push_back(sqlite_field(*statement, column));
    }
    if (base::Status ended = end(*statement, step); !ended) return ended.errors();
    return rows;
  }

  base::Result<std::int64_t> execute(std::string_view text, const Parameters& parameters) override {
    base::Result<sqlite3_stmt*> statement = prepared(text, parameters);
    if (!statement) return statement.errors();
    int step = SQLITE_ROW;
    while (step == SQLITE_ROW) step = sqlite3_step(*statement);
    const std::int64_t changed = sqlite3_changes64(handle_.get());
    if (base::Status ended = end(*statement, step); !ended) return ended.errors();
    return changed;
  }

  base::Status run_script(const std::string& statements) override {
    if (sqlite3_exec(handle_.get(), statements.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK) {
      return base::ok_status();
    }
    return error();
  }

  base::Status begin() override { return run_script(access_ == Access::read ? "BEGIN" : "BEGIN IMMEDIATE"); }
  base::Status commit() override { return run_script("COMMIT"); }
  void roll_back() override {
    if (sqlite3_get_autocommit(handle_.get()) == 0) static_cast<void>(run_script("ROLLBACK"));
  }
  // Whoever waited in vain for the lock would do so again.
  bool may_try_again() const override { return false; }

  base::Result<Time> now() override { return std::chrono::time_point_cast<Duration>(std::chrono::system_clock::now()); }

  base::Result<std::int64_t> size() override {
    const base::Result<std::vector<Row>> rows =
        query("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size", {});
    if (!rows) return rows.errors();
    return whole_of(rows->at(0).at(0));
  }

  base::Result<std::vector<std::string>> check_integrity() override {
    const base::Result<std::vector<Row>> pages = query("SELECT integrity_check FROM pragma_integrity_check", {});
    if (!pages) return pages.errors();
    std::vector<std::string> problems;
    for (const Row& row : *pages) {
      if (text_of(row[0]) != "ok") problems.push_back(text_of(row[0]));
    }
    const base::Result<std::vector<Row>> orphans =
        query("SELECT \"table\", parent, count(*) FROM pragma_foreign_key_check GROUP BY 1, 2 ORDER BY 1, 2", {});
    if (!orphans) return orphans.errors();
    for (const Row& row : *orphans) {
      problems.push_back(
          fmt::format("table {}: {} refer to missing rows of {}", text_of(row[0]), text_of(row[2]), text_of(row[1])));
    }
    return problems;
  }

  base::Status vacuum() override { return run_script("VACUUM; PRAGMA optimize; PRAGMA wal_checkpoint(TRUNCATE)"); }

 private:
  // SQLite's own handler soon asks only ten times a second. Where many processes write for milliseconds each, some of
  // them would wait in vain.
  static int wait_for_others(void* self, int tries) {
    auto* store = static_cast<SqliteStore*>(self);
    const auto now = std::chrono::steady_clock::now();
    if (tries == 0) store->waiting_since_ = now;
    if (now - store->waiting_since_ >= store->patience_) return 0;
    std::this_thread::sleep_for(std::chrono::milliseconds(std::min(tries + 1, 10)));
    return 1;
  }

  base::Diagnostic error() { return sqlite_error(file_, handle_.get(), patience_); }

  // The statement of this text with its parameters.
  base::Result<sqlite3_stmt*> prepared(std::string_view text, const Parameters& parameters) {
    if (base::Status fine = check_texts(file_, parameters); !fine) return fine.errors();
    auto found = statements_.find(text);
    if (found == statements_.end()) {
      sqlite3_stmt* made = nullptr;
      if (sqlite3_prepare_v3(handle_.get(), text.data(), static_cast<int>(text.size()), SQLITE_PREPARE_PERSISTENT,
                             &made, nullptr) != SQLITE_OK) {
        return error();
      }
      found = statements_.emplace(std::string(text), SqliteStatement(made)).first;
    }
    sqlite3_stmt* statement = found->second.get();
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const int index = parameter_index(statement, i + 1);
      if (index != 0 && bind_sqlite(statement, index, parameters[i]) != SQLITE_OK) return error();
    }
    return statement;
  }

  base::Status end(sqlite3_stmt* statement, int step) {
    base::Status status = step == SQLITE_DONE ? base::ok_status() : base::Status(error());
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    return status;
  }

  std::string file_;
  SqliteHandle handle_;
  Access access_;
  Duration patience_;
  std::chrono::steady_clock::time_point waiting_since_;
  std::map<std::string, SqliteStatement, std::less<>> statements_;  // ended before the handle closes
};

base::Result<SqliteHandle> open_handle(const std::string& file, const std::string& uri, int flags) {
  sqlite3* opened = nullptr;
  const int code = sqlite3_open_v2(uri.c_str(), &opened, flags | SQLITE_OPEN_URI, nullptr);
  SqliteHandle handle(opened);
  if (code != SQLITE_OK) return sqlite_error(file, opened, Duration(0));
  return handle;
}

std::string uri_of(const std::string& file) {
  std::string uri = "file:";
  for (const char c : file) {
    if (c == '%' || c == '?' || c == '#') {
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    } else {
      uri += c;
    }
  }
  return uri;
}

// A log needs files beside the store. Where none can be made, nobody writes, and SQLite need not look for changes.
bool on_read_only_disk(const std::string& file) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::path folder = base::absolute_path(file).parent_path();
  return ::access(folder.c_str(), W_OK) != 0 && !fs::exists(file + "-wal", ignored);
}

}  // namespace

base::Result<std::unique_ptr<Database>> open_sqlite(const std::string& file, Access access, Duration patience) {
  if (base::Status loaded = load_sqlite(); !loaded) return loaded.errors();
  if (access != Access::create && !base::exists(file)) {
    return base::error_in(file, "no such store");
  }
  int flags = SQLITE_OPEN_READWRITE;
  std::string uri = uri_of(file);
  if (access == Access::create) flags |= SQLITE_OPEN_CREATE;
  if (access == Access::read) {
    flags = SQLITE_OPEN_READONLY;
    if (on_read_only_disk(file)) uri += "?immutable=1";
  }
  base::Result<SqliteHandle> handle = open_handle(file, uri, flags);
  if (!handle) return handle.errors();
  auto store = std::make_unique<SqliteStore>(file, *std::move(handle), access, patience);
  base::Status ready =
      store->run_script("PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON; PRAGMA synchronous = FULL");
  if (ready && access != Access::read) ready = store->run_script("PRAGMA journal_mode = WAL");
  if (!ready) return ready.errors();
  return std::unique_ptr<Database>(std::move(store));
}

}  // namespace weakspot::store
