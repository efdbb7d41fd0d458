// SPDX-License-Identifier: MIT
#include "store/postgres/postgres_database.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "store/connection/address.h"
#include "store/postgres/postgres_library.h"

namespace weakspot::store {
namespace {

struct FreePostgres {
  void operator()(PGconn* connection) const { PQfinish(connection); }
  void operator()(PGresult* result) const { PQclear(result); }
};
using PostgresHandle = std::unique_ptr<PGconn, FreePostgres>;
using PostgresResult = std::unique_ptr<PGresult, FreePostgres>;

// SQLSTATE values; see appendix A of the manual of PostgreSQL.
constexpr std::string_view kSerializationFailure = "40001";
constexpr std::string_view kDeadlock = "40P01";
constexpr std::string_view kLockNotAvailable = "55P03";
constexpr std::string_view kDiskFull = "53100";
constexpr std::string_view kReadOnly = "25006";

// The time for which the server's clock is known after it was asked: two clocks do not drift apart in that time.
constexpr std::chrono::seconds kTimeIsKnown{1};

// The first line of a message: the reason. The others are hints for administrators.
std::string first_line(const char* message) {
  std::string_view text(message);
  text = text.substr(0, text.find('\n'));
  for (const std::string_view prefix : {"ERROR:  ", "FATAL:  "}) {
    if (text.starts_with(prefix)) text.remove_prefix(prefix.size());
  }
  return std::string(text);
}

std::string state_of(const PGresult* result) {
  const char* state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
  return state == nullptr ? "" : state;
}

// The parameters as texts; libpq takes pointers to them.
class PostgresValues {
 public:
  explicit PostgresValues(const Parameters& parameters) : texts_(parameters.size()) {
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const Parameter& parameter = parameters[i];
      if (const auto* whole = std::get_if<std::int64_t>(&parameter)) texts_[i] = fmt::format("{}", *whole);
      if (const auto* real = std::get_if<double>(&parameter)) texts_[i] = fmt::format("{}", *real);
      const auto* text = std::get_if<std::string>(&parameter);
      const char* own = std::holds_alternative<std::monostate>(parameter) ? nullptr : texts_[i].c_str();
      pointers_.push_back(text != nullptr ? text->c_str() : own);
    }
  }
  int size() const { return static_cast<int>(pointers_.size()); }
  const char* const* data() const { return pointers_.data(); }

 private:
  std::vector<std::string> texts_;
  std::vector<const char*> pointers_;
};

class PostgresStore final : public Database {
 public:
  PostgresStore(std::string place, PostgresHandle handle, Access access, Duration patience)
      : place_(std::move(place)), handle_(std::move(handle)), access_(access), patience_(patience) {}

  Engine engine() const override { return Engine::postgresql; }
  const std::string& place() const override { return place_; }

  // Prepares a new connection.
  base::Status set_up() {
    statements_.clear();
    PQsetNoticeProcessor(handle_.get(), [](void*, const char*) {}, nullptr);
    PQsetClientEncoding(handle_.get(), "UTF8");
    return run_now(fmt::format("SET lock_timeout = {}; SET default_transaction_read_only = {}", patience_.count(),
                               access_ == Access::read ? "on" : "off"));
  }

  base::Result<std::vector<Row>> query(std::string_view text, const Parameters& parameters) override {
    const base::Result<PostgresResult> result = run(text, parameters);
    if (!result) return result.errors();
    const PGresult* answer = result->get();
    std::vector<Row> rows(static_cast<std::size_t>(PQntuples(answer)));
    const int columns = PQnfields(answer);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const int line = static_cast<int>(i);
      for (int column = 0; column < columns; ++column) {
        rows[i].push_back(
            PQgetisnull(answer, line, column) != 0
                ? std::nullopt
                : std::optional(std::string(PQgetvalue(answer, line, column),
                                            static_cast<std::size_t>(PQgetlength(answer, line, column)))));
      }
    }
    return rows;
  }

  base::Result<std::int64_t> execute(std::string_view text, const Parameters& parameters) override {
    const base::Result<PostgresResult> result = run(text, parameters);
    if (!result) return result.errors();
    return whole_of(std::string(PQcmdTuples(result->get())));
  }

  base::Status run_script(const std::string& statements) override {
    if (base::Status connected = connect_again(); !connected) return connected;
    return run_now(statements);
  }

  base::Status begin() override {
    base::Status begun = run_script("BEGIN");
    // Nothing has happened yet: a server that was restarted since the last call is simply asked again.
    if (!begun && PQstatus(handle_.get()) != CONNECTION_OK) begun = run_script("BEGIN");
    within_ = begun.ok();
    return begun;
  }

  base::Status commit() override {
    within_ = false;
    const PostgresResult result(PQexec(handle_.get(), "COMMIT"));
    if (base::Status done = check(result.get()); !done) return done;
    // A transaction in which something failed ends, but not as it was asked to.
    if (std::string_view(PQcmdStatus(result.get())) != "COMMIT") {
      return base::error_in(place_, "the transaction failed: nothing of it was stored", base::ErrorKind::environment);
    }
    return base::ok_status();
  }

