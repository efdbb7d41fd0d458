// SPDX-License-Identifier: MIT
// Errors for programs: docs/schemas/error.schema.json.
#pragma once

#include "base/diagnostic.h"
#include "json/json.h"

namespace weakspot::base {

// Message, file, line, column, and the excerpt with its caret, as far as there are such.
JsonValue error_json(const Diagnostic& error);
JsonValue errors_json(const Diagnostics& errors);

}  // namespace weakspot::base
