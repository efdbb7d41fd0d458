// SPDX-License-Identifier: MIT
#include "serve/campaigns/event_hub.h"

#include <set>

namespace weakspot::serve {

EventHub::EventHub(Current current, EventHubOptions options)
    : current_(std::move(current)), options_(options), thread_([this] { work(); }) {}

EventHub::~EventHub() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

bool EventHub::has_room() const {
  const std::lock_guard lock(mutex_);
  return listeners_.size() < options_.most_listeners;
}

void EventHub::add(const std::string& subject, std::unique_ptr<http::Stream> stream, std::string first) {
  const std::lock_guard lock(mutex_);
  listeners_.push_back({subject, std::move(stream), std::move(first), Clock::now()});
  changed_.notify_one();
}

void EventHub::work() {
  std::unique_lock lock(mutex_);
  while (!over_) {
    if (listeners_.empty()) {
      changed_.wait(lock);
      continue;
    }
    changed_.wait_for(lock, options_.interval, [this] { return over_; });
    if (over_) return;
    lock.unlock();
    tell_all();
    lock.lock();
  }
}

// The store is asked without the lock, so that nobody waits for it to listen.
void EventHub::tell_all() {
  std::set<std::string> subjects;
  {
    const std::lock_guard lock(mutex_);
    for (const Listener& one : listeners_) subjects.insert(one.subject);
  }
  std::map<std::string, std::string> now;
  for (const std::string& subject : subjects) now[subject] = current_(subject);
  const std::lock_guard lock(mutex_);
  std::erase_if(listeners_, [&](Listener& one) {
    const auto found = now.find(one.subject);
    return !tell(one, found == now.end() ? "" : found->second);
  });
}

// False if the listener is gone.
bool EventHub::tell(Listener& listener, const std::string& now) const {
  const bool news = !now.empty() && now != listener.heard;
  if (!news && Clock::now() - listener.at < options_.heartbeat) return true;
  listener.at = Clock::now();
  if (!news) return listener.stream->send(": still here\n\n");
  listener.heard = now;
  return listener.stream->send(now);
}

}  // namespace weakspot::serve
