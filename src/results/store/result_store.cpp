// SPDX-License-Identifier: MIT
#include "store/result_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/sha256.h"

namespace weakspot::store {
namespace {

constexpr std::pair<RecordKind, std::string_view> kKindNames[] = {
    {RecordKind::run, "run"},     {RecordKind::tune_journal, "tune-journal"}, {RecordKind::tune, "tune"},
    {RecordKind::score, "score"}, {RecordKind::conform, "conform"},           {RecordKind::race, "race"},
};
constexpr RecordKind kKinds[] = {RecordKind::run,   RecordKind::tune_journal, RecordKind::tune,
                                 RecordKind::score, RecordKind::conform,      RecordKind::race};

constexpr std::string_view kColumns =
    "id, hash, kind, test, test_hash, device, device_class, environment, model, time, campaign, document";

StoredRecord record_of_row(const Row& row) {
  StoredRecord stored;
  stored.id = whole_of(row[0]);
  stored.hash = text_of(row[1]);
  stored.record = {.kind = record_kind_named(text_of(row[2])).value_or(RecordKind::run),
                   .test = text_of(row[3]),
                   .test_hash = text_of(row[4]),
                   .device = text_of(row[5]),
                   .device_class = text_of(row[6]),
                   .environment = text_of(row[7]),
                   .model = text_of(row[8]),
                   .time = text_of(row[9]),
                   .campaign = text_of(row[10]),
                   .document = text_of(row[11])};
  return stored;
}

// The end of a SELECT that takes what the filter takes, and its parameters.
class Where {
 public:
  explicit Where(const RecordFilter& filter) {
    if (filter.kind) add("kind = {0}", std::string(to_string(*filter.kind)));
    add("(test = {0} OR test_hash = {0})", filter.test);
    add("device = {0}", filter.device);
    add("device_class = {0}", filter.device_class);
    add("environment = {0}", filter.environment);
    add("model = {0}", filter.model);
    add("campaign = {0}", filter.campaign);
    add("time >= {0}", filter.since);
    add("time < {0}", filter.until);
  }

  // `condition` has {0} for the parameter.
  void add(std::string_view condition, Parameter parameter) {
    parameters_.push_back(std::move(parameter));
    text_ += text_.empty() ? " WHERE " : " AND ";
    text_ += fmt::format(fmt::runtime(condition), fmt::format("${}", parameters_.size()));
  }
  void add(std::string_view condition, const std::string& text) {
    if (!text.empty()) add(condition, Parameter(text));
  }

  const std::string& text() const { return text_; }
  const Parameters& parameters() const { return parameters_; }

