// SPDX-License-Identifier: MIT
// The server behind everything that we serve, for one client or many. One thread reads and writes all connections and
// never waits for one of them: a client that is slow, silent or half open costs a descriptor until its time is over,
// and nobody else notices. Where descriptors run out, the connection that was quiet for the longest ends: of the
// address itself if it has too many, else of the address that has the most. So a newcomer is always heard, and nobody
// keeps others out. Requests follow each other on one connection. Whoever answers may do so later and from another
// thread.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "http/listener.h"
#include "http/message.h"
#include "http/sender.h"

namespace weakspot::http {

using Clock = std::chrono::steady_clock;

struct ServerLimits {
  std::size_t connections = 800;
  std::size_t per_address = 256;               // of them; proxies have no such limit
  std::vector<std::string> proxies;            // as sender_of() takes them
  std::size_t body = 1u << 20;                 // bytes, unless most_body says otherwise
  std::chrono::milliseconds idle{60'000};      // between two requests
  std::chrono::milliseconds request{15'000};   // from the first byte of a request to its last
  std::chrono::milliseconds response{30'000};  // for the client to take it, or the next part of a stream
  std::size_t stream = 256u << 10;             // bytes of a stream that may wait for a slow client
  // The most bytes of the body that may follow this head; called in the server's thread.
  std::function<std::size_t(const Request& head)> most_body;
};

// A request and where it came from.
struct Asked {
  Request request;
  Sender sender;
};

// An answer without an end, which anyone may add to from any thread. It ends when this is dropped.
class Stream {
 public:
  virtual ~Stream() = default;
  // False once the client is gone, or so slow that the server has given it up.
  virtual bool send(std::string bytes) = 0;
  // Set from then on, and when the server has ended.
  virtual const std::atomic<bool>& gone() const = 0;
};

// Gives the answer to one request: once, from any thread, also after the server has ended. A request whose answer is
// dropped without a call gets 500.
class Answering {
 public:
  virtual ~Answering() = default;
  virtual void give(Response response) = 0;
  // Gives the head and the beginning of an answer that goes on. The response must be a good one.
  virtual std::unique_ptr<Stream> stream(Response response) = 0;
};
using Answer = std::unique_ptr<Answering>;

// Called in the server's thread for every whole request; what takes long belongs elsewhere.
using Handler = std::function<void(Asked asked, Answer answer)>;

// Raises the number of files that this process may have open, at most to `wanted`. Returns what it is now.
std::size_t allow_descriptors(std::size_t wanted);

class Server {
 public:
  virtual ~Server() = default;
  // Waits for something to do, a tenth of a second at most, and does it. Between two turns the clients wait.
  virtual void turn() = 0;
};
std::unique_ptr<Server> make_server(Listener listener, ServerLimits limits, Handler handler);

// Takes turns until `stop`.
void serve(Listener listener, ServerLimits limits, Handler handler, const std::atomic<bool>& stop);

}  // namespace weakspot::http
