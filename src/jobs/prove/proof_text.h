// SPDX-License-Identifier: MIT
// Proofs for people and for programs.
#pragma once

#include <string>

#include "json/json.h"
#include "prove/prove.h"
#include "race/report.h"

namespace weakspot::prove {

// Lines, the answer first. `lines` gives the source to quote.
std::string to_text(const Proof& proof, const std::string& file, const race::LineReader& lines);
base::JsonValue proof_json(const Proof& proof, const std::string& file);

}  // namespace weakspot::prove
