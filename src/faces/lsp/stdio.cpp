// SPDX-License-Identifier: MIT
#include "lsp/stdio.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <string_view>

#include "lsp/protocol/framing.h"
#include "lsp/server/server.h"

namespace weakspot::lsp {
namespace {

// Wakes the thread that waits for input.
class WakePipe {
 public:
  WakePipe() {
    if (pipe(ends_.data()) != 0) ends_ = {-1, -1};
  }
  ~WakePipe() {
    for (const int end : ends_) {
      if (end >= 0) close(end);
    }
  }
  WakePipe(const WakePipe&) = delete;
  WakePipe& operator=(const WakePipe&) = delete;

  int read_end() const { return ends_[0]; }
  // Called on any thread. One byte is enough for any number of calls.
  void wake() {
    if (awake_.exchange(true)) return;
    const char byte = 0;
    while (write(ends_[1], &byte, 1) < 0 && errno == EINTR) {
    }
  }
  void clear() {
    std::array<char, 16> bytes{};
    while (read(ends_[0], bytes.data(), bytes.size()) < 0 && errno == EINTR) {
    }
    awake_.store(false);
  }

 private:
  std::array<int, 2> ends_{-1, -1};
  std::atomic<bool> awake_ = false;
};

bool write_all(int output, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(output, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

int milliseconds_until(std::optional<Clock::time_point> deadline) {
  if (!deadline) return -1;
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(*deadline - Clock::now());
  return left.count() < 0 ? 0 : static_cast<int>(left.count()) + 1;
}

enum class Input : std::uint8_t { some, none, end };

// Waits for input, a wake or the deadline.
Input wait_for_input(int input, WakePipe& pipe, int timeout) {
  std::array<pollfd, 2> ends = {pollfd{input, POLLIN, 0}, pollfd{pipe.read_end(), POLLIN, 0}};
  if (poll(ends.data(), ends.size(), timeout) < 0) return errno == EINTR ? Input::none : Input::end;
  if ((ends[1].revents & POLLIN) != 0) pipe.clear();
  return (ends[0].revents & (POLLIN | POLLHUP | POLLERR)) != 0 ? Input::some : Input::none;
}

Input read_some(int input, FrameReader& frames) {
  static constexpr std::size_t kMost = std::size_t{64} << 10;
  std::array<char, kMost> bytes;
  const ssize_t count = read(input, bytes.data(), bytes.size());
  if (count < 0 && errno == EINTR) return Input::none;
  if (count <= 0) return Input::end;
  frames.feed(std::string_view(bytes.data(), static_cast<std::size_t>(count)));
  return Input::some;
}

}  // namespace

int serve_stdio(const std::string& version, int input, int output) {
  WakePipe pipe;
  bool open = true;
  Server server(
      version, [&](const Json& message) { open = open && write_all(output, framed(base::json_compact(message))); },
      [&pipe] { pipe.wake(); });
  FrameReader frames;
  while (open && !server.exit_code()) {
    while (const std::optional<FrameReader::Item> item = frames.next()) {
      item->fault ? server.refuse(item->text) : server.receive(item->text);
      if (server.exit_code()) break;
    }
    if (server.exit_code()) break;
    // Pending input is taken first: an editor that is behind needs no diagnostics of older texts.
    Input state = wait_for_input(input, pipe, 0);
    if (state == Input::none) {
      server.tick();
      state = wait_for_input(input, pipe, milliseconds_until(server.next_deadline()));
    }
    if (state == Input::some) state = read_some(input, frames);
    if (state == Input::end) break;
  }
  return server.exit_code().value_or(1);
}

}  // namespace weakspot::lsp
