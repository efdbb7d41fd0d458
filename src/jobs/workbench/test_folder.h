// SPDX-License-Identifier: MIT
// A folder of tests, one file each, with an index of them: @all.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_set>

#include "base/result.h"
#include "litmus/dialect.h"

namespace weakspot::workbench {

class TestFolder {
 public:
  // Makes the folder if it does not exist.
  static base::Result<TestFolder> create(std::string path);

  // Writes a test's text, whole or not at all. The second test of a name goes to NAME.2, the third to NAME.3.
  base::Status add(const std::string& name, litmus::Dialect dialect, const std::string& text);
  // Writes the index of the files that were written. It comes last.
  base::Status finish() const;

 private:
  explicit TestFolder(std::string path) : path_(std::move(path)) {}

  std::string path_;
  std::string index_;
  std::unordered_set<std::string> names_;
};

}  // namespace weakspot::workbench
