// SPDX-License-Identifier: MIT
#include "http/loopback.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace weakspot::http {
namespace {

constexpr std::chrono::seconds kSendTime{10};

int milliseconds_left(Clock::time_point until) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, 60'000));
}

// Waits until the descriptor can be read or written.
bool wait_for(int descriptor, short events, Clock::time_point until) {
  while (true) {
    pollfd one = {descriptor, events, 0};
    const int ready = ::poll(&one, 1, milliseconds_left(until));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
    if (Clock::now() >= until) return false;
  }
}

// Takes as long for a wrong text as for the right one.
bool same_secret(std::string_view given, std::string_view secret) {
  unsigned difference = given.size() == secret.size() ? 0 : 1;
  for (std::size_t i = 0; i < secret.size(); ++i) {
    const char c = i < given.size() ? given[i] : '\0';
    difference |= static_cast<unsigned>(static_cast<unsigned char>(c) ^ static_cast<unsigned char>(secret[i]));
  }
  return difference == 0;
}

}  // namespace

// ---- Connection ----

Connection::Arrived Connection::understand(std::size_t most_body, Request& request) {
  Response refused;
  std::size_t taken = 0;
  std::size_t length = 0;
  Head head = read_head(read_, request, taken, length, refused);
  if (head == Head::complete && length > most_body) {
    head = Head::wrong;
    refused = refusal(413, fmt::format("the body is longer than {} bytes", most_body));
  }
  if (head == Head::wrong) {
    send(refused);
    return Arrived::gone;
  }
  if (head == Head::incomplete || read_.size() - taken < length) return Arrived::part;
  request.body = read_.substr(taken, length);
  read_.clear();
  return Arrived::whole;
}

Connection::Arrived Connection::read_some(std::size_t most_body, Request& request) {
  std::array<char, 1 << 16> bytes;
  const ssize_t count = ::recv(socket_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT);
  if (count < 0) return errno == EINTR || errno == EAGAIN ? Arrived::part : Arrived::gone;
  if (count == 0) return Arrived::gone;
  read_.append(bytes.data(), static_cast<std::size_t>(count));
  return understand(most_body, request);
}

std::optional<Request> Connection::read(std::size_t most_body, Clock::time_point until) {
  Request request;
  while (wait_for(socket_.get(), POLLIN, until)) {
    const Arrived arrived = read_some(most_body, request);
    if (arrived == Arrived::whole) return request;
    if (arrived == Arrived::gone) return std::nullopt;
  }
  return std::nullopt;
}

bool Connection::send(std::string_view bytes) {
  const Clock::time_point until = Clock::now() + kSendTime;
  while (!bytes.empty()) {
    const ssize_t count = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno == EAGAIN) {
      if (!wait_for(socket_.get(), POLLOUT, until)) return false;
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

bool Connection::send(const Response& response) { return send(write_response(response)); }

bool Connection::begin_stream(const Response& response) { return send(write_response(response, After::stream)); }

bool Connection::closed() const {
  pollfd one = {socket_.get(), POLLIN | POLLRDHUP, 0};
  if (::poll(&one, 1, 0) <= 0) return false;
  if ((one.revents & (POLLHUP | POLLERR | POLLRDHUP)) != 0) return true;
  char byte = 0;
  return ::recv(socket_.get(), &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

// ---- Listener ----

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
  if (!bound || ::listen(socket.get(), 256) != 0 || ::getsockname(socket.get(), generic, &length) != 0) {
    return failed(port == 0 ? "no port of the loopback address is free" : fmt::format("port {} cannot be used", port));
  }
  return Listener(std::move(socket), ntohs(address.sin_port));
}

std::optional<Connection> Listener::accept(Clock::time_point until) {
  while (wait_for(socket_.get(), POLLIN, until)) {
    base::UniqueFd socket(::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (socket.valid()) {
      const int yes = 1;
      ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
      return Connection(std::move(socket));
    }
    if (errno != EINTR && errno != EAGAIN && errno != ECONNABORTED) return std::nullopt;
  }
  return std::nullopt;
}

// ---- Gate ----

std::string new_secret() {
  std::array<unsigned char, 16> bytes{};
  WEAKSPOT_CHECK(::getrandom(bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()));
  std::string text;
  for (const unsigned char byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

Gate::Gate(std::uint16_t port) : Gate(port, new_secret()) {}

std::string Gate::url() const { return fmt::format("http://127.0.0.1:{}/{}/", port_, secret_); }

bool Gate::is_ours(std::string_view host) const {
  return host == fmt::format("127.0.0.1:{}", port_) || host == fmt::format("localhost:{}", port_);
}

std::optional<Response> Gate::refuse(const Request& request, std::string& path) const {
  if (!is_ours(request.header("host"))) return refusal(421, "this server answers to 127.0.0.1 alone");
  constexpr std::string_view kScheme = "http://";
  const std::string_view origin = request.header("origin");
  if (!origin.empty() && !(origin.starts_with(kScheme) && is_ours(origin.substr(kScheme.size())))) {
    return refusal(403, "this server does not answer pages of other sites");
  }
  const std::string_view whole = request.path;
  const std::size_t end = std::min(whole.find('/', 1), whole.size());
  if (!same_secret(whole.substr(1, end - 1), secret_)) return refusal(404, "there is no such page");
  path = whole.substr(std::min(end + 1, whole.size()));
  return std::nullopt;
}

}  // namespace weakspot::http
