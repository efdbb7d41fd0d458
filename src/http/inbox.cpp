// SPDX-License-Identifier: MIT
#include "http/inbox.h"

#include <poll.h>

#include <algorithm>

namespace weakspot::http {
namespace {

constexpr std::size_t kMostOpen = 32;
constexpr std::chrono::seconds kSilence{30};

}  // namespace

// The oldest silent connection makes room for a new one.
void Inbox::accept() {
  std::optional<Connection> connection = listener_.accept(Clock::now());
  if (!connection) return;
  if (open_.size() == kMostOpen) open_.erase(open_.begin());
  open_.push_back({std::move(*connection), Clock::now()});
}

std::optional<Inbox::Arrival> Inbox::next(std::size_t most_body, Clock::time_point until) {
  do {
    std::erase_if(open_, [](const Open& one) { return Clock::now() - one.since > kSilence; });
    std::vector<pollfd> watched = {{listener_.descriptor(), POLLIN, 0}};
    for (const Open& one : open_) watched.push_back({one.connection.descriptor(), POLLIN, 0});
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
    ::poll(watched.data(), watched.size(), static_cast<int>(std::clamp<std::int64_t>(left, 0, 1000)));
    std::size_t kept = 0;
    for (std::size_t i = 1; i < watched.size(); ++i) {
      if (watched[i].revents == 0) {
        ++kept;
        continue;
      }
      Request request;
      const Connection::Arrived arrived = open_[kept].connection.read_some(most_body, request);
      if (arrived == Connection::Arrived::part) {
        ++kept;
        continue;
      }
      Open ended = std::move(open_[kept]);
      open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(kept));
      if (arrived == Connection::Arrived::whole) return Arrival{std::move(request), std::move(ended.connection)};
    }
    if (watched[0].revents != 0) accept();
  } while (Clock::now() < until);
  return std::nullopt;
}

}  // namespace weakspot::http
