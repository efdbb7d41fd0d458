// SPDX-License-Identifier: MIT
#include "store/schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace weakspot::store {
namespace {

// Types that both databases know; SERIAL_KEY stands for a whole number that grows with each row.
constexpr std::string_view kVersions[] = {
    R"sql(
CREATE TABLE weakspot_store (version BIGINT NOT NULL);

CREATE TABLE records (
  id SERIAL_KEY,
  hash TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  test TEXT,
  test_hash TEXT,
  device TEXT,
  device_class TEXT,
  environment TEXT,
  model TEXT,
  time TEXT,
  campaign TEXT,
  document TEXT NOT NULL
);
CREATE INDEX records_by_test ON records (test);
CREATE INDEX records_by_test_hash ON records (test_hash);
CREATE INDEX records_by_campaign ON records (campaign);
CREATE INDEX records_by_time ON records (time);

CREATE TABLE campaigns (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  document TEXT NOT NULL,
  plan TEXT NOT NULL,
  paused BIGINT NOT NULL,
  created BIGINT NOT NULL
);

CREATE TABLE shards (
  campaign TEXT NOT NULL REFERENCES campaigns (id),
  position BIGINT NOT NULL,
  id TEXT NOT NULL,
  device_class TEXT NOT NULL,
  seconds DOUBLE PRECISION NOT NULL,
  document TEXT NOT NULL,
  state TEXT NOT NULL,
  free_at BIGINT,
  attempt BIGINT NOT NULL,
  failures BIGINT NOT NULL,
  expired BIGINT NOT NULL,
  agent TEXT,
  device TEXT,
  test TEXT,
  reason TEXT,
  claimed_at BIGINT,
  finished_at BIGINT,
  spent DOUBLE PRECISION,
  PRIMARY KEY (campaign, position),
  UNIQUE (campaign, id)
);
CREATE INDEX shards_by_freedom ON shards (campaign, device_class, free_at, position) WHERE free_at IS NOT NULL;
CREATE INDEX shards_by_end ON shards (campaign, finished_at) WHERE finished_at IS NOT NULL;

CREATE TABLE shard_records (
  campaign TEXT NOT NULL,
  position BIGINT NOT NULL,
  number BIGINT NOT NULL,
  record BIGINT NOT NULL REFERENCES records (id),
  PRIMARY KEY (campaign, position, number),
  FOREIGN KEY (campaign, position) REFERENCES shards (campaign, position)
);

CREATE TABLE device_failures (
  device TEXT NOT NULL,
  campaign TEXT NOT NULL,
  position BIGINT NOT NULL,
  PRIMARY KEY (device, campaign, position),
  FOREIGN KEY (campaign, position) REFERENCES shards (campaign, position)
);
CREATE TABLE quarantined_devices (
  device TEXT NOT NULL PRIMARY KEY,
  test TEXT,
  reason TEXT NOT NULL,
  since BIGINT NOT NULL
);

CREATE TABLE submissions (
  id TEXT NOT NULL PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,
  token_hash TEXT NOT NULL,
  state TEXT NOT NULL,
  vendor TEXT NOT NULL,
  architecture TEXT NOT NULL,
  device TEXT NOT NULL,
  received BIGINT NOT NULL,
  document TEXT NOT NULL
);
CREATE INDEX submissions_by_token ON submissions (token_hash);
CREATE INDEX submissions_by_state ON submissions (state, received);

CREATE TABLE submission_rows (
  submission TEXT NOT NULL REFERENCES submissions (id) ON DELETE CASCADE,
  number BIGINT NOT NULL,
  test TEXT NOT NULL,
  test_hash TEXT NOT NULL,
  environment TEXT NOT NULL,
  instances BIGINT NOT NULL,
  sequential BIGINT NOT NULL,
  interleaved BIGINT NOT NULL,
  weak BIGINT NOT NULL,
  forbidden BIGINT NOT NULL,
  unknown BIGINT NOT NULL,
  seconds DOUBLE PRECISION NOT NULL,
  PRIMARY KEY (submission, number)
);
CREATE INDEX submission_rows_by_test ON submission_rows (test_hash);

CREATE TABLE deleted_submissions (id TEXT NOT NULL PRIMARY KEY);

CREATE TABLE rejected_submissions (
  id SERIAL_KEY,
  reason TEXT NOT NULL,
  received BIGINT NOT NULL,
  document TEXT NOT NULL
);

INSERT INTO weakspot_store (version) VALUES (1);
)sql",
    R"sql(
CREATE TABLE agent_tokens (
  name TEXT NOT NULL PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,
  created BIGINT NOT NULL
);

UPDATE weakspot_store SET version = 2;
)sql",
};

std::string for_engine(std::string_view script, Engine engine) {
  constexpr std::string_view kKey = "SERIAL_KEY";
  const std::string_view type = engine == Engine::sqlite ? "INTEGER PRIMARY KEY AUTOINCREMENT"
                                                         : "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY";
  std::string text(script);
  for (std::size_t at = text.find(kKey); at != std::string::npos; at = text.find(kKey, at + type.size())) {
    text.replace(at, kKey.size(), type);
  }
  return text;
}

base::Result<std::vector<Row>> tables(Database& database) {
  return database.query(database.engine() == Engine::sqlite
                            ? "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' "
                              "ESCAPE '\\'"
                            : "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()");
}

base::Diagnostic newer(const Database& database, int version) {
  return base::error_in(database.place(),
                        fmt::format("the store has version {}, and this program knows versions up to {}: use a newer "
                                    "weakspot",
                                    version, schema_version()));
}

}  // namespace

int schema_version() { return static_cast<int>(std::size(kVersions)); }

base::Result<bool> has_store_tables(Database& database) {
  const base::Result<std::vector<Row>> found = tables(database);
  if (!found) return found.errors();
  return std::any_of(found->begin(), found->end(), [](const Row& row) { return text_of(row[0]) == "weakspot_store"; });
}

base::Result<int> stored_version(Database& database) {
  const base::Result<std::vector<Row>> found = tables(database);
  if (!found) return found.errors();
  if (found->empty()) return 0;
  const base::Result<bool> ours = has_store_tables(database);
  if (!ours) return ours.errors();
  if (!*ours) return base::error_in(database.place(), "this database is not a store of weakspot");
  const base::Result<std::vector<Row>> rows = database.query("SELECT max(version) FROM weakspot_store");
  if (!rows) return rows.errors();
  const int version = static_cast<int>(whole_of(rows->at(0).at(0)));
  if (version > schema_version()) return newer(database, version);
  return version;
}

base::Status migrate(Database& database) {
  return in_transaction(database, [&]() -> base::Status {
    if (database.engine() == Engine::postgresql) {
      // Two programs that make the same store wait for each other. The number is the bytes of "weakspot".
      const auto locked = database.query("SELECT pg_advisory_xact_lock(8603389777287343988)");
      if (!locked) return locked.errors();
    }
    const base::Result<int> version = stored_version(database);
    if (!version) return version.errors();
    for (int next = *version; next < schema_version(); ++next) {
      if (base::Status made = database.run_script(for_engine(kVersions[next], database.engine())); !made) return made;
    }
    return base::ok_status();
  });
}

}  // namespace weakspot::store
