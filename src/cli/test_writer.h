// Where commands that make tests put them: on standard output as text or JSON, or into a folder with an index. Tests
// are written as they come and not kept.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <unordered_set>

#include "base/diagnostic.h"
#include "litmus/dialect.h"
#include "litmus/test.h"

namespace weakspot::cli {

struct TestWriterOptions {
  std::string folder;                      // empty: standard output
  std::optional<litmus::Dialect> dialect;  // none: that of each test's architecture
  bool json = false;                       // an array of objects on standard output
  bool list = false;                       // names and cycles alone
};

class TestWriter {
 public:
  explicit TestWriter(TestWriterOptions options);

  // False if there is no point in going on.
  bool write(const litmus::LitmusTest& test);
  // Ends the array, writes the index. Returns what went wrong, tests that the dialect cannot express included.
  base::Diagnostics finish();

  std::size_t count() const { return count_; }

 private:
  void write_file(const litmus::LitmusTest& test, const std::string& text, litmus::Dialect dialect);
  void write_json(const litmus::LitmusTest& test, const std::string& text, litmus::Dialect dialect);
  void show_progress();

  TestWriterOptions options_;
  std::size_t count_ = 0;
  std::string index_;
  std::unordered_set<std::string> names_;
  base::Diagnostics errors_;
  bool shows_progress_ = false;
};

}  // namespace weakspot::cli
