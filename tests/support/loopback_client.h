// SPDX-License-Identifier: MIT
// A client of a server on this machine, byte by byte. For tests.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <string_view>

#include "base/unique_fd.h"

namespace weakspot::tests {

inline base::UniqueFd connect_to(std::uint16_t port) {
  base::UniqueFd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (socket.get() < 0) {
    ADD_FAILURE() << "no socket";
    return socket;
  }
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(0, ::connect(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address));
  return socket;
}

inline void say(const base::UniqueFd& socket, std::string_view text) {
  EXPECT_EQ(static_cast<ssize_t>(text.size()), ::send(socket.get(), text.data(), text.size(), MSG_NOSIGNAL));
}

}  // namespace weakspot::tests
