// SPDX-License-Identifier: MIT
#include "base/nearest.h"

#include <algorithm>
#include <cctype>
#include <tuple>

#include "base/printable.h"
#include "base/sort.h"

namespace weakspot::base {
namespace {

constexpr std::size_t kLongest = 64;  // longer names are not compared
constexpr std::size_t kMostNearest = 3;

// Without case and separators: what people remember of a name.
std::string spelled_plainly(std::string_view name) {
  std::string plain;
  for (const char c : name) {
    if (c != '-' && c != '_' && c != '.' && c != ' ') {
      plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  return plain;
}

// Optimal string alignment: Levenshtein's distance with swaps of neighbours.
std::size_t alignment(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) cost[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) cost[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      cost[i][j] =
          std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
      }
    }
  }
  return cost[a.size()][b.size()];
}

// The distance up to which a name of this length may be meant: a slip in a short name, three in a long one.
std::size_t patience(std::size_t length) { return length < 3 ? 0 : length < 5 ? 1 : length < 10 ? 2 : 3; }

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  if (a == b) return 0;
  const std::string plain_a = spelled_plainly(a), plain_b = spelled_plainly(b);
  return std::min(alignment(a, b), 1 + alignment(plain_a, plain_b));
}

std::vector<std::string> nearest(std::string_view name, const std::vector<std::string>& names) {
  if (name.empty() || name.size() > kLongest) return {};
  struct Close {
    std::size_t distance, place;  // place: in `names`, which decides between equals
    const std::string* name;
  };
  std::vector<Close> close;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string& other = names[i];
    if (other == name || other.size() > kLongest) continue;
    const std::size_t distance = edit_distance(name, other);
    const bool is_same_plainly = distance == 1 && spelled_plainly(name) == spelled_plainly(other);
    if (is_same_plainly || distance <= patience(name.size())) close.push_back({distance, i, &other});
  }
  base::sort(close, [](const Close& a, const Close& b) {
    return std::tie(a.distance, a.place) < std::tie(b.distance, b.place);
  });
  std::vector<std::string> found;
  for (const auto& [distance, place, other] : close) {
    if (found.size() == kMostNearest || distance > close.front().distance + 1) break;
    if (std::find(found.begin(), found.end(), *other) == found.end()) found.push_back(*other);
  }
  return found;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& names) {
  const std::vector<std::string> found = nearest(name, names);
  std::string text;
  for (std::size_t i = 0; i < found.size(); ++i) {
    text += i == 0 ? "; did you mean " : i + 1 == found.size() ? " or " : ", ";
    text += "'" + printable_word(found[i]) + "'";
  }
  return text.empty() ? text : text + "?";
}

}  // namespace weakspot::base
