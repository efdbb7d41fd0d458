// SPDX-License-Identifier: MIT
// A listening socket that only this machine reaches unless it is asked to reach further.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "base/unique_fd.h"

namespace weakspot::http {

// The programs that can connect: those of this machine, or everybody, on every address of the machine.
enum class Reach : std::uint8_t { machine, everybody };

class Listener {
 public:
  // Port 0 is a free one.
  static base::Result<Listener> open(std::uint16_t port = 0, Reach reach = Reach::machine);

  std::uint16_t port() const { return port_; }
  int descriptor() const { return socket_.get(); }  // does not block

 private:
  Listener(base::UniqueFd socket, std::uint16_t port) : socket_(std::move(socket)), port_(port) {}

  base::UniqueFd socket_;
  std::uint16_t port_;
};

}  // namespace weakspot::http
