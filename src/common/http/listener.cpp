// SPDX-License-Identifier: MIT
#include "http/listener.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>

namespace weakspot::http {

base::Result<Listener> Listener::open(std::uint16_t port, Reach reach) {
  const auto failed = [](std::string_view what) {
    return base::error(fmt::format("{}: {}", what, std::strerror(errno)), base::ErrorKind::environment);
  };
  base::UniqueFd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket.valid()) return failed("no socket could be made");
  const int yes = 1;
  if (port != 0) ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(reach == Reach::machine ? INADDR_LOOPBACK : INADDR_ANY);
  socklen_t length = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  const bool bound = ::bind(socket.get(), generic, length) == 0;
  // A free port should be nobody else's; once it is ours, a server that is started again may have it at once.
  if (port == 0) ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (!bound || ::listen(socket.get(), SOMAXCONN) != 0 || ::getsockname(socket.get(), generic, &length) != 0) {
    return failed(port == 0 ? "no port of the loopback address is free" : fmt::format("port {} cannot be used", port));
  }
  return Listener(std::move(socket), ntohs(address.sin_port));
}

}  // namespace weakspot::http
