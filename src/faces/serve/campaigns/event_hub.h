// SPDX-License-Identifier: MIT
// Live status for those who listen: server-sent events. The status of a campaign is asked once for all its listeners.
// A listener hears of a change within an interval, and a comment from time to time, which tells both sides that the
// other one is still there.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "http/server.h"

namespace weakspot::serve {

struct EventHubOptions {
  std::size_t most_listeners = 100;
  std::chrono::milliseconds interval{1'000};
  std::chrono::milliseconds heartbeat{10'000};
};

class EventHub {
 public:
  // The text of an event about this subject, or "" if it is not known now. Called in the hub's thread.
  using Current = std::function<std::string(const std::string& subject)>;

  explicit EventHub(Current current, EventHubOptions options = {});
  ~EventHub();
  EventHub(const EventHub&) = delete;
  EventHub& operator=(const EventHub&) = delete;

  // Whether one more listener may join.
  bool has_room() const;
  // `first` is what the listener has heard already.
  void add(const std::string& subject, std::unique_ptr<http::Stream> stream, std::string first);

 private:
  using Clock = std::chrono::steady_clock;
  struct Listener {
    std::string subject;
    std::unique_ptr<http::Stream> stream;
    std::string heard;
    Clock::time_point at;
  };

  void work();
  void tell_all();
  bool tell(Listener& listener, const std::string& now) const;

  Current current_;
  EventHubOptions options_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Listener> listeners_;
  bool over_ = false;
  std::thread thread_;  // last: it uses the others
};

}  // namespace weakspot::serve
