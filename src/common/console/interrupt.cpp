// SPDX-License-Identifier: MIT
#include "console/interrupt.h"

#include <csignal>

namespace weakspot::console {
namespace {

constexpr int kEndingSignals[] = {SIGINT, SIGTERM, SIGHUP};

// Globals, because a signal handler can reach nothing else.
std::atomic<bool> noted = false;
volatile std::sig_atomic_t noted_signal = SIGINT;
static_assert(std::atomic<bool>::is_always_lock_free);

void note(int number) {
  noted_signal = number;
  noted.store(true, std::memory_order_relaxed);
}

void handle(void (*handler)(int), int flags) {
  for (int number : kEndingSignals) {
    struct sigaction action{};
    if (::sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_IGN) continue;
    action = {};
    action.sa_handler = handler;
    action.sa_flags = flags;
    ::sigaction(number, &action, nullptr);
  }
}

}  // namespace

InterruptGuard::InterruptGuard() {
  noted = false;
  noted_signal = SIGINT;
  handle(note, static_cast<int>(SA_RESETHAND));
}

InterruptGuard::~InterruptGuard() { handle(SIG_DFL, 0); }

const std::atomic<bool>* InterruptGuard::flag() { return &noted; }

int InterruptGuard::exit_code() { return 128 + noted_signal; }

}  // namespace weakspot::console