 private:
  std::string text_;
  Parameters parameters_;
};

// Without a last line that its writer had not finished.
std::string_view whole_lines(std::string_view journal) { return journal.substr(0, journal.rfind('\n') + 1); }

bool continues(std::string_view longer, std::string_view shorter) { return longer.starts_with(whole_lines(shorter)); }

}  // namespace

bool is_record_time(std::string_view text) {
  constexpr std::string_view kForm = "0000-00-00T00:00:00Z";
  constexpr std::size_t kDate = 10;
  if (text.size() != kDate && text.size() != kForm.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool digit = text[i] >= '0' && text[i] <= '9';
    if (kForm[i] == '0' ? !digit : text[i] != kForm[i]) return false;
  }
  return true;
}

Added& Added::operator+=(const Added& more) {
  added += more.added;
  known += more.known;
  grown += more.grown;
  return *this;
}

std::string_view to_string(RecordKind kind) {
  return std::find_if(std::begin(kKindNames), std::end(kKindNames), [&](const auto& k) { return k.first == kind; })
      ->second;
}

std::optional<RecordKind> record_kind_named(std::string_view name) {
  for (const auto& [kind, known] : kKindNames) {
    if (known == name) return kind;
  }
  return std::nullopt;
}

std::string content_hash(std::string_view document) { return base::sha256_hex(document); }

// The record that has a version of this journal, brought up to date; nothing if none has. The first line of a journal
// says what is searched for.
base::Result<std::optional<std::int64_t>> ResultStore::grow_journal(const Record& record, Added& added) {
  const std::string first = record.document.substr(0, record.document.find('\n'));
  const base::Result<std::vector<Row>> versions = database_.query(
      fmt::format("SELECT id, document FROM records WHERE kind = $1 AND substr(document, 1, length($2)) = $2 "
                  "ORDER BY id{}",
                  database_.engine() == Engine::sqlite ? "" : " FOR UPDATE"),
      {std::string(to_string(RecordKind::tune_journal)), first});
  if (!versions) return versions.errors();
  for (const Row& row : *versions) {
    if (!continues(text_of(row[1]), record.document)) continue;
    ++added.known;
    return std::optional(whole_of(row[0]));
  }
  for (const Row& row : *versions) {
    if (!continues(record.document, text_of(row[1]))) continue;
    const base::Result<std::int64_t> grown = database_.execute(
        "UPDATE records SET hash = $1, document = $2, time = $3 WHERE id = $4",
        {content_hash(record.document), record.document, parameter_of(record.time), whole_of(row[0])});
    if (!grown) return grown.errors();
    ++added.grown;
    return std::optional(whole_of(row[0]));
  }
  return std::optional<std::int64_t>();
}

base::Result<std::int64_t> ResultStore::add_within(const Record& record, Added& added) {
  if (record.kind == RecordKind::tune_journal) {
    const base::Result<std::optional<std::int64_t>> version = grow_journal(record, added);
    if (!version) return version.errors();
    if (*version) return **version;
  }
  const std::string hash = content_hash(record.document);
  const base::Result<std::vector<Row>> made = database_.query(
      "INSERT INTO records (hash, kind, test, test_hash, device, device_class, environment, model, time, campaign, "
      "document) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT (hash) DO NOTHING RETURNING id",
      {hash, std::string(to_string(record.kind)), parameter_of(record.test), parameter_of(record.test_hash),
       parameter_of(record.device), parameter_of(record.device_class), parameter_of(record.environment),
       parameter_of(record.model), parameter_of(record.time), parameter_of(record.campaign), record.document});
  if (!made) return made.errors();
  if (!made->empty()) {
    ++added.added;
    return whole_of(made->at(0).at(0));
  }
  const base::Result<std::vector<Row>> known = database_.query("SELECT id FROM records WHERE hash = $1", {hash});
  if (!known) return known.errors();
  WEAKSPOT_CHECK(!known->empty());
  ++added.known;
  return whole_of(known->at(0).at(0));
}

base::Result<Added> ResultStore::add(std::span<const Record> records) {
  return in_transaction(database_, [&]() -> base::Result<Added> {
    Added added;
    for (const Record& record : records) {
      if (base::Result<std::int64_t> id = add_within(record, added); !id) return id.errors();
    }
    return added;
  });
}

base::Result<std::int64_t> ResultStore::count(const RecordFilter& filter) {
  const Where where(filter);
  const base::Result<std::vector<Row>> rows =
      database_.query("SELECT count(*) FROM records" + where.text(), where.parameters());
  if (!rows) return rows.errors();
  return whole_of(rows->at(0).at(0));
}

base::Result<std::vector<KindCount>> ResultStore::count_kinds() {
  // SQLite knows octet_length() only since version 3.43.
  const base::Result<std::vector<Row>> rows =
      database_.query(database_.engine() == Engine::sqlite
                          ? "SELECT kind, count(*), sum(length(CAST(document AS BLOB))) FROM records GROUP BY kind"
                          : "SELECT kind, count(*), sum(octet_length(document)) FROM records GROUP BY kind");
  if (!rows) return rows.errors();
  std::vector<KindCount> counts;
  for (const RecordKind kind : kKinds) {
    for (const Row& row : *rows) {
      if (text_of(row[0]) == to_string(kind)) counts.push_back({kind, whole_of(row[1]), whole_of(row[2])});
    }
  }
  return counts;
}

base::Result<std::optional<StoredRecord>> ResultStore::find(const std::string& hash) {
  const base::Result<std::vector<Row>> rows =
      database_.query(fmt::format("SELECT {} FROM records WHERE hash = $1", kColumns), {hash});
  if (!rows) return rows.errors();
  if (rows->empty()) return std::optional<StoredRecord>();
  return std::optional(record_of_row(rows->at(0)));
}

base::Result<std::vector<StoredRecord>> ResultStore::of_shard(const std::string& campaign, std::int64_t position) {
  const base::Result<std::vector<Row>> rows = database_.query(
      "SELECT r.id, r.hash, r.kind, r.test, r.test_hash, r.device, r.device_class, r.environment, r.model, r.time, "
      "r.campaign, r.document FROM shard_records s JOIN records r ON r.id = s.record "
      "WHERE s.campaign = $1 AND s.position = $2 ORDER BY s.number",
      {campaign, position});
  if (!rows) return rows.errors();
  std::vector<StoredRecord> records;
  for (const Row& row : *rows) records.push_back(record_of_row(row));
  return records;
}

base::Result<std::map<std::int64_t, std::string>> ResultStore::devices_of_shards() {
  const base::Result<std::vector<Row>> rows = database_.query(
      "SELECT r.record, s.device FROM shard_records r JOIN shards s ON s.campaign = r.campaign AND s.position = "
      "r.position WHERE s.device IS NOT NULL");
  if (!rows) return rows.errors();
  std::map<std::int64_t, std::string> devices;
  for (const Row& row : *rows) devices.emplace(whole_of(row[0]), text_of(row[1]));
  return devices;
}

base::Result<std::vector<StoredRecord>> ResultStore::page(const RecordFilter& filter, std::int64_t after,
                                                          std::size_t most) {
  Where where(filter);
  where.add("id > {0}", Parameter(after));
  const base::Result<std::vector<Row>> rows = database_.query(
      fmt::format("SELECT {} FROM records{} ORDER BY id LIMIT {}", kColumns, where.text(), most), where.parameters());
  if (!rows) return rows.errors();
  std::vector<StoredRecord> records;
  for (const Row& row : *rows) records.push_back(record_of_row(row));
  return records;
}

base::Status ResultStore::visit(const RecordFilter& filter,
                                const std::function<base::Status(const StoredRecord&)>& visit) {
  constexpr std::size_t kPage = 256;
  for (std::int64_t after = 0;;) {
    const base::Result<std::vector<StoredRecord>> records = page(filter, after, kPage);
    if (!records) return records.errors();
    for (const StoredRecord& record : *records) {
      if (base::Status fine = visit(record); !fine) return fine;
    }
    if (records->size() < kPage) return base::ok_status();
    after = records->back().id;
  }
}

}  // namespace weakspot::store
