// SPDX-License-Identifier: MIT
#include "workbench/store_sink.h"

#include "store/open_store.h"
#include "store/result_store.h"
#include "workbench/store_documents.h"

namespace weakspot::workbench {
namespace {

base::Status keep(store::Database& database, const store::Record& record) {
  const base::Result<store::Added> added = store::ResultStore(database).add(std::span(&record, 1));
  return added ? base::ok_status() : base::Status(base::of_kind(base::ErrorKind::environment, added.errors()));
}

}  // namespace

base::Result<StoreSink> StoreSink::open(const std::string& place) {
  StoreSink sink;
  if (place.empty()) return sink;
  base::Result<std::unique_ptr<store::Database>> database = store::open_store(place, store::Access::create);
  if (!database) return database.errors();
  sink.database_ = *std::move(database);
  return sink;
}

base::Status StoreSink::add(const campaign::RunRecord& record) {
  return keeps() ? keep(*database_, stored_form(record)) : base::ok_status();
}

base::Status StoreSink::add(const std::string& document) {
  if (!keeps()) return base::ok_status();
  const base::Result<store::Record> record = stored_form(database_->place(), document);
  if (!record) return base::of_kind(base::ErrorKind::environment, record.errors());
  return keep(*database_, *record);
}

}  // namespace weakspot::workbench
