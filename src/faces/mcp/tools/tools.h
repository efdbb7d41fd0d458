// SPDX-License-Identifier: MIT
// The tools, with the schemas of their arguments.
#pragma once

#include <span>
#include <string_view>

#include "base/json.h"

namespace weakspot::mcp {

enum class ToolKind : std::uint8_t { core, run, race };

struct Tool {
  std::string_view name;
  std::string_view title;
  std::string_view description;
  std::string_view request;     // the core's word for it; empty for the others
  std::string_view properties;  // of its arguments, as JSON
  std::string_view required;    // names of arguments, separated by blanks
  ToolKind kind = ToolKind::core;
};

std::span<const Tool> tools();
const Tool* tool_named(std::string_view name);
// As tools/list has it.
base::JsonValue tool_json(const Tool& tool);

}  // namespace weakspot::mcp
