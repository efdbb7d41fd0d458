// SPDX-License-Identifier: MIT
// Proofs for people and for programs.
#pragma once

#include <string>

#include "json/json.h"
#include "prove/fences.h"
#include "prove/prove.h"
#include "race/report.h"

namespace weakspot::prove {

// Lines, the answer first. `lines` gives the source to quote.
std::string to_text(const Proof& proof, const std::string& file, const race::LineReader& lines);
base::JsonValue proof_json(const Proof& proof, const std::string& file);

// The answers about fences, as lines behind those of the proof, without the patches.
std::string to_text(const ProofFences& fences, const std::string& file, const race::LineReader& lines);
base::JsonValue fences_json(const ProofFences& fences);

}  // namespace weakspot::prove
