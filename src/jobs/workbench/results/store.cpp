// SPDX-License-Identifier: MIT
#include "workbench/store.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "base/file.h"
#include "store/campaign_store.h"
#include "store/open_store.h"
#include "store/schema.h"
#include "workbench/store_documents.h"

namespace weakspot::workbench {
namespace {

using store::Access;
using OpenedStore = base::Result<std::unique_ptr<store::Database>>;

std::string file_name_of(const store::StoredRecord& stored) {
  const bool lines = stored.record.kind == store::RecordKind::tune_journal;
  return fmt::format("{}-{}.{}", store::to_string(stored.record.kind), stored.hash.substr(0, 16),
                     lines ? "jsonl" : "json");
}

base::Status make_folder(const std::string& folder) {
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  if (!problem) return base::ok_status();
  return base::error_in(folder, fmt::format("cannot make the folder: {}", problem.message()),
                        base::ErrorKind::environment);
}

std::string time_text(store::Time time) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::chrono::system_clock::to_time_t(time)));
}

}  // namespace

base::Result<StoreInfo> store_info(const std::string& place) {
  const OpenedStore database = store::open_store(place, Access::read);
  if (!database) return database.errors();
  StoreInfo info{.place = (*database)->place(),
                 .engine = (*database)->engine() == store::Engine::sqlite ? "SQLite" : "PostgreSQL",
                 .version = store::schema_version()};
  const base::Result<std::int64_t> bytes = (*database)->size();
  if (!bytes) return bytes.errors();
  info.bytes = *bytes;
  base::Result<std::vector<store::KindCount>> kinds = store::ResultStore(**database).count_kinds();
  if (!kinds) return kinds.errors();
  info.kinds = *std::move(kinds);
  const base::Result<std::vector<store::StoredCampaign>> campaigns = store::CampaignStore(**database).campaigns();
  if (!campaigns) return campaigns.errors();
  info.campaigns = static_cast<std::int64_t>(campaigns->size());
  const base::Result<store::SubmissionCounts> submissions = store::SubmissionStore(**database).count();
  if (!submissions) return submissions.errors();
  info.submissions = *submissions;
  return info;
}

base::Result<ImportResult> import_files(const std::string& place, const std::vector<std::string>& files) {
  ImportResult result;
  std::vector<store::Record> records;
  base::Diagnostics errors;
  for (const std::string& file : files) {
    base::Result<FileRecords> read = records_of_file(file);
    if (!read) {
      errors.insert(errors.end(), read.errors().begin(), read.errors().end());
      continue;
    }
    result.running += read->running;
    std::move(read->records.begin(), read->records.end(), std::back_inserter(records));
  }
  if (!errors.empty()) return errors;
  const OpenedStore database = store::open_store(place, Access::create);
  if (!database) return database.errors();
  const base::Result<store::Added> added = store::ResultStore(**database).add(records);
  if (!added) return added.errors();
  result.records = *added;
  return result;
}

base::Result<std::vector<ExportedFile>> export_files(const std::string& place, const store::RecordFilter& filter,
                                                     const std::string& folder) {
  const OpenedStore database = store::open_store(place, Access::read);
  if (!database) return database.errors();
  if (base::Status made = make_folder(folder); !made) return made.errors();
  std::vector<ExportedFile> files;
  std::string runs;
  ExportedFile of_runs{(std::filesystem::path(folder) / "runs.jsonl").string(), 0};
  const base::Status read =
      store::ResultStore(**database).visit(filter, [&](const store::StoredRecord& stored) -> base::Status {
        if (stored.record.kind == store::RecordKind::run) {
          runs += stored.record.document + "\n";
          ++of_runs.records;
          return base::ok_status();
        }
        files.push_back({(std::filesystem::path(folder) / file_name_of(stored)).string(), 1});
        return base::write_file(files.back().path, stored.record.document);
      });
  if (!read) return read.errors();
  if (of_runs.records > 0) {
    if (base::Status written = base::write_file(of_runs.path, runs); !written) return written.errors();
    files.insert(files.begin(), of_runs);
  }
  return files;
}

base::Result<std::string> export_text(const std::string& place, const store::RecordFilter& filter) {
  const OpenedStore database = store::open_store(place, Access::read);
  if (!database) return database.errors();
  std::string text;
  const base::Status read = store::ResultStore(**database).visit(filter, [&](const store::StoredRecord& stored) {
    text += stored.record.document;
    if (!text.ends_with('\n')) text += '\n';
    return base::ok_status();
  });
  if (!read) return read.errors();
  return text;
}

base::Result<store::Merged> merge_stores(const std::string& place, const std::vector<std::string>& others) {
  store::Merged sum;
  std::vector<std::unique_ptr<store::Database>> opened;
  for (const std::string& other : others) {
    OpenedStore database = store::open_store(other, Access::read);
    if (!database) return database.errors();
    opened.push_back(*std::move(database));
  }
  const OpenedStore into = store::open_store(place, Access::create);
  if (!into) return into.errors();
  for (const std::unique_ptr<store::Database>& from : opened) {
    const base::Result<store::Merged> merged = store::merge_store(*from, **into);
    if (!merged) return merged.errors();
    sum.records += merged->records;
    sum.campaigns += merged->campaigns;
    sum.shard_results += merged->shard_results;
    sum.submissions += merged->submissions;
  }
  return sum;
}

base::Result<store::Verified> verify(const std::string& place) {
  const OpenedStore database = store::open_store(place, Access::read);
  if (!database) return database.errors();
  return store::verify_store(**database);
}

base::Result<std::vector<ListedSubmission>> list_submissions(const std::string& place, const std::string& state) {
  const OpenedStore database = store::open_store(place, Access::read);
  if (!database) return database.errors();
  store::SubmissionStore submissions(**database);
  std::vector<ListedSubmission> listed;
  const std::optional<store::SubmissionState> known = store::submission_state_named(state);
  if (!known) {
    const base::Result<std::vector<store::RejectedSubmission>> rejected = submissions.rejected();
    if (!rejected) return rejected.errors();
    for (const store::RejectedSubmission& one : *rejected) {
      listed.push_back({"", "rejected", "", "", time_text(one.received), one.reason, one.document});
    }
    return listed;
  }
  const base::Result<std::vector<store::StoredSubmission>> stored = submissions.in_state(*known);
  if (!stored) return stored.errors();
  for (const store::StoredSubmission& one : *stored) {
    listed.push_back({one.id, state, one.vendor, one.architecture, time_text(one.received), "", one.document});
  }
  return listed;
}

base::Status release_submission(const std::string& place, const std::string& id) {
  const OpenedStore database = store::open_store(place, Access::write);
  if (!database) return database.errors();
  const base::Result<bool> released = store::SubmissionStore(**database).release(id);
  if (!released) return released.errors();
  if (!*released) return base::error_in((*database)->place(), fmt::format("no withheld submission '{}'", id));
  return base::ok_status();
}

base::Result<Vacuumed> vacuum(const std::string& place) {
  const OpenedStore database = store::open_store(place, Access::write);
  if (!database) return database.errors();
  const base::Result<std::int64_t> before = (*database)->size();
  if (!before) return before.errors();
  if (base::Status done = (*database)->vacuum(); !done) return done.errors();
  const base::Result<std::int64_t> after = (*database)->size();
  if (!after) return after.errors();
  return Vacuumed{*before, *after};
}

}  // namespace weakspot::workbench
