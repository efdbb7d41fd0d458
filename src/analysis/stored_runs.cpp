// SPDX-License-Identifier: MIT
#include "analysis/stored_runs.h"

#include <fmt/format.h>

#include "campaign/record_json.h"
#include "store/open_store.h"

namespace weakspot::analysis {

base::Result<std::vector<campaign::RunRecord>> read_stored_runs(const std::string& place, store::RecordFilter filter) {
  const base::Result<std::unique_ptr<store::Database>> database = store::open_store(place, store::Access::read);
  if (!database) return database.errors();
  filter.kind = store::RecordKind::run;
  std::vector<campaign::RunRecord> records;
  const base::Status read =
      store::ResultStore(**database).visit(filter, [&](const store::StoredRecord& stored) -> base::Status {
        base::Result<campaign::RunRecord> record = campaign::record_from_json(stored.record.document);
        if (!record) {
          return base::error_in((*database)->place(),
                                fmt::format("record {}: {}", stored.id, base::messages(record.errors())));
        }
        records.push_back(*std::move(record));
        return base::ok_status();
      });
  if (!read) return read.errors();
  if (records.empty()) return base::error_in((*database)->place(), "the store has no records of runs");
  return records;
}

base::Result<std::vector<campaign::RunRecord>> read_runs(const std::string& place) {
  return store::looks_like_store(place) ? read_stored_runs(place) : campaign::read_records(place);
}

}  // namespace weakspot::analysis
