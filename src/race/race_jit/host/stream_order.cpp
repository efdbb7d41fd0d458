// SPDX-License-Identifier: MIT
#include "race_jit/host/stream_order.h"

#include <algorithm>

namespace weakspot::race_jit {

void StreamOrder::join(Known& known, const Known& other) {
  for (const auto& [stream, count] : other) {
    std::uint64_t& mine = known[stream];
    mine = std::max(mine, count);
  }
}

StreamId StreamOrder::create_stream(bool blocking) {
  const StreamId id = next_stream_++;
  streams_[id].blocking = blocking;
  return id;
}

// Work that was handed to the stream goes on; nobody can wait for it by name any more.
void StreamOrder::destroy_stream(StreamId stream) {
  if (stream != 0) streams_.erase(stream);
}

EventId StreamOrder::create_event() {
  events_[next_event_] = {};
  return next_event_++;
}

// Everything known once the work in the stream so far is over.
StreamOrder::Known StreamOrder::end_of(StreamId stream) const {
  const Stream& self = streams_.at(stream);
  Known known = self.known;
  known[stream] = std::max(known[stream], self.submitted);
  return known;
}

std::uint64_t StreamOrder::submit(StreamId stream, std::vector<std::uint64_t>& unordered) {
  Stream& self = streams_.at(stream);
  join(self.known, host_);
  join(self.known, end_of(stream));
  if (stream == 0) {
    for (const auto& [id, other] : streams_) {
      if (other.blocking && id != 0) join(self.known, end_of(id));
    }
  } else if (self.blocking) {
    join(self.known, end_of(0));
  }
  unordered.clear();
  for (const Work& work : recent_) {
    auto found = self.known.find(work.stream);
    if (found == self.known.end() || found->second < work.position) unordered.push_back(work.number);
  }
  ++self.submitted;
  recent_.push_back({next_work_, stream, self.submitted});
  return next_work_++;
}

std::uint64_t StreamOrder::last_of(StreamId stream) const {
  std::uint64_t last = 0;
  for (const Work& work : recent_) {
    if (work.stream == stream) last = work.number;
  }
  return last;
}

void StreamOrder::record(EventId event, StreamId stream) {
  join(streams_.at(stream).known, host_);
  events_[event] = end_of(stream);
}

void StreamOrder::stream_waits(StreamId stream, EventId event) { join(streams_.at(stream).known, events_[event]); }

void StreamOrder::forget_what_is_over() {
  std::erase_if(recent_, [&](const Work& work) {
    auto found = host_.find(work.stream);
    return found != host_.end() && found->second >= work.position;
  });
}

void StreamOrder::host_waits_for_stream(StreamId stream) {
  join(host_, end_of(stream));
  // The default stream's last work has waited for all others before it.
  forget_what_is_over();
}

void StreamOrder::host_waits_for_event(EventId event) {
  join(host_, events_[event]);
  forget_what_is_over();
}

void StreamOrder::host_waits_for_all() {
  for (const auto& [id, stream] : streams_) join(host_, end_of(id));
  recent_.clear();
}

}  // namespace weakspot::race_jit
