// SPDX-License-Identifier: MIT
#include "race/architecture.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

namespace weakspot::race {
namespace {

using Features = Architecture::Features;

constexpr unsigned kFirst = 70, kFirstWithAll = 90, kFirstWithFamily = 100;
constexpr unsigned kNumbers[] = {kFirst,           72,  75,  80,  86,  87, 88, 89, kFirstWithAll,
                                 kFirstWithFamily, 101, 103, 110, 120, 121};

// "90a" as of "sm_90a"; empty if it is not a name of that kind.
std::string_view without_prefix(std::string_view name) {
  for (const std::string_view prefix : {"sm_", "compute_"}) {
    if (name.starts_with(prefix)) return name.substr(prefix.size());
  }
  return {};
}

std::optional<Architecture> read_architecture(std::string_view name) {
  const std::string_view text = without_prefix(name);
  Architecture read;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), read.number);
  if (error != std::errc()) return std::nullopt;
  const std::string_view rest = text.substr(static_cast<std::size_t>(end - text.data()));
  if (rest == "a" && read.number >= kFirstWithAll) {
    read.features = Features::all;
  } else if (rest == "f" && read.number >= kFirstWithFamily) {
    read.features = Features::family;
  } else if (!rest.empty()) {
    return std::nullopt;
  }
  return read;
}

}  // namespace

base::Result<Architecture> parse_architecture(std::string_view text) {
  const std::optional<Architecture> read = read_architecture(text);
  if (read && std::find(std::begin(kNumbers), std::end(kNumbers), read->number) != std::end(kNumbers)) return *read;
  return base::error(
      fmt::format("'{}' is not an architecture; expected sm_ and {}, from 90 on also with a behind, from 100 on with f",
                  text, fmt::join(kNumbers, ", ")));
}

std::string architecture_name(const Architecture& architecture) {
  const Features features = architecture.features;
  return fmt::format("sm_{}{}", architecture.number,
                     features == Features::all      ? "a"
                     : features == Features::family ? "f"
                                                    : "");
}

base::Status add_architecture(std::string_view value, std::vector<Architecture>& named) {
  if (value.starts_with("arch=")) value.remove_prefix(5);
  value = value.substr(0, value.find(','));
  if (value == "native" || value == "all" || value == "all-major") return base::ok_status();
  if (const auto read = read_architecture(value); read && read->number < kFirst) return base::ok_status();
  const base::Result<Architecture> read = parse_architecture(value);
  if (!read) return read.errors();
  const auto place = std::lower_bound(named.begin(), named.end(), *read);
  if (place == named.end() || *place != *read) named.insert(place, *read);
  return base::ok_status();
}

std::optional<Architecture> newest_of(const std::vector<Architecture>& named) {
  return named.empty() ? std::nullopt : std::optional<Architecture>(named.back());
}

unsigned lanes_of(std::string_view gpu) {
  // gfx1100 is of generation 11, gfx90a of generation 9: the last two digits are a version of it.
  std::size_t end = 3;
  while (end < gpu.size() && std::isxdigit(static_cast<unsigned char>(gpu[end])) != 0) ++end;
  return end - 3 >= 4 ? 32 : 64;
}

base::Status check_wave(std::string_view gpu, unsigned wave) {
  if (wave == 0 || wave == 64 || (wave == 32 && lanes_of(gpu) == 32)) return base::ok_status();
  if (wave == 32) return base::error(fmt::format("--wave 32: the waves of {} have 64 lanes", gpu));
  return base::error("--wave: expected 32 or 64");
}

}  // namespace weakspot::race
