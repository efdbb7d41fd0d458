// SPDX-License-Identifier: MIT
#include <cstdio>

#include "cli/commands.h"

namespace weakspot::cli {

void print_output(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); }
void print_error(const std::string& text) {
  std::fflush(stdout);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

int exit_code_of(workbench::Ending ending) {
  using workbench::Ending;
  switch (ending) {
    case Ending::fine:
      return kFine;
    case Ending::finding:
      return kFinding;
    case Ending::bad_input:
      return kBadInput;
    case Ending::failed:
      return kDeviceFailed;
    case Ending::cancelled:
      return kInterrupted;
  }
  return kDeviceFailed;
}

int fail(const base::Diagnostics& errors) {
  print_error(base::render(errors));
  return exit_code_of(workbench::ending_of(errors));
}

}  // namespace weakspot::cli
