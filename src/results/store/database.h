// SPDX-License-Identifier: MIT
// A thin layer over the two databases that a store can live in: a file of SQLite, or a server of PostgreSQL.
//
// A statement is one text for both: its parameters are $1, $2 and so on, and no value is ever written into the text.
// Each text is prepared once per connection. Rows come back as texts. A Database belongs to one thread at a time, and
// must not be used in a forked child.
//
// Errors are one line that names the store and the reason. They are of kind `environment` (a full disk, a file that may
// not be written, a store locked by another process, a server that does not answer), or of kind `bad_input` where the
// place is not a store. After an error nothing of the transaction has happened.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "base/result.h"
#include "store/row.h"

namespace weakspot::store {

// A moment, and a stretch of time.
using Time = std::chrono::sys_time<std::chrono::milliseconds>;
using Duration = std::chrono::milliseconds;

using Parameter = std::variant<std::monostate, std::int64_t, double, std::string>;
using Parameters = std::vector<Parameter>;

enum class Engine : std::uint8_t { sqlite, postgresql };

enum class Access : std::uint8_t {
  read,    // a store that exists; nothing is written
  write,   // a store that exists; an older version is brought up to date
  create,  // the same, and a missing store is made
};

class Database {
 public:
  virtual ~Database() = default;
  Database() = default;
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  virtual Engine engine() const = 0;
  // The path, or the address without a password.
  virtual const std::string& place() const = 0;

  // Runs one statement and gives the rows it returns.
  virtual base::Result<std::vector<Row>> query(std::string_view statement, const Parameters& parameters = {}) = 0;
  // Runs one statement and gives the number of rows it changed.
  virtual base::Result<std::int64_t> execute(std::string_view statement, const Parameters& parameters = {}) = 0;
  // Runs several statements without parameters, separated by semicolons: a schema.
  virtual base::Status run_script(const std::string& statements) = 0;

  // Used by in_transaction() below, which everything else should call. SQLite's transactions are immediate: a second
  // writer waits here and never later.
  virtual base::Status begin() = 0;
  virtual base::Status commit() = 0;
  virtual void roll_back() = 0;
  // True if the last error goes away when the transaction is tried again: two transactions were in each other's way.
  virtual bool may_try_again() const = 0;

  // The clock of the store, which all its agents share: the server's for PostgreSQL, this machine's for SQLite.
  virtual base::Result<Time> now() = 0;
  // The bytes that the store takes on its disk.
  virtual base::Result<std::int64_t> size() = 0;
  // The database's own checks: what is broken, a line each.
  virtual base::Result<std::vector<std::string>> check_integrity() = 0;
  // Gives unused space back to the disk.
  virtual base::Status vacuum() = 0;
};

// Does `work`, which returns a Result, within a transaction: all of it, or nothing. `work` may be called again when
// another transaction was in its way, so it must not change anything but the database before it returns.
template <typename Work>
std::invoke_result_t<Work&> in_transaction(Database& database, Work work) {
  constexpr int kTries = 20;
  for (int tries = 1;; ++tries) {
    if (base::Status begun = database.begin(); !begun) return begun.errors();
    std::invoke_result_t<Work&> result = work();
    if (result) {
      const base::Status done = database.commit();
      if (done) return result;
      result = done.errors();
    }
    const bool again = database.may_try_again() && tries < kTries;
    database.roll_back();
    if (!again) return result;
  }
}

// Inserts rows, many with one statement: a server is far away. `into` is the table with its columns, and `values` has
// their values one row after the other.
base::Status insert_rows(Database& database, std::string_view into, std::size_t columns, const Parameters& values);

// Checks that the database can keep these texts. Both databases refuse a text that only one of them would take: one
// with a NUL byte, or one that is not UTF-8.
base::Status check_texts(const std::string& place, const Parameters& parameters);

// The value of a field that a statement returned; 0 for NULL.
std::int64_t whole_of(const std::optional<std::string>& field);
double real_of(const std::optional<std::string>& field);
std::string text_of(const std::optional<std::string>& field);  // "" for NULL
Time time_of(const std::optional<std::string>& field);
Parameter parameter_of(Time time);
Parameter parameter_of(const std::string& text);  // NULL if empty

}  // namespace weakspot::store
