// SPDX-License-Identifier: MIT
// What the program can do as tools of the Model Context Protocol: one JSON-RPC message per line, in and out.
//
// The tools ask the core (wasm/answer.h), which opens no file and starts nothing. Those that run code, `run` and
// `race`, are there only if the user allowed them; `race` never leaves its sandbox.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "wasm/answer.h"

namespace weakspot::mcp {

struct Options {
  bool run = false;   // tests on devices
  bool race = false;  // CUDA files in the sandbox
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

  Outcome dispatch(const std::string& method, const base::JsonValue& params);
  static base::JsonValue initialize(const base::JsonValue& params);
  base::JsonValue list_tools() const;
  Outcome call_tool(const base::JsonValue& params);

  Options options_;
  wasm::Core core_;
};

}  // namespace weakspot::mcp
