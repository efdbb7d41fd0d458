// SPDX-License-Identifier: MIT
// The parts of a test in JSON that have a reader of their own. Internal to the JSON form.
#pragma once

#include <optional>
#include <string_view>

#include "json/json_fields.h"
#include "litmus/text/builder.h"
#include "litmus/text/cursor.h"

namespace weakspot::litmus {

using base::JsonFields;
using base::JsonMember;
using base::JsonValue;

// The state that the readers of the parts share. Each part reports its mistakes and goes on.
struct JsonContext {
  TestBuilder& builder;
  Mistakes& mistakes;
  Order access_order = Order::relaxed;  // the order of reads and writes that do not name one
};

// 5 or {"addressOf": "x", "offset": 4}
std::optional<Value> read_json_value(const JsonValue& value, JsonContext& context);

// A member that names a location, a register or a label: one word.
std::optional<std::string_view> json_word(JsonFields& fields, std::string_view key, std::string_view what,
                                          bool needed = false);

// Appends the instructions of the action to the thread.
void read_json_action(const JsonValue& action, JsonContext& context, ThreadId thread);

// The register, made at its first mention; nullopt, and a mistake, if it cannot have that name.
std::optional<RegisterId> json_register(JsonFields& fields, std::string_view key, JsonContext& context, ThreadId thread,
                                        bool needed);

std::optional<Proposition> read_json_proposition(const JsonValue& condition, JsonContext& context);
// {"type": "variable", "thread": 0, "id": "r0"} or {"type": "memory", "id": "x"}
std::optional<Observable> read_json_observable(const JsonValue& value, JsonContext& context);

}  // namespace weakspot::litmus
