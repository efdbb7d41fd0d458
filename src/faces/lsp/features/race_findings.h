// SPDX-License-Identifier: MIT
// Findings of the last run of `weakspot race` about a CUDA file, read from the report that --json or --sarif wrote.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace weakspot::lsp {

struct RacePlace {
  std::string file;
  std::size_t line = 0, column = 0;  // from 1; 0: unknown
  std::string message;
};

struct RaceFinding {
  enum class Severity : std::uint8_t { error = 1, warning = 2, note = 3 };  // the protocol's numbers
  Severity severity = Severity::error;
  std::string rule;  // "E1"
  RacePlace place;
  std::vector<RacePlace> related;
};

base::Result<std::vector<RaceFinding>> read_race_report(const std::string& name, const std::string& text);

// The report for a source file: the file or folder that a setting names, or else weakspot-race.json,
// weakspot-race.sarif or the newest report of a folder .weakspot, beside the source or in the folders above it.
std::optional<std::string> find_race_report(const std::string& source, const std::string& setting);

// Whether the path in a report means this file. The path may be relative to the folder of the run.
bool names_file(const std::string& reported, const std::string& path);

}  // namespace weakspot::lsp
