// SPDX-License-Identifier: MIT
// A language server for litmus tests, models in cat, and CUDA files with findings (Language Server Protocol 3.17).
//
// One thread owns the server: it gives it messages, calls tick() when there is nothing else to do or next_deadline()
// has come, and is the only one that sends. What takes long is done by a worker. A message that cannot be understood is
// answered with an error, and the server lives on. This class has the messages, the start and the end; handlers.h has
// the rest.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "lsp/server/session.h"

namespace weakspot::lsp {

class Server {
 public:
  // `wake` is called on another thread when tick() has something to do.
  explicit Server(std::string version, Editor::Send send, std::function<void()> wake = {})
      : version_(std::move(version)), session_(std::move(send), std::move(wake)) {}

  // Takes one message, as JSON.
  void receive(const std::string& message);
  // The stream had something that is not a message.
  void refuse(const std::string& reason) { session_.editor.complain(kParseError, reason); }
  // Publishes what has changed and answers what has become ready or has waited long enough.
  void tick();
  std::optional<Clock::time_point> next_deadline() const { return session_.pending.next_deadline(); }
  // The editor has asked to end: 0 if it had announced that, else 1.
  std::optional<int> exit_code() const { return exit_code_; }

  // For tests: works until nothing is left to do.
  void run_until_quiet();

 private:
  void handle(const Json& message);
  Answer answer(const Json& id, std::string_view method, const Json& params);
  void hear(std::string_view method, const Json& params);
  Answer initialize(const Json& params);
  std::optional<RpcError> read_options(const Json& options);
  Answer shut_down();

  std::string version_;
  Session session_;
  std::optional<int> exit_code_;
  bool initialized_ = false;
  bool shut_down_ = false;
};

}  // namespace weakspot::lsp
