// SPDX-License-Identifier: MIT
// Where a report for programs comes from: docs/schemas.
#pragma once

#include "base/invocation.h"
#include "json/json.h"

namespace weakspot::base {

// Adds "program", "date" and "command" to a report, if this process was made by a command.
inline void add_invocation(JsonValue& report) {
  const Invocation& made = invocation();
  if (!made.is_known()) return;
  report.add("program", made.program);
  report.add("date", made.date);
  report.add("command", made.command);
}

}  // namespace weakspot::base
