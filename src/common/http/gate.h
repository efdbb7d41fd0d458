// SPDX-License-Identifier: MIT
// The gate of a server, which admits or refuses each request. Other programs of this machine, and pages of other sites
// in a browser on it, can also reach a port of the loopback address. So every server of ours asks its gate:
//
// - The name of the host must be one of this machine, which makes a stranger's name that leads here (DNS rebinding)
//   useless. A public server has names that it does not know, and answers to all.
// - A page that asks must come from the same host.
// - The path must begin with the secret, if the gate has one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "http/listener.h"
#include "http/message.h"

namespace weakspot::http {

// 128 random bits from the system, in hexadecimal digits.
std::string new_secret();

class Gate {
 public:
  Gate(std::uint16_t port, Reach reach, std::string secret = {})
      : port_(port), reach_(reach), secret_(std::move(secret)) {}

  // The address of the server's folder on this machine, with the secret.
  std::string url() const;

  // Fills the path below the secret, without a slash at its front; or returns the refusal.
  std::optional<Response> refuse(const Request& request, std::string& path) const;

 private:
  std::uint16_t port_;
  Reach reach_;
  std::string secret_;
};

// The refusal of anything but a POST of JSON, which a page of another site cannot send without asking first.
std::optional<Response> refuse_other_than_json(const Request& request);

}  // namespace weakspot::http
