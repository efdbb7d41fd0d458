// SPDX-License-Identifier: MIT
// The requests to a listener, one by one, for a server without threads. A connection that stays silent keeps no other
// waiting: browsers open some in advance.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "http/loopback.h"

namespace weakspot::http {

class Inbox {
 public:
  explicit Inbox(Listener listener) : listener_(std::move(listener)) {}

  std::uint16_t port() const { return listener_.port(); }

  struct Arrival {
    Request request;
    Connection connection;
  };
  // The next whole request; nothing at `until`.
  std::optional<Arrival> next(std::size_t most_body, Clock::time_point until);

 private:
  struct Open {
    Connection connection;
    Clock::time_point since;
  };

  void accept();

  Listener listener_;
  std::vector<Open> open_;  // the oldest first
};

}  // namespace weakspot::http
