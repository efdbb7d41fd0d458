// SPDX-License-Identifier: MIT
#include "litmus/mutant_name.h"

#include <fmt/format.h>

#include <algorithm>

namespace weakspot::litmus {
namespace {

constexpr std::string_view kWords[] = {kReversed, kSplit, kScope, kOrder, kNoFence};

struct NumberedWord {
  std::string_view former, word;
};
constexpr NumberedWord kNumberedWords[] = {
    {"swap", kReversed}, {"split", kSplit}, {"scope", kScope}, {"order", kOrder}, {"fence", kNoFence}};

struct FormerName {
  std::string_view former, present;
  std::string_view hash;  // the hash of the program that had the name
};

// The suite mc-mutants named its mutants by the fence that was kept, and mutate numbered its own: both gave fence0.
// CoWW was the name of two tests, with one thread and with three.
constexpr FormerName kFormerNames[] = {
    {"MP-relacq-fence1", "MP-relacq-nofence.P0", "c48afdd939d79b2c7ccdbee9c614e92a"},
    {"MP-relacq-fence0", "MP-relacq-nofence.P1", "ad579bc58cccc415626d22e3a6945ea6"},
    {"LB-relacq-fence1", "LB-relacq-nofence.P0", "f0753d86bca9b8016d33294921877548"},
    {"LB-relacq-fence0", "LB-relacq-nofence.P1", "a69ddfaf27e95fffd4fecba981370971"},
    {"S-relacq-fence1", "S-relacq-nofence.P0", "f0d8230d2cfce929f40475843a65e88f"},
    {"S-relacq-fence0", "S-relacq-nofence.P1", "df4814adc54da0d03f7e6270ab0d1b08"},
    {"R-rmw-fence1", "R-rmw-nofence.P0", "7c10301137bbd2b0d8eb047e27e8fa41"},
    {"R-rmw-fence0", "R-rmw-nofence.P1", "7d9c43466a7e0012bf12cded5c72d890"},
    {"SB-rmw-fence1", "SB-rmw-nofence.P0", "e48365de176d0ddbae6e3b8fbb5922bf"},
    {"SB-rmw-fence0", "SB-rmw-nofence.P1", "3ba94541fa72c76b76b70181295a7a24"},
    {"2+2W-rmw-fence1", "2+2W-rmw-nofence.P0", "6b356df342f2ac029f9a36c4333cf3b6"},
    {"2+2W-rmw-fence0", "2+2W-rmw-nofence.P1", "4a5029c8ed8b9274af64aef45d4d5a84"},
    {"CoWW-reversed", "CoWW-reversed.P0", "bd22a05dd8bc5c542a00085a25c49018"},
    {"CoWW-rmw-reversed", "CoWW-rmw-reversed.P0", "1db5471f2b21431f383670737261a1e7"},
    {"CoWW", "CoWW0", "1b6ab4a380f5265eb0635eae3f41dcec"},
};

bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::string places_text(const std::vector<Place>& candidates, const std::vector<Place>& changed) {
  std::string text;
  if (changed == candidates) return text;
  for (auto place = changed.begin(); place != changed.end();) {
    const std::size_t thread = place->thread;
    const auto in_thread = [&](const Place& one) { return one.thread == thread; };
    const auto end = std::find_if_not(place, changed.end(), in_thread);
    text += fmt::format(".P{}", thread);
    if (end - place != std::count_if(candidates.begin(), candidates.end(), in_thread)) {
      for (; place != end; ++place) text += fmt::format(".{}", place->instruction);
    }
    place = end;
  }
  return text;
}

std::string mutant_name(std::string_view parent, std::string_view what, const std::vector<Place>& candidates,
                        const std::vector<Place>& changed) {
  return fmt::format("{}-{}{}", parent, what, places_text(candidates, changed));
}

std::optional<MutantName> parse_mutant_name(std::string_view name) {
  const std::size_t dash = name.rfind('-');
  if (dash == std::string_view::npos || dash == 0) return std::nullopt;
  const std::string_view parent = name.substr(0, dash), change = name.substr(dash + 1);
  for (const std::string_view word : kWords) {
    if (change == word || (change.starts_with(word) && change[word.size()] == '.')) {
      return MutantName{std::string(parent), word};
    }
  }
  for (const NumberedWord& numbered : kNumberedWords) {
    if (change.starts_with(numbered.former) && all_digits(change.substr(numbered.former.size()))) {
      return MutantName{std::string(parent), numbered.word};
    }
  }
  return std::nullopt;
}

std::optional<std::string_view> present_name(std::string_view former) {
  for (const FormerName& row : kFormerNames) {
    if (row.former == former) return row.present;
  }
  return std::nullopt;
}

std::vector<std::string_view> former_names(std::string_view present) {
  std::vector<std::string_view> names;
  for (const FormerName& row : kFormerNames) {
    if (row.present == present) names.push_back(row.former);
  }
  return names;
}

std::string_view present_name(std::string_view name, std::string_view hash) {
  for (const FormerName& row : kFormerNames) {
    if (row.former == name && row.hash == hash) return row.present;
  }
  return name;
}

}  // namespace weakspot::litmus
