// A file of records, one JSON line each, that is readable at any moment: the line of the run that goes on is written
// over in place, never shorter than it was, so that killing the program leaves a partial record with status "running".
#pragma once

#include <string>

#include "base/result.h"
#include "base/unique_fd.h"
#include "campaign/run_record.h"

namespace weakspot::cli {

class RecordFile {
 public:
  // Starts a new file in place of an old one.
  static base::Result<RecordFile> create(const std::string& path);

  // The record of the run that goes on.
  base::Status update(const campaign::RunRecord& record);
  // The same, for the last time; the next record gets a line of its own.
  base::Status finish(const campaign::RunRecord& record);

 private:
  RecordFile(std::string path, base::UniqueFd file) : path_(std::move(path)), file_(std::move(file)) {}
  base::Status write(const std::string& text);

  std::string path_;
  base::UniqueFd file_;
  std::size_t begin_ = 0;   // of the current line
  std::size_t length_ = 0;  // of the current line as it is in the file
};

}  // namespace weakspot::cli
