// SPDX-License-Identifier: MIT
// Offers the program as tools of the Model Context Protocol: one JSON-RPC message per line, in and out.
//
// The tools ask the core (core/answer.h), which opens no file and starts nothing. The others, `run`,
// `race` and `prove`, exist only if the user allowed them; `race` never leaves its sandbox, and `prove` runs nothing.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "core/answer.h"
#include "json/json.h"

namespace weakspot::mcp {

struct Tool;  // tools/tools.h

struct Options {
  bool run = false;    // tests on devices
  bool race = false;   // CUDA files in the sandbox
  bool prove = false;  // CUDA files are read, compiled and evaluated
  // Starts this program with the words, gives it the text as input, and returns what it printed; fails with what it
  // said.
  std::function<base::Result<std::string>(const std::vector<std::string>& words, const std::string& input)> program;
};

class Server {
 public:
  explicit Server(Options options) : options_(std::move(options)) {}

  // The reply to a line, without its newline; none to a notification. Whatever the line is, the server goes on.
  std::optional<std::string> answer(const std::string& line);

 private:
  struct Failure {
    int code = 0;
    std::string message;
  };
  using Outcome = std::variant<base::JsonValue, Failure>;

  // `message` is the text that the parameters were read from.
  Outcome dispatch(const std::string& method, const base::JsonValue& params, const base::Source& message);
  static base::JsonValue initialize(const base::JsonValue& params);
  bool allows(const Tool& tool) const;
  base::JsonValue list_tools() const;
  base::JsonValue page_result(const base::JsonValue& arguments, const base::Source& message);
  Outcome call_tool(const base::JsonValue& params, const base::Source& message);

  Options options_;
  core::Core core_;
  std::optional<base::JsonValue> corpus_;  // the core's answer, from the first page on
};

}  // namespace weakspot::mcp
