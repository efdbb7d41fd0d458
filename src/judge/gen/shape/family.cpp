// SPDX-License-Identifier: MIT
#include "gen/shape/family.h"

#include <algorithm>
#include <charconv>

#include "base/names.h"

namespace weakspot::gen {
namespace {

struct Family {
  std::string_view name;
  std::string_view points;
};

constexpr Family kFamilies[] = {
    {"MP", "WW+RR"},       {"SB", "WR+WR"},         {"LB", "RW+RW"},        {"S", "WW+RW"},
    {"R", "WW+WR"},        {"2+2W", "WW+WW"},       {"WRC", "W+RW+RR"},     {"RWC", "W+RR+WR"},
    {"WWC", "W+RW+RW"},    {"WRW+WR", "W+RW+WR"},   {"WRR+2W", "W+RR+WW"},  {"WRW+2W", "W+RW+WW"},
    {"ISA2", "WW+RW+RR"},  {"W+RWC", "WW+RR+WR"},   {"Z6.0", "WW+RW+WR"},   {"Z6.1", "WW+WW+RW"},
    {"Z6.2", "WW+RW+RW"},  {"Z6.3", "WW+WW+RR"},    {"Z6.4", "WW+WR+WR"},   {"Z6.5", "WW+WW+WR"},
    {"IRIW", "W+RR+W+RR"}, {"IRRWIW", "W+RR+W+RW"}, {"IRWIW", "W+RW+W+RW"},
};

// All accesses to one location, two of them in one thread.
constexpr Family kCoherence[] = {
    {"CoRR", "W+RR"}, {"CoRW", "W+RW"}, {"CoRW2", "W+RW"}, {"CoWR", "W+WR"}, {"CoWW", "W+WW"}};

// n.SB and the like, for three threads or more.
constexpr Family kRings[] = {{"SB", "WR"}, {"LB", "RW"}, {"2W", "WW"}};

std::string to_string(const Points& points) {
  std::string text(1, points.first == Direction::read ? 'R' : 'W');
  if (!points.single) text += points.last == Direction::read ? 'R' : 'W';
  return text;
}

std::optional<std::vector<Points>> parse_points(std::string_view text) {
  std::vector<Points> threads;
  while (true) {
    const std::string_view one = text.substr(0, text.find('+'));
    if (one.empty() || one.size() > 2 || one.find_first_not_of("RW") != std::string_view::npos) return std::nullopt;
    const auto direction = [](char c) { return c == 'R' ? Direction::read : Direction::write; };
    threads.push_back({direction(one.front()), direction(one.back()), one.size() == 1});
    if (one.size() == text.size()) return threads;
    text.remove_prefix(one.size() + 1);
  }
}

std::optional<std::vector<Points>> parse_ring(std::string_view name) {
  unsigned count = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), count);
  const auto digits = static_cast<std::size_t>(end - name.data());
  if (error != std::errc() || count < 3 || count > 64 || digits >= name.size() || name[digits] != '.') {
    return std::nullopt;
  }
  for (const Family& ring : kRings) {
    if (ring.name != name.substr(digits + 1)) continue;
    return std::vector<Points>(count, parse_points(ring.points)->front());
  }
  return std::nullopt;
}

}  // namespace

std::string family_name(const std::vector<Points>& threads, bool one_location) {
  std::string points;
  for (const Points& thread : threads) points += (points.empty() ? "" : "+") + to_string(thread);
  if (one_location) {
    for (const Family& family : kCoherence) {
      if (family.points == points) return std::string(family.name);
    }
  }
  for (const Family& family : kFamilies) {
    if (family.points == points) return std::string(family.name);
  }
  const bool ring = threads.size() >= 3 && std::all_of(threads.begin(), threads.end(),
                                                       [&](const Points& one) { return one == threads.front(); });
  for (const Family& family : kRings) {
    if (ring && family.points == to_string(threads.front())) {
      return std::to_string(threads.size()) + "." + std::string(family.name);
    }
  }
  return points;
}

std::optional<std::vector<Points>> family_named(std::string_view name) {
  for (const Family& family : kFamilies) {
    if (family.name == name) return parse_points(family.points);
  }
  for (const Family& family : kCoherence) {
    if (family.name == name) return parse_points(family.points);
  }
  if (auto ring = parse_ring(name)) return ring;
  return parse_points(name);
}

}  // namespace weakspot::gen
