// SPDX-License-Identifier: MIT
#include "race_jit/search/workers.h"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

namespace weakspot::race_jit {
namespace {

bool send_all(int socket, const void* data, std::size_t size) {
  const char* at = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t sent = send(socket, at, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    at += sent;
    size -= static_cast<std::size_t>(sent);
  }
  return true;
}

bool receive_all(int socket, void* data, std::size_t size) {
  char* at = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t received = recv(socket, at, size, 0);
    if (received < 0 && errno == EINTR) continue;
    if (received <= 0) return false;
    at += received;
    size -= static_cast<std::size_t>(received);
  }
  return true;
}

// A message is its length and its bytes.
bool send_message(int socket, const std::string& message) {
  const std::uint64_t size = message.size();
  return send_all(socket, &size, sizeof size) && send_all(socket, message.data(), message.size());
}

std::optional<std::string> receive_message(int socket) {
  std::uint64_t size = 0;
  if (!receive_all(socket, &size, sizeof size)) return std::nullopt;
  std::string message(size, '\0');
  if (!receive_all(socket, message.data(), size)) return std::nullopt;
  return message;
}

}  // namespace

Workers::Workers(unsigned count, Work work) : work_(std::move(work)) {
  for (unsigned i = 0; i < count; ++i) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return;
    const int parent = getpid();
    const int process = fork();
    if (process == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != parent) _exit(0);
      close(ends[0]);
      for (const Worker& other : workers_) close(other.socket);
      serve(ends[1]);
    }
    close(ends[1]);
    if (process < 0) {
      close(ends[0]);
      return;
    }
    workers_.push_back({process, ends[0], std::nullopt});
  }
}

// A worker ends when it finds its socket closed.
Workers::~Workers() {
  for (const Worker& worker : workers_) {
    if (worker.socket >= 0) close(worker.socket);
  }
  for (const Worker& worker : workers_) {
    while (waitpid(worker.process, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
}

void Workers::serve(int socket) const {
  while (const std::optional<std::string> request = receive_message(socket)) {
    if (!send_message(socket, work_(*request))) break;
  }
  _exit(0);  // destructors and buffers are left to the parent
}

void Workers::give(Worker& worker, std::size_t number, const std::vector<std::string>& requests) {
  if (send_message(worker.socket, requests[number])) {
    worker.request = number;
    return;
  }
  close(worker.socket);
  worker.socket = -1;
}

std::vector<std::optional<std::string>> Workers::run(const std::vector<std::string>& requests,
                                                     const std::function<bool()>& goes_on) {
  std::vector<std::optional<std::string>> answers(requests.size());
  std::size_t next = 0;
  for (;;) {
    std::vector<pollfd> busy;
    std::vector<Worker*> whose;
    if (!goes_on()) next = requests.size();
    for (Worker& worker : workers_) {
      if (worker.socket >= 0 && !worker.request && next < requests.size()) give(worker, next++, requests);
      if (worker.socket < 0 || !worker.request) continue;
      busy.push_back({worker.socket, POLLIN, 0});
      whose.push_back(&worker);
    }
    if (busy.empty()) return answers;
    if (poll(busy.data(), busy.size(), -1) < 0) continue;
    for (std::size_t i = 0; i < busy.size(); ++i) {
      if (busy[i].revents == 0) continue;
      Worker& worker = *whose[i];
      answers[*worker.request] = receive_message(worker.socket);
      if (!answers[*worker.request]) {
        close(worker.socket);
        worker.socket = -1;
      }
      worker.request.reset();
    }
  }
}

}  // namespace weakspot::race_jit
