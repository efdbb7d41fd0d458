// SPDX-License-Identifier: MIT
// An entry of `fences --json`.
#pragma once

#include "json/json.h"
#include "questions/fences.h"

namespace weakspot::questions {

base::JsonValue fences_json(const FencesOf& found);

}  // namespace weakspot::questions
