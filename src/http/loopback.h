// SPDX-License-Identifier: MIT
// A listening socket that only this machine reaches unless it is asked to reach further, its connections, and who may
// use it.
//
// Other programs of this machine, and pages of other sites in a browser on it, can reach the socket as well. Whoever
// serves asks a Gate about each request: the path must begin with a secret, and the names of host and origin must be
// ours, so that a name of a stranger that leads to this machine (DNS rebinding) is of no use.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/unique_fd.h"
#include "http/message.h"

namespace weakspot::http {

using Clock = std::chrono::steady_clock;

class Connection {
 public:
  explicit Connection(base::UniqueFd socket) : socket_(std::move(socket)) {}

  // Reads what has arrived and does not wait. Gone: the other side left, or was told why its request is refused.
  enum class Arrived { part, whole, gone };
  Arrived read_some(std::size_t most_body, Request& request);
  // Waits for a whole request; nothing if the other side is gone or too slow.
  std::optional<Request> read(std::size_t most_body, Clock::time_point until);

  // False if the other side is gone or did not take it in time.
  bool send(const Response& response);
  bool begin_stream(const Response& response);
  bool send(std::string_view bytes);

  // Whether the other side has closed the connection. Only for a request that was read whole.
  bool closed() const;
  int descriptor() const { return socket_.get(); }

 private:
  Arrived understand(std::size_t most_body, Request& request);

  base::UniqueFd socket_;
  std::string read_;
};

class Listener {
 public:
  // A free port of the loopback address.
  static base::Result<Listener> open() { return open(0, Reach::machine); }
  // This port, or a free one for 0; for everybody, every address of the machine.
  enum class Reach : std::uint8_t { machine, everybody };
  static base::Result<Listener> open(std::uint16_t port, Reach reach);

  std::uint16_t port() const { return port_; }
  // The next connection; nothing at `until`.
  std::optional<Connection> accept(Clock::time_point until);
  int descriptor() const { return socket_.get(); }

 private:
  Listener(base::UniqueFd socket, std::uint16_t port) : socket_(std::move(socket)), port_(port) {}

  base::UniqueFd socket_;
  std::uint16_t port_;
};

// 128 random bits from the system, in hexadecimal digits.
std::string new_secret();

class Gate {
 public:
  explicit Gate(std::uint16_t port);
  Gate(std::uint16_t port, std::string secret) : port_(port), secret_(std::move(secret)) {}

  std::string url() const;  // of the folder, with the secret

  // Fills the path below the secret, without a slash at its front; or returns the refusal.
  std::optional<Response> refuse(const Request& request, std::string& path) const;

 private:
  bool is_ours(std::string_view host) const;

  std::uint16_t port_;
  std::string secret_;
};

}  // namespace weakspot::http
