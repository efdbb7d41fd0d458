// SPDX-License-Identifier: MIT
// Executions that show a violation, for people and for programs.
#pragma once

#include <string>
#include <vector>

#include "json/json.h"
#include "prove/prove.h"
#include "race/report.h"

namespace weakspot::prove {

// "thread 0 of block 1"
std::string thread_name(const ProofThread& thread);
// "12", or "file.cu:12" for a line of another file than `file`.
std::string line_name(const race::Place& place, const std::string& file);
std::string witness_text(const ProofProperty& property, const std::string& file, const race::LineReader& lines);

base::JsonValue place_json(const race::Place& place);
base::JsonValue witness_json(const std::vector<ProofThread>& threads);

}  // namespace weakspot::prove
