// SPDX-License-Identifier: MIT
// Short names of environments, for lines and tables in which their settings would take more room than the results.
#pragma once

#include <string>
#include <vector>

#include "codegen/environment.h"

namespace weakspot::campaign {

class EnvironmentNames {
 public:
  struct Entry {
    std::string name;      // "env 1"
    std::string settings;  // as 'run --env' takes them
  };

  // A preset and a single setting are their own names. Any other environment is "env 1", "env 2" and so on, in the
  // order of the first calls.
  std::string name(const codegen::TestEnvironment& environment) { return name(codegen::to_text(environment)); }
  // The same by the text of to_text().
  std::string name(const std::string& settings);

  // Those that have a number.
  const std::vector<Entry>& numbered() const { return numbered_; }

 private:
  std::vector<Entry> numbered_;
};

}  // namespace weakspot::campaign
