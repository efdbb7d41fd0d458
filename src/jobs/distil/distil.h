// SPDX-License-Identifier: MIT
// Findings about the order of memory as pairs of litmus tests: one whose bad outcome the model allows, and its smallest
// repair, whose outcome the model forbids.
//
// The detector and the model are two accounts of the same rules. Where they disagree about a test, one of them is
// wrong, and `disagrees` says so.
#pragma once

#include <optional>
#include <string>

#include "litmus/test.h"
#include "model/library.h"
#include "race/report.h"

namespace weakspot::distil {

struct Pair {
  std::optional<litmus::LitmusTest> test, repaired;
  race::Distilled summary;  // without files
};

// None if the finding is not about the order of memory. The tests are called `name` and `name`+fixed.
std::optional<Pair> distil(const race::Finding& finding, const std::string& name, const model::Model& model,
                           const std::string& model_name);

}  // namespace weakspot::distil
