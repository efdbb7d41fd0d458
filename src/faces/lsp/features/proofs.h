// SPDX-License-Identifier: MIT
// Launches that a CUDA file states in its comments, and what `weakspot prove` says of them.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "lsp/features/race_findings.h"

namespace weakspot::lsp {

// A line "// weakspot: launch grid=2 block=1" with the lines "// weakspot: arg ..." that belong to it.
struct LaunchInText {
  std::size_t line = 0;            // from 0
  std::string title;               // "grid=2 block=1", with the kernel where one is named
  std::vector<std::string> words;  // options of the command that state it
};
// Empty if a line cannot be read; the command itself then reports the mistake.
std::vector<LaunchInText> launches_in(const std::string& name, const std::string& text);
// The last launch at or above the line, else the first one.
const LaunchInText* launch_at(const std::vector<LaunchInText>& launches, std::size_t line);

// A proof as findings at lines of its file: `proved` as a note at the launch, a violation with the steps of an
// execution.
struct ProofReport {
  std::string verdict;
  std::vector<RaceFinding> findings;
};
base::Result<ProofReport> read_proof(const std::string& json, const std::string& path, const LaunchInText& launch);

}  // namespace weakspot::lsp
