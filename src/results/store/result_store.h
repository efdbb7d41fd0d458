// SPDX-License-Identifier: MIT
// The records of a store: documents of every format that the program writes, each with what is asked about it.
//
// A record is its document, byte for byte, and the hash of these bytes is its identity: what is stored twice, imported
// twice or merged twice is there once. The other fields are for queries; whoever adds the record takes them from the
// document. Records keep the order in which they were added.
//
// The journal of a search grows at its end. A longer version takes the place of the shorter one, whatever order they
// come in; two journals of which neither continues the other are two records.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/database.h"

namespace weakspot::store {

enum class RecordKind : std::uint8_t { run, tune_journal, tune, score, conform, race };
std::string_view to_string(RecordKind kind);  // "run", "tune-journal", ...
std::optional<RecordKind> record_kind_named(std::string_view name);

struct Record {
  RecordKind kind = RecordKind::run;
  // The subject of the document; a field is empty if it is about several tests, devices or environments, or none.
  std::string test;
  std::string test_hash;
  std::string device;
  std::string device_class;
  std::string environment;
  std::string model;
  std::string time;  // 2026-11-16T10:59:02Z, or empty
  std::string campaign;
  std::string document;  // valid UTF-8 without NUL

  friend bool operator==(const Record&, const Record&) = default;
};

// The identity of a document: its SHA-256 in hexadecimal digits.
std::string content_hash(std::string_view document);

struct StoredRecord {
  std::int64_t id = 0;  // in the order of adding; differs between stores
  std::string hash;
  Record record;
};

// Selects records; an empty field accepts all.
struct RecordFilter {
  std::optional<RecordKind> kind;
  std::string test;  // name or hash
  std::string device;
  std::string device_class;
  std::string environment;
  std::string model;
  std::string campaign;
  std::string since, until;  // times: from `since` on, before `until`; see is_record_time()
};

// Whether the text is a date or a time in the form of records, which compare like times: 2026-11-16 or
// 2026-11-16T10:30:00Z.
bool is_record_time(std::string_view text);
inline constexpr std::string_view kRecordTimes =
    "expected a date such as 2026-11-16, or a time such as 2026-11-16T10:00:00Z";

struct Added {
  std::size_t added = 0;
  std::size_t known = 0;  // were there already
  std::size_t grown = 0;  // took the place of a shorter version

  Added& operator+=(const Added& more);
};

// The number of records of a kind, and the bytes of their documents.
struct KindCount {
  RecordKind kind = RecordKind::run;
  std::int64_t records = 0;
  std::int64_t bytes = 0;
};

class ResultStore {
 public:
  // The database must outlive this.
  explicit ResultStore(Database& database) : database_(database) {}

  // Adds all of them or none, in one transaction; durable when it returns.
  base::Result<Added> add(std::span<const Record> records);
  // Adds a record within a transaction of the caller; gives the record's id.
  base::Result<std::int64_t> add_within(const Record& record, Added& added);

  base::Result<std::int64_t> count(const RecordFilter& filter = {});
  base::Result<std::vector<KindCount>> count_kinds();
  base::Result<std::optional<StoredRecord>> find(const std::string& hash);
  // The records of a finished shard of a campaign (campaign_store.h), in their order.
  base::Result<std::vector<StoredRecord>> of_shard(const std::string& campaign, std::int64_t position);
  // The device that ran each record of a shard, by the record's id: host/cuda:0. Records without a campaign are left
  // out.
  base::Result<std::map<std::int64_t, std::string>> devices_of_shards();
  // Calls `visit` for each record in the order of adding, until it fails. Few records are in memory at a time.
  base::Status visit(const RecordFilter& filter, const std::function<base::Status(const StoredRecord&)>& visit);
  // A page of the same: at most `most` records whose id is above `after`.
  base::Result<std::vector<StoredRecord>> page(const RecordFilter& filter, std::int64_t after, std::size_t most);

 private:
  base::Result<std::optional<std::int64_t>> grow_journal(const Record& record, Added& added);

  Database& database_;
};

}  // namespace weakspot::store
