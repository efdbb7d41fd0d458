// SPDX-License-Identifier: MIT
// Litmus tests of the findings of reports, as files of a folder.
#pragma once

#include <set>
#include <string>

#include "base/result.h"
#include "litmus/test.h"
#include "model/library.h"
#include "race/report.h"

namespace weakspot::workbench {

class DistilFolder {
 public:
  // Makes the folder.
  static base::Result<DistilFolder> open(const std::string& path);

  // Writes two tests for each finding about the order of memory and fills in Finding::distilled. `file` is the checked
  // source, which the tests are named after.
  base::Status add(race::Report& report, const std::string& file);
  // Writes @all, the list of the tests, for commands that take tests.
  base::Status finish() const;

 private:
  DistilFolder(std::string path, model::Model model) : path_(std::move(path)), model_(std::move(model)) {}
  base::Result<std::string> write(const litmus::LitmusTest& test);

  std::string path_;
  model::Model model_;
  std::set<std::string> names_;  // names of tests, without those of repairs
  std::string list_;
};

}  // namespace weakspot::workbench
