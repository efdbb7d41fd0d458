// SPDX-License-Identifier: MIT
#include "http/client.h"

#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>

namespace weakspot::http {
namespace {

using Moment = std::chrono::steady_clock::time_point;

constexpr std::size_t kMostIdle = 16;

// False at `until`; a broken socket is ready.
bool is_ready(int socket, short events, Moment until) {
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now()).count();
    pollfd watched = {socket, events, 0};
    const int ready = ::poll(&watched, 1, static_cast<int>(std::clamp<std::int64_t>(left, 0, 60'000)));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
    if (left <= 0) return false;
  }
}

bool send_whole(int socket, std::string_view bytes, Moment until) {
  while (!bytes.empty()) {
    const ssize_t count = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno == EAGAIN) {
      if (!is_ready(socket, POLLOUT, until)) return false;
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

// 0 or the reason, as errno has it.
int open_connection(const addrinfo& at, Moment until, base::UniqueFd& socket) {
  socket = base::UniqueFd(::socket(at.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket.valid()) return errno;
  int problem = ::connect(socket.get(), at.ai_addr, at.ai_addrlen) == 0 ? 0 : errno;
  if (problem == EINPROGRESS) {
    if (!is_ready(socket.get(), POLLOUT, until)) return ETIMEDOUT;
    socklen_t length = sizeof problem;
    ::getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &problem, &length);
  }
  const int yes = 1;
  ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  return problem;
}

template <typename Number>
bool read_number(std::string_view text, Number& number, int base = 10) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  return !text.empty() && error == std::errc() && end == text.data() + text.size();
}

// A body in pieces, each with its length: something between us and the server may make them.
Head read_pieces(std::string_view text, std::size_t most, std::string& body) {
  body.clear();
  while (true) {
    const std::size_t line = text.find("\r\n");
    if (line == std::string_view::npos) return text.size() > kMostHead ? Head::wrong : Head::incomplete;
    std::size_t length = 0;
    const std::string_view words = text.substr(0, line);
    if (!read_number(words.substr(0, words.find(';')), length, 16) || length > most - body.size()) return Head::wrong;
    text.remove_prefix(line + 2);
    if (text.size() < length + 2) return Head::incomplete;
    if (text.substr(length, 2) != "\r\n") return Head::wrong;
    body += text.substr(0, length);
    text.remove_prefix(length + 2);
    if (length == 0) return Head::complete;
  }
}

// An answer as far as it has come. `over`: the connection has ended, and with it a body without a length.
Head read_answer(std::string_view text, bool over, std::size_t most_body, Response& response) {
  std::size_t taken = 0;
  if (const Head head = read_response_head(text, response, taken); head != Head::complete) return head;
  const std::string_view rest = text.substr(taken);
  if (const std::string_view coding = response.header("transfer-encoding"); !coding.empty()) {
    return coding == "chunked" ? read_pieces(rest, most_body, response.body) : Head::wrong;
  }
  std::size_t length = rest.size();
  const std::string_view given = response.header("content-length");
  if (given.empty() && !over) return rest.size() > most_body ? Head::wrong : Head::incomplete;
  if (!given.empty() && !read_number(given, length)) return Head::wrong;
  if (length > most_body) return Head::wrong;
  if (rest.size() < length) return Head::incomplete;
  response.body = rest.substr(0, length);
  return Head::complete;
}

}  // namespace

std::string ServerAddress::url() const { return fmt::format("http://{}:{}{}", host, port, folder); }

base::Result<ServerAddress> read_address(std::string_view url) {
  constexpr std::string_view kScheme = "http://";
  const auto wrong = [&] { return base::error(fmt::format("'{}': expected http://HOST[:PORT][/FOLDER]", url)); };
  if (url.starts_with("https://")) {
    return base::error(fmt::format(
        "'{}': agents speak plain HTTP; reach the server through a tunnel, such as 'ssh -L' or stunnel", url));
  }
  if (!url.starts_with(kScheme)) return wrong();
  const std::string_view rest = url.substr(kScheme.size());
  const bool plain = std::all_of(rest.begin(), rest.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view(".-_~:/").find(c) != std::string_view::npos;
  });
  const std::string_view authority = rest.substr(0, rest.find('/'));
  const std::size_t colon = authority.find(':');
  ServerAddress address;
  address.host = authority.substr(0, colon);
  address.folder = rest.substr(authority.size());
  if (!address.folder.ends_with('/')) address.folder += '/';
  if (!plain || address.host.empty()) return wrong();
  if (colon != std::string_view::npos && !read_number(authority.substr(colon + 1), address.port)) return wrong();
  return address;
}

base::Result<base::UniqueFd> Client::connect() const {
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* list = nullptr;
  const std::string port = fmt::format("{}", address_.port);
  if (const int problem = ::getaddrinfo(address_.host.c_str(), port.c_str(), &wanted, &list); problem != 0) {
    return base::error(fmt::format("{} was not found: {}", address_.url(), ::gai_strerror(problem)),
                       base::ErrorKind::environment);
  }
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner(list, ::freeaddrinfo);
  const Moment until = std::chrono::steady_clock::now() + limits_.connect;
  int problem = 0;
  for (const addrinfo* at = list; at != nullptr; at = at->ai_next) {
    base::UniqueFd socket;
    problem = open_connection(*at, until, socket);
    if (problem == 0) return socket;
  }
  return base::error(fmt::format("{} cannot be reached: {}", address_.url(), std::strerror(problem)),
                     base::ErrorKind::environment);
}

// One that the server has not closed in the meantime, or none.
base::UniqueFd Client::idle_connection() {
  const std::lock_guard lock(mutex_);
  while (!idle_.empty()) {
    base::UniqueFd socket = std::move(idle_.back());
    idle_.pop_back();
    if (!is_ready(socket.get(), POLLIN, {})) return socket;
  }
  return {};
}

base::Result<Response> Client::ask(const std::string& method, const std::string& path, const Headers& headers,
                                   const std::string& body) {
  std::string request = fmt::format("{} {}{} HTTP/1.1\r\nHost: {}:{}\r\nContent-Length: {}\r\n", method,
                                    address_.folder, path, address_.host, address_.port, body.size());
  for (const auto& [name, value] : headers) request += fmt::format("{}: {}\r\n", name, value);
  request += "\r\n" + body;
  if (base::UniqueFd socket = idle_connection(); socket.valid()) {
    // The server may have closed it just now, so this answer is not the last word.
    if (base::Result<Response> answer = ask_on(std::move(socket), request)) return answer;
  }
  base::Result<base::UniqueFd> socket = connect();
  if (!socket) return socket.errors();
  return ask_on(*std::move(socket), request);
}

base::Result<Response> Client::ask_on(base::UniqueFd socket, std::string_view request) {
  const auto broken = [&](std::string_view reason) {
    return base::error(fmt::format("{} {}", address_.url(), reason), base::ErrorKind::environment);
  };
  const Moment until = std::chrono::steady_clock::now() + limits_.answer;
  // A server that refuses a long body may answer before it has read all of it.
  const bool sent = send_whole(socket.get(), request, until);
  Response response;
  std::string text;
  std::array<char, 1 << 16> bytes;
  for (bool over = false; !over;) {
    if (!is_ready(socket.get(), POLLIN, until)) return broken("does not answer");
    const ssize_t count = ::recv(socket.get(), bytes.data(), bytes.size(), 0);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    over = count <= 0;
    if (!over) text.append(bytes.data(), static_cast<std::size_t>(count));
    const Head head = read_answer(text, over, limits_.body, response);
    if (head == Head::wrong) return broken("does not speak HTTP as expected");
    if (head == Head::incomplete) continue;
    if (sent && !over && response.header("connection") != "close") {
      const std::lock_guard lock(mutex_);
      if (idle_.size() < kMostIdle) idle_.push_back(std::move(socket));
    }
    return response;
  }
  return broken("closed the connection without an answer");
}

}  // namespace weakspot::http
