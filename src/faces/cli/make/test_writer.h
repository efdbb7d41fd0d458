// SPDX-License-Identifier: MIT
// Writes the tests that commands make: to standard output as text or JSON, or into a folder with an index. Tests are
// written as they come and not kept.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "base/diagnostic.h"
#include "cli/command/commands.h"
#include "litmus/dialect.h"
#include "litmus/test.h"
#include "workbench/left_out.h"
#include "workbench/test_folder.h"

namespace weakspot::cli {

struct TestWriterOptions {
  std::string folder;                      // empty: standard output
  std::optional<litmus::Dialect> dialect;  // none: that of each test's architecture
  bool json = false;                       // an array of objects on standard output
  bool list = false;                       // names and cycles alone
};
// Ends a command that wrote `written` of the tests it was given: one line per reason on standard error, then
// "converted 120 of 161 tests". Gives an error if there was only one test, or none could be written.
base::Diagnostics tell_left_out(const workbench::LeftOut& left_out, std::size_t written, std::string_view did);

// --list, --out and --json.
void add_writer_options(Command& command, TestWriterOptions& options);

class TestWriter {
 public:
  explicit TestWriter(TestWriterOptions options);

  // False if a file could not be written, or the user wants to end.
  bool write(const litmus::LitmusTest& test);
  // Tells how far it came if the user ended the job; then that exit code, else the one given. Tells as well that no
  // test was made, where nothing else does.
  int ended(int exit_code) const;
  // Ends the array, writes the index. Returns all errors, also those of tests that the dialect cannot express.
  base::Diagnostics finish();

  std::size_t count() const { return count_; }

 private:
  void note(const base::Diagnostics& errors);
  void write_json(const litmus::LitmusTest& test, const std::string& text, litmus::Dialect dialect);
  void show_progress();

  TestWriterOptions options_;
  std::size_t count_ = 0;
  std::optional<workbench::TestFolder> folder_;  // made with the first test
  workbench::LeftOut left_out_;
  base::Diagnostics errors_;
  bool shows_progress_ = false;
};

}  // namespace weakspot::cli
