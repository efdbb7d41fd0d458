// SPDX-License-Identifier: MIT
// Asks a server: plain HTTP/1.1, over connections that stay open between requests. Any thread may ask; each request
// that is under way has a connection of its own.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"
#include "http/message.h"

namespace weakspot::http {

// The address of a server: http://HOST[:PORT][/FOLDER].
struct ServerAddress {
  std::string host;
  std::uint16_t port = 80;
  std::string folder;  // "/" or "/lab/": where the server's paths begin

  std::string url() const;
};
base::Result<ServerAddress> read_address(std::string_view url);

struct ClientLimits {
  std::chrono::milliseconds connect{5'000};
  std::chrono::milliseconds answer{60'000};  // from the first byte of the request to the last one of the answer
  std::size_t body = 256u << 20;             // an answer's, in bytes
};

class Client {
 public:
  explicit Client(ServerAddress address, ClientLimits limits = {}) : address_(std::move(address)), limits_(limits) {}

  // The path stands below the folder of the address, without a slash at its front. An answer of any status is a result.
  // An error, of kind `environment`, means that nobody knows whether the server has done what was asked: it may have
  // been asked twice.
  base::Result<Response> ask(const std::string& method, const std::string& path, const Headers& headers,
                             const std::string& body);

  const ServerAddress& address() const { return address_; }

 private:
  base::UniqueFd idle_connection();
  base::Result<base::UniqueFd> connect() const;
  base::Result<Response> ask_on(base::UniqueFd socket, std::string_view request);

  ServerAddress address_;
  ClientLimits limits_;
  std::mutex mutex_;
  std::vector<base::UniqueFd> idle_;
};

}  // namespace weakspot::http
