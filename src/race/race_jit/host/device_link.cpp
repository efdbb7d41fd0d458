// SPDX-License-Identifier: MIT
#include "race_jit/host/device_link.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <iterator>

#include "race_jit/search/bytes.h"

namespace weakspot::race_jit {
namespace {

// Addresses travel as numbers, since both processes have the memory of the device at the same place; and a thread that
// asks the device holds up the others until it is answered.
// NOLINTBEGIN(performance-no-int-to-ptr,clang-analyzer-unix.BlockInCriticalSection)

enum class CallKind : std::uint8_t {
  allocate,
  release,
  launch,
  note_call,
  note_unseen,
  note_overlap,
  note_refusal,
  share_with_host,
  add_texture,
  remove_texture,
  add_code,
  compile_source,
  cannot_load
};

constexpr std::size_t kLargestPacket = 64 * 1024;
constexpr std::size_t kLongestText = 1024;
constexpr std::ptrdiff_t kMostUnordered = 2048;

template <typename... T>
std::string packed(const T&... values) {
  ByteWriter writer;
  writer(values...);
  return writer.take();
}

// An answer may be long: it comes in packets, each with a first byte that says whether more follow.
bool send_answer(int socket, std::string_view answer, const std::function<bool()>& goes_on) {
  do {
    const std::string_view part = answer.substr(0, kLargestPacket - 1);
    answer.remove_prefix(part.size());
    const std::string packet = std::string(1, answer.empty() ? '\0' : '\1') + std::string(part);
    while (send(socket, packet.data(), packet.size(), MSG_NOSIGNAL | MSG_DONTWAIT) < 0) {
      if (errno != EAGAIN && errno != EINTR) return false;
      if (!goes_on()) return false;
      pollfd wait = {socket, POLLOUT, 0};
      poll(&wait, 1, 100);
    }
  } while (!answer.empty());
  return true;
}

std::optional<std::string> answer_launch(ByteReader& reader, DeviceCalls& device) {
  LaunchCall call;
  race::LaunchShape& shape = call.shape;
  std::uint8_t cooperative = 0, keep_history = 0;  // any byte may have been sent
  reader(call.kernel, shape.grid, shape.block, shape.cluster, shape.shared, cooperative, call.arguments, call.work,
         call.unordered, call.depends_on, keep_history);
  if (reader.failed()) return std::nullopt;
  shape.cooperative = cooperative != 0;
  call.keep_history = keep_history != 0;
  const LaunchAnswer answer = device.launch(call);
  return packed(answer.made, answer.ended, answer.asserted, answer.output);
}

// The answer to a request; nothing if it is not one.
std::optional<std::string> answer_to(const std::string& request, DeviceCalls& device) {
  ByteReader reader(request);
  CallKind kind{};
  reader(kind);
  std::uint64_t number = 0;
  std::string text, more;
  switch (kind) {
    case CallKind::allocate: {
      race::Place at;
      reader(number, text, at.file, at.line, at.column);
      if (reader.failed()) return std::nullopt;
      if (at.file.size() > kLongestText) at = {};
      return packed(reinterpret_cast<std::uint64_t>(device.allocate(number, text.substr(0, kLongestText), at)));
    }
    case CallKind::release:
      reader(number);
      if (reader.failed()) return std::nullopt;
      return packed(device.release(reinterpret_cast<const void*>(number)));
    case CallKind::launch:
      return answer_launch(reader, device);
    case CallKind::note_call: {
      std::uint32_t line = 0;
      reader(text, more, line);
      if (reader.failed()) return std::nullopt;
      device.note_call(text.substr(0, kLongestText), more.substr(0, kLongestText), line);
      return packed(true);
    }
    case CallKind::note_refusal:
      reader(text, more);
      if (reader.failed()) return std::nullopt;
      device.note_refusal(text, more.substr(0, kLongestText));
      return packed(true);
    case CallKind::share_with_host:
      reader(number);
      if (reader.failed()) return std::nullopt;
      device.share_with_host(reinterpret_cast<const void*>(number));
      return packed(true);
    case CallKind::note_unseen: {
      std::uint8_t effect = 0, doubtful = 0;
      reader(text, effect, doubtful);
      if (reader.failed() || effect > static_cast<std::uint8_t>(race::Effect::unknown)) return std::nullopt;
      device.note_unseen(text.substr(0, kLongestText), static_cast<race::Effect>(effect), doubtful != 0);
      return packed(true);
    }
    case CallKind::note_overlap:
    case CallKind::cannot_load:
      reader(text);
      if (reader.failed()) return std::nullopt;
      if (kind == CallKind::note_overlap) {
        device.note_overlap(text);
      } else {
        device.cannot_load(text.substr(0, kLongestText));
      }
      return packed(true);
    case CallKind::add_texture: {
      Texture texture;
      reader(texture);
      if (reader.failed()) return std::nullopt;
      return packed(device.add_texture(texture));
    }
    case CallKind::remove_texture:
      reader(number);
      if (reader.failed()) return std::nullopt;
      return packed(device.remove_texture(number));
    case CallKind::add_code:
      reader(number);
      if (reader.failed()) return std::nullopt;
      return packed(device.add_code());
    case CallKind::compile_source:
      reader(number);
      if (reader.failed()) return std::nullopt;
      return packed(device.compile_source());
  }
  return std::nullopt;
}

template <typename T>
T only_value(const std::string& answer) {
  ByteReader reader(answer);
  T value{};
  reader(value);
  return value;
}

}  // namespace

Answered answer_request(int socket, DeviceCalls& device, const std::function<bool()>& goes_on) {
  std::string request(kLargestPacket, '\0');
  ssize_t size = 0;
  do {
    size = recv(socket, request.data(), request.size(), MSG_TRUNC);
  } while (size < 0 && errno == EINTR);
  if (size <= 0) return Answered::closed;
  if (static_cast<std::size_t>(size) > request.size()) return Answered::not_a_request;
  request.resize(static_cast<std::size_t>(size));
  const std::optional<std::string> answer = answer_to(request, device);
  if (!answer) return Answered::not_a_request;
  if (!goes_on()) return Answered::closed;  // its time ended meanwhile, and it does not go on
  return send_answer(socket, *answer, goes_on) ? Answered::yes : Answered::closed;
}

DeviceLink::DeviceLink(int socket) : socket_(socket), owner_(getpid()) {}

[[noreturn]] void DeviceLink::give_up() {
  constexpr std::string_view kWhy =
      "weakspot: the device is gone: main() closed its connection, or a time limit was reached\n";
  (void)!write(STDERR_FILENO, kWhy.data(), kWhy.size());
  kill(getpid(), SIGKILL);
  _exit(1);
}

// Empty if there is no device.
std::string DeviceLink::ask(const std::string& request) {
  const std::lock_guard lock(one_at_a_time_);
  if (getpid() != owner_ || request.size() > kLargestPacket) return {};
  ssize_t count = 0;
  do {
    count = send(socket_, request.data(), request.size(), MSG_NOSIGNAL);
  } while (count < 0 && errno == EINTR);
  if (count < 0) give_up();
  std::string answer, packet(kLargestPacket, '\0');
  for (bool more = true; more;) {
    do {
      count = recv(socket_, packet.data(), packet.size(), 0);
    } while (count < 0 && errno == EINTR);
    if (count <= 0) give_up();
    more = packet[0] != 0;
    answer.append(packet, 1, static_cast<std::size_t>(count) - 1);
  }
  return answer;
}

char* DeviceLink::allocate(std::uint64_t size, const std::string& name, const race::Place& at) {
  return reinterpret_cast<char*>(
      only_value<std::uint64_t>(ask(packed(CallKind::allocate, size, name, at.file, at.line, at.column))));
}

bool DeviceLink::release(const void* pointer) {
  return only_value<bool>(ask(packed(CallKind::release, reinterpret_cast<std::uint64_t>(pointer))));
}

LaunchAnswer DeviceLink::launch(const LaunchCall& call) {
  const race::LaunchShape& shape = call.shape;
  // A packet holds the latest launches if there are very many at once.
  std::vector<std::uint64_t> unordered = call.unordered;
  if (std::ssize(unordered) > kMostUnordered) unordered.erase(unordered.begin(), unordered.end() - kMostUnordered);
  const std::string bytes = ask(packed(CallKind::launch, call.kernel, shape.grid, shape.block, shape.cluster,
                                       shape.shared, std::uint8_t{shape.cooperative}, call.arguments, call.work,
                                       unordered, call.depends_on, std::uint8_t{call.keep_history}));
  ByteReader reader(bytes);
  LaunchAnswer answer;
  reader(answer.made, answer.ended, answer.asserted, answer.output);
  return answer;
}

void DeviceLink::note_call(const std::string& what, const std::string& file, std::uint32_t line) {
  ask(packed(CallKind::note_call, what, file, line));
}

void DeviceLink::note_unseen(const std::string& what, race::Effect effect, bool doubtful) {
  ask(packed(CallKind::note_unseen, what, static_cast<std::uint8_t>(effect), std::uint8_t{doubtful}));
}

void DeviceLink::note_overlap(const std::string& kernel) { ask(packed(CallKind::note_overlap, kernel)); }

void DeviceLink::note_refusal(const std::string& kernel, const std::string& error) {
  ask(packed(CallKind::note_refusal, kernel, error));
}

void DeviceLink::share_with_host(const void* pointer) {
  ask(packed(CallKind::share_with_host, reinterpret_cast<std::uint64_t>(pointer)));
}

std::uint64_t DeviceLink::add_texture(const Texture& texture) {
  return only_value<std::uint64_t>(ask(packed(CallKind::add_texture, texture)));
}

bool DeviceLink::remove_texture(std::uint64_t handle) {
  return only_value<bool>(ask(packed(CallKind::remove_texture, handle)));
}

// One byte alone would be taken for an exit code.
bool DeviceLink::add_code() { return only_value<bool>(ask(packed(CallKind::add_code, std::uint64_t{0}))); }

bool DeviceLink::compile_source() { return only_value<bool>(ask(packed(CallKind::compile_source, std::uint64_t{0}))); }

void DeviceLink::cannot_load(const std::string& why) { ask(packed(CallKind::cannot_load, why)); }

// NOLINTEND(performance-no-int-to-ptr,clang-analyzer-unix.BlockInCriticalSection)

}  // namespace weakspot::race_jit
