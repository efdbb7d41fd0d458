// SPDX-License-Identifier: MIT
// The sender of a request: whom limits count, and who may do what only people of this machine may.
//
// A proxy sends the requests of everybody from its own address, often that of this machine. The address that it adds to
// X-Forwarded-For or Forwarded is believed if we were told about the proxy. Everybody can write these headers, so from
// anyone else they only say that the sender is not this machine itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/message.h"

namespace weakspot::http {

struct Sender {
  std::string address;           // IPv4, or the network of an IPv6 address; nobody keeps it
  bool is_this_machine = false;  // and no proxy stands between
};

// The address in the form of Sender, with or without a port. All of an IPv6 network (/64) is one sender: its owner has
// 2^64 addresses.
std::optional<std::string> read_sender_address(std::string_view text);
// An address of a connection, in the byte order of the host.
std::string sender_address(std::uint32_t address);

// The sender of a request over a connection from `peer`. Behind `proxies` it is the last address in the chain that is
// not a proxy, and never this machine; without a readable chain it is the proxy.
Sender sender_of(const Request& request, const std::string& peer, const std::vector<std::string>& proxies);

}  // namespace weakspot::http
