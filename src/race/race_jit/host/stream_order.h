// SPDX-License-Identifier: MIT
// The order of a program's launches: by their stream, by events, by the default stream (it waits for all others, and
// all others wait for it), and by the host, which may wait for any of these.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace weakspot::race_jit {

using StreamId = std::uint64_t;  // 0 is the default stream
using EventId = std::uint64_t;

// A stream as the API names it: the default stream has three names.
inline StreamId stream_id(const void* stream) {
  const auto id = reinterpret_cast<StreamId>(stream);
  return id <= 2 ? 0 : id;
}

class StreamOrder {
 public:
  StreamOrder() { streams_[0] = {}; }

  // A non-blocking stream is not ordered with the default stream.
  StreamId create_stream(bool blocking);
  void destroy_stream(StreamId stream);
  bool has_stream(StreamId stream) const { return streams_.contains(stream); }
  // Whether any stream was ever created beside the default stream.
  bool has_streams() const { return next_stream_ > kFirstStream; }
  EventId create_event();
  void destroy_event(EventId event) { events_.erase(event); }
  bool has_event(EventId event) const { return events_.contains(event); }

  // Hands work to a stream and returns its number. `unordered` receives the numbers of earlier work that may run at the
  // same time.
  std::uint64_t submit(StreamId stream, std::vector<std::uint64_t>& unordered);
  // The last work of the stream that the host does not know to be over; 0 if there is none.
  std::uint64_t last_of(StreamId stream) const;
  void record(EventId event, StreamId stream);
  void stream_waits(StreamId stream, EventId event);
  void host_waits_for_stream(StreamId stream);
  void host_waits_for_event(EventId event);
  void host_waits_for_all();

 private:
  // The number of pieces of work of each stream that are known to be over.
  using Known = std::map<StreamId, std::uint64_t>;
  struct Stream {
    bool blocking = true;
    std::uint64_t submitted = 0;
    Known known;
  };
  struct Work {
    std::uint64_t number;
    StreamId stream;
    std::uint64_t position;  // in its stream, from 1
  };

  static void join(Known& known, const Known& other);
  Known end_of(StreamId stream) const;
  void forget_what_is_over();

  std::map<StreamId, Stream> streams_;
  std::map<EventId, Known> events_;
  Known host_;
  std::vector<Work> recent_;                    // work that the host does not know to be over
  static constexpr StreamId kFirstStream = 16;  // small numbers have meanings of their own in CUDA
  std::uint64_t next_stream_ = kFirstStream, next_event_ = 1, next_work_ = 1;
};

}  // namespace weakspot::race_jit
