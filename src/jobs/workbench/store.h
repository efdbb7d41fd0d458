// SPDX-License-Identifier: MIT
// Commands on a store: show its contents, import and export files, merge, check.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "store/maintain.h"
#include "store/result_store.h"
#include "store/submission_store.h"

namespace weakspot::workbench {

struct StoreInfo {
  std::string place;
  std::string engine;  // "SQLite" or "PostgreSQL"
  int version = 0;
  std::int64_t bytes = 0;
  std::vector<store::KindCount> kinds;
  std::int64_t campaigns = 0;
  store::SubmissionCounts submissions;
};
base::Result<StoreInfo> store_info(const std::string& place);

struct ImportResult {
  store::Added records;
  std::size_t running = 0;  // records of runs that had not ended, which were left out
};
// Makes the store if there is none. All files or none.
base::Result<ImportResult> import_files(const std::string& place, const std::vector<std::string>& files);

struct ExportedFile {
  std::string path;
  std::size_t records = 0;
};
// Writes the records into a folder: runs.jsonl with a line for each run, and a file for each other record, byte for
// byte. Files that are there already are replaced.
base::Result<std::vector<ExportedFile>> export_files(const std::string& place, const store::RecordFilter& filter,
                                                     const std::string& folder);
// The same as one text, each document ending in a newline.
base::Result<std::string> export_text(const std::string& place, const store::RecordFilter& filter);

// Adds what the other stores have; makes the store if there is none.
base::Result<store::Merged> merge_stores(const std::string& place, const std::vector<std::string>& others);
base::Result<store::Verified> verify(const std::string& place);

struct ListedSubmission {
  std::string id;     // empty for a rejected one
  std::string state;  // "accepted", "withheld", "released" or "rejected"
  std::string vendor, architecture;
  std::string received;  // 2026-11-16T10:59:02Z
  std::string reason;    // why it was rejected
  std::string document;
};
// Submissions in this state, the oldest first, at most a thousand.
base::Result<std::vector<ListedSubmission>> list_submissions(const std::string& place, const std::string& state);
// Lets everyone see the rows of a withheld submission. Fails if there is none of this id.
base::Status release_submission(const std::string& place, const std::string& id);

struct Vacuumed {
  std::int64_t before = 0, after = 0;  // bytes
};
base::Result<Vacuumed> vacuum(const std::string& place);

}  // namespace weakspot::workbench
