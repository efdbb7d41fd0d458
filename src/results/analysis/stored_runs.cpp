// SPDX-License-Identifier: MIT
#include "analysis/stored_runs.h"

#include <fmt/format.h>

#include "analysis/read/records.h"
#include "base/source.h"
#include "campaign/record_json.h"
#include "campaign/suite_rates.h"
#include "store/open_store.h"

namespace weakspot::analysis {

namespace {

// A record that cannot be read any more, by its number in the store.
base::Diagnostic unreadable(const store::Database& database, const store::StoredRecord& stored,
                            const base::Diagnostics& errors) {
  return base::error_in(database.place(), fmt::format("record {}: {}", stored.id, base::messages(errors)));
}

}  // namespace

base::Result<std::vector<campaign::RunRecord>> read_stored_runs(const std::string& place, store::RecordFilter filter) {
  const base::Result<std::unique_ptr<store::Database>> database = store::open_store(place, store::Access::read);
  if (!database) return database.errors();
  filter.kind = store::RecordKind::run;
  std::vector<campaign::RunRecord> records;
  const base::Status read =
      store::ResultStore(**database).visit(filter, [&](const store::StoredRecord& stored) -> base::Status {
        base::Result<campaign::RunRecord> record = campaign::record_from_json(stored.record.document);
        if (!record) return unreadable(**database, stored, record.errors());
        records.push_back(*std::move(record));
        return base::ok_status();
      });
  if (!read) return read.errors();
  if (records.empty()) return base::error_in((*database)->place(), "the store has no records of runs");
  return records;
}

base::Result<StoredResults> read_stored_results(const std::string& place) {
  const base::Result<std::unique_ptr<store::Database>> database = store::open_store(place, store::Access::read);
  if (!database) return database.errors();
  store::ResultStore store(**database);
  const base::Result<std::map<std::int64_t, std::string>> devices = store.devices_of_shards();
  if (!devices) return devices.errors();
  DeviceCollector runs(place), searches(place);
  const base::Status read = store.visit({}, [&](const store::StoredRecord& stored) -> base::Status {
    const std::string& document = stored.record.document;
    if (stored.record.kind == store::RecordKind::run) {
      const base::Result<campaign::RunRecord> record = campaign::record_from_json(document);
      if (!record) return unreadable(**database, stored, record.errors());
      const auto ran = devices->find(stored.id);
      runs.add(ran == devices->end() ? record->device : ran->second, *record);
    } else if (stored.record.kind == store::RecordKind::tune_journal) {
      const base::Result<campaign::JournalRates> journal = campaign::read_journal_rates(base::Source(place, document));
      if (!journal) return unreadable(**database, stored, journal.errors());
      searches.add(stored.record.device, *journal);
    }
    return base::ok_status();
  });
  if (!read) return read.errors();
  StoredResults results{runs.take(), searches.take()};
  if (results.runs.empty() && results.searches.empty()) {
    return base::error_in((*database)->place(), "the store has no runs and no journals of searches");
  }
  return results;
}

base::Result<std::vector<campaign::RunRecord>> read_runs(const std::string& place) {
  return store::looks_like_store(place) ? read_stored_runs(place) : campaign::read_records(place);
}

}  // namespace weakspot::analysis
