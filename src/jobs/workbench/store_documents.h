// SPDX-License-Identifier: MIT
// Recognises documents of the program and makes the records that a store keeps of them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/result.h"
#include "campaign/run_record.h"
#include "store/result_store.h"

namespace weakspot::workbench {

// "cuda" for "cuda:0".
std::string device_class_of(const std::string& device);

store::Record stored_form(const campaign::RunRecord& record);
// Any other document: the result or the journal of a search, a score, a report on conformance or on races. It is kept
// byte for byte. The file is for messages.
base::Result<store::Record> stored_form(const std::string& file, std::string document);

struct FileRecords {
  std::vector<store::Record> records;
  std::size_t running = 0;  // records of runs that had not ended: not among them
};

// The records of a file, whatever its form. Each is checked as those who read it again would.
base::Result<FileRecords> records_of_file(const std::string& path);

}  // namespace weakspot::workbench
