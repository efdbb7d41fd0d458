// SPDX-License-Identifier: MIT
// Programs that a page wants to have checked: files of CUDA or PTX, raced or proved by this program.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "json/json.h"

namespace weakspot::serve {

inline constexpr std::size_t kMostCheckedBytes = 8u << 20;  // of a request

struct CheckOrder {
  struct File {
    std::string name;
    std::string text;
  };
  std::vector<File> files;  // at least one; programs with their headers, or a folder of PTX, such as Triton's cache
  bool prove = false;       // one file; else races are searched for
  std::string launch;       // as --launch takes it; empty: the files say it, or it is searched for
  std::string condition;    // as prove's --assert takes it
};

// {"files": [{"name": "sum.cu", "text"}], and optionally "prove": true, "launch", "assert"}. A name is no path.
base::Result<CheckOrder> read_check(const std::string& body);

// Runs this program with these words, and gives what it printed.
using AskProgram = std::function<base::Result<std::string>(const std::vector<std::string>& words)>;

// The report, as `weakspot race --json` or `weakspot prove --json` prints it, with the names of the order. Fails with
// what the program said.
base::Result<base::JsonValue> check(const CheckOrder& order, const AskProgram& ask);

}  // namespace weakspot::serve