  void roll_back() override {
    within_ = false;
    if (PQtransactionStatus(handle_.get()) != PQTRANS_IDLE && PQstatus(handle_.get()) == CONNECTION_OK) {
      const PostgresResult ignored(PQexec(handle_.get(), "ROLLBACK"));
    }
  }

  bool may_try_again() const override { return state_ == kSerializationFailure || state_ == kDeadlock; }

  // The server is asked now and then, and this machine counts in between: agents want to know before every claim.
  base::Result<Time> now() override {
    using std::chrono::steady_clock;
    if (const auto passed = steady_clock::now() - asked_at_; asked_ && passed < kTimeIsKnown) {
      return *asked_ + std::chrono::duration_cast<Duration>(passed);
    }
    const base::Result<Time> answer = number<Time>("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint");
    if (!answer) return answer.errors();
    asked_at_ = steady_clock::now();
    asked_ = *answer;
    return *answer;
  }
  base::Result<std::int64_t> size() override {
    return number<std::int64_t>("SELECT pg_database_size(current_database())");
  }
  // The server checks foreign keys with every change, and pages with every read if the cluster has checksums.
  base::Result<std::vector<std::string>> check_integrity() override { return std::vector<std::string>(); }
  base::Status vacuum() override { return run_script("VACUUM (ANALYZE)"); }

 private:
  template <typename Number>
  base::Result<Number> number(std::string_view text) {
    const base::Result<std::vector<Row>> rows = query(text, {});
    if (!rows) return rows.errors();
    if constexpr (std::is_same_v<Number, Time>) {
      return time_of(rows->at(0).at(0));
    } else {
      return whole_of(rows->at(0).at(0));
    }
  }

  base::Status connect_again() {
    if (PQstatus(handle_.get()) == CONNECTION_OK) return base::ok_status();
    if (within_) return lost();
    PQreset(handle_.get());
    if (PQstatus(handle_.get()) != CONNECTION_OK) return lost();
    return set_up();
  }

  base::Diagnostic lost() const {
    return base::error_in(place_, fmt::format("PostgreSQL: {}", first_line(PQerrorMessage(handle_.get()))),
                          base::ErrorKind::environment);
  }

  base::Status run_now(const std::string& statements) {
    const PostgresResult result(PQexec(handle_.get(), statements.c_str()));
    return check(result.get());
  }

  base::Result<PostgresResult> run(std::string_view text, const Parameters& parameters) {
    if (base::Status fine = check_texts(place_, parameters); !fine) return fine.errors();
    if (base::Status connected = connect_again(); !connected) return connected.errors();
    auto found = statements_.find(text);
    if (found == statements_.end()) {
      const std::string name = fmt::format("s{}", statements_.size());
      const PostgresResult made(PQprepare(handle_.get(), name.c_str(), std::string(text).c_str(), 0, nullptr));
      if (base::Status prepared = check(made.get()); !prepared) return prepared.errors();
      found = statements_.emplace(std::string(text), name).first;
    }
    const PostgresValues values(parameters);
    PostgresResult result(
        PQexecPrepared(handle_.get(), found->second.c_str(), values.size(), values.data(), nullptr, nullptr, 0));
    if (base::Status done = check(result.get()); !done) return done.errors();
    return result;
  }

  base::Status check(const PGresult* result) {
    const ExecStatusType status = PQresultStatus(result);
    state_.clear();
    if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK) return base::ok_status();
    state_ = state_of(result);
    using enum base::ErrorKind;
    if (state_ == kDiskFull) {
      return base::error_in(place_, "the server's disk is full: nothing of this was stored", environment);
    }
    if (state_ == kReadOnly)
      return base::error_in(place_, "the store may only be read: nothing was stored", environment);
    if (state_ == kLockNotAvailable) {
      return base::error_in(
          place_,
          fmt::format("another process has locked the store for more than {:g} s", double(patience_.count()) / 1000),
          environment);
    }
    const char* message = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
    return base::error_in(
        place_, fmt::format("PostgreSQL: {}", first_line(message == nullptr ? PQerrorMessage(handle_.get()) : message)),
        environment);
  }

  std::string place_;
  PostgresHandle handle_;
  Access access_;
  Duration patience_;
  bool within_ = false;                                         // a transaction
  std::optional<Time> asked_;                                   // the server's time
  std::chrono::steady_clock::time_point asked_at_;              // this machine's
  std::string state_;                                           // SQLSTATE of the last error
  std::map<std::string, std::string, std::less<>> statements_;  // text to name, on this connection
};

}  // namespace

base::Result<std::unique_ptr<Database>> open_postgres(const std::string& address, Access access, Duration patience) {
  if (base::Status loaded = load_libpq(); !loaded) return loaded.errors();
  const std::string place = without_password(address);
  PostgresHandle handle(PQconnectdb(address.c_str()));
  if (PQstatus(handle.get()) != CONNECTION_OK) {
    return base::error_in(place, fmt::format("PostgreSQL: {}", first_line(PQerrorMessage(handle.get()))),
                          base::ErrorKind::environment);
  }
  auto store = std::make_unique<PostgresStore>(place, std::move(handle), access, patience);
  if (base::Status ready = store->set_up(); !ready) return ready.errors();
  return std::unique_ptr<Database>(std::move(store));
}

}  // namespace weakspot::store
