// SPDX-License-Identifier: MIT
// An entry of `fences --json`.
#pragma once

#include "base/json.h"
#include "desk/fences.h"

namespace weakspot::desk {

base::JsonValue fences_json(const FencesOf& found);

}  // namespace weakspot::desk
