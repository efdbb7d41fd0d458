// SPDX-License-Identifier: MIT
#include "base/glob.h"

#include <algorithm>
#include <vector>

namespace weakspot::base {
namespace {

using Parts = std::vector<std::string_view>;

Parts parts_of(std::string_view path) {
  Parts parts;
  for (std::size_t at = 0; at <= path.size();) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    if (end > at) parts.push_back(path.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

bool is_hidden(std::string_view part) { return part.starts_with('.') && part != ".."; }

// Goes back to the last * only: an earlier one need not take more than it has.
bool matches_part(std::string_view pattern, std::string_view part) {
  if (is_hidden(part) && !pattern.starts_with('.')) return false;
  std::size_t at = 0, in = 0, star = std::string_view::npos, after = 0;
  while (at < part.size()) {
    if (in < pattern.size() && pattern[in] == '*') {
      star = in++;
      after = at;
    } else if (in < pattern.size() && (pattern[in] == '?' || pattern[in] == part[at])) {
      ++in;
      ++at;
    } else if (star != std::string_view::npos) {
      in = star + 1;
      at = ++after;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', in) == std::string_view::npos;
}

}  // namespace

// reached[i]: the pattern's parts so far match the first i parts of the path. A table keeps many ** from taking
// exponential time.
bool matches_glob(std::string_view pattern, std::string_view path) {
  const Parts parts = parts_of(path);
  std::vector<bool> reached(parts.size() + 1);
  reached[0] = true;
  for (const std::string_view wanted : parts_of(pattern)) {
    std::vector<bool> next(parts.size() + 1);
    for (std::size_t i = 0; i <= parts.size(); ++i) {
      if (wanted == "**") {
        next[i] = reached[i] || (i > 0 && next[i - 1] && !is_hidden(parts[i - 1]));
      } else {
        next[i] = i > 0 && reached[i - 1] && matches_part(wanted, parts[i - 1]);
      }
    }
    reached = std::move(next);
  }
  return reached.back();
}

}  // namespace weakspot::base
