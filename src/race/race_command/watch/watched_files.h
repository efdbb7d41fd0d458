// SPDX-License-Identifier: MIT
// Files that a check depends on, and whether they changed.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace weakspot::race_command {

// The files and the headers that they include, by #include lines: a header is looked for beside the file that includes
// it and in the folders. Those of the system are left out, and so are names that macros make.
std::vector<std::string> with_headers(const std::vector<std::string>& files, const std::vector<std::string>& folders);

class WatchedFiles {
 public:
  explicit WatchedFiles(const std::vector<std::string>& files);

  std::size_t count() const { return files_.size(); }

  // Sleeps, looking at the times and sizes of the files now and then, until some changed and stayed as they are for a
  // moment. Returns them; none if `stop` says so first.
  std::vector<std::string> wait_for_change(const std::function<bool()>& stop);

 private:
  // Time in nanoseconds, size and number of the file; editors replace files, so that the number changes. Zeros:
  // missing.
  struct State {
    long long time = 0, size = 0, number = 0;
    bool operator==(const State&) const = default;
  };
  static State state_of(const std::string& file);
  std::vector<std::string> changed();

  std::map<std::string, State> files_;
};

}  // namespace weakspot::race_command
