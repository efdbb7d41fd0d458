// SPDX-License-Identifier: MIT
// A file of records, one JSON line each, that is readable at any moment: the line of the current run is overwritten in
// place and never gets shorter, so a killed program leaves a partial record with status "running".
#pragma once

#include <string>

#include "base/result.h"
#include "base/unique_fd.h"
#include "campaign/run_record.h"

namespace weakspot::workbench {

class RecordFile {
 public:
  // Fails if another program writes to the file. An old file that is not empty becomes `path`~, and `note` says so.
  // With `append` its records stay and the new ones follow; a last line without an end is dropped, and `note` says so.
  static base::Result<RecordFile> create(const std::string& path, bool append, std::string& note);

  // Writes the record of the current run.
  base::Status update(const campaign::RunRecord& record);
  // The same for the last time: the next record gets a line of its own.
  base::Status finish(const campaign::RunRecord& record);

 private:
  RecordFile(std::string path, base::UniqueFd file) : path_(std::move(path)), file_(std::move(file)) {}
  base::Status write(const std::string& text);

  std::string path_;
  base::UniqueFd file_;
  std::size_t begin_ = 0;   // start of the current line
  std::size_t length_ = 0;  // length of the current line in the file
};

}  // namespace weakspot::workbench
