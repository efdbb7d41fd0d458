// SPDX-License-Identifier: MIT
// The tools, with the schemas of their arguments.
#pragma once

#include <span>
#include <string_view>

#include "json/json.h"

namespace weakspot::mcp {

enum class ToolKind : std::uint8_t { core, corpus, run, race, prove };

struct Tool {
  std::string_view name;
  std::string_view title;
  std::string_view description;
  std::string_view request;     // the core's word for it; empty for those that start the program
  std::string_view properties;  // its arguments, as JSON
  std::string_view required;    // names of arguments, separated by blanks
  ToolKind kind = ToolKind::core;

  bool runs_code() const { return kind == ToolKind::run || kind == ToolKind::race; }
  bool starts_program() const { return runs_code() || kind == ToolKind::prove; }
};

std::span<const Tool> tools();
const Tool* tool_named(std::string_view name);
// The tool's entry in the answer to tools/list.
base::JsonValue tool_json(const Tool& tool);

}  // namespace weakspot::mcp
