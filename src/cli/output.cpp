#include <cstdio>

#include "cli/commands.h"

namespace weakspot::cli {

void print_output(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); }
void print_error(const std::string& text) {
  std::fflush(stdout);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace weakspot::cli
