// SPDX-License-Identifier: MIT
// The door to toml++.
#pragma once

#include "base/result.h"
#include "base/source.h"
#include "json/json.h"

namespace weakspot::project {

// Tables become objects, whose members are in alphabetical order. Dates and times become null: no setting is one.
base::Result<base::JsonValue> read_toml(const base::Source& source);

}  // namespace weakspot::project
