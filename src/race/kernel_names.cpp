// SPDX-License-Identifier: MIT
#include "race/kernel_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <numeric>

namespace weakspot::race {
namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_name_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Without blanks, and with 64 for 64u, 64ul or 64LL.
std::string plain_spelling(std::string_view name) {
  std::string plain;
  bool in_number = false, in_word = false;
  for (const char c : name) {
    if (c == ' ' || c == '\t') continue;
    in_number = is_digit(c) ? in_number || !in_word : in_number && is_name_char(c);
    in_word = is_name_char(c);
    if (in_number && std::string_view("uUlL").find(c) != std::string_view::npos) continue;
    plain += c;
  }
  return plain;
}

// The number of letters to insert, delete, replace or swap with their neighbours.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) cost[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) cost[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
      }
    }
  }
  return cost[a.size()][b.size()];
}

std::string without_arguments(const std::string& name) { return name.substr(0, name.find('<')); }

}  // namespace

bool names_kernel(std::string_view wanted, const std::string& name) {
  const std::string plain = without_arguments(name);
  const std::size_t colon = plain.rfind("::");
  return plain_spelling(wanted) == plain_spelling(name) || wanted == plain ||
         (colon != std::string::npos && wanted == plain.substr(colon + 2));
}

std::string no_such_kernel(const std::string& wanted, std::vector<std::string> names) {
  constexpr std::size_t kMostNames = 20;
  if (names.empty()) return "the file has no kernel";
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::string text = fmt::format("the file has no kernel '{}'", wanted);
  std::size_t least = std::max<std::size_t>(wanted.size() / 3, 1) + 1;
  const std::string* nearest = nullptr;
  for (const std::string& name : names) {
    const std::size_t here =
        std::min(distance(wanted, name), distance(without_arguments(wanted), without_arguments(name)));
    if (here >= least) continue;
    least = here;
    nearest = &name;
  }
  if (nearest != nullptr) text += fmt::format("; did you mean '{}'?", *nearest);
  text += nearest != nullptr ? " It has " : "; it has ";
  for (std::size_t i = 0; i < names.size() && i < kMostNames; ++i) {
    if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
    text += names[i];
  }
  if (names.size() > kMostNames) text += fmt::format(" and {} more", names.size() - kMostNames);
  return text;
}

}  // namespace weakspot::race
