// SPDX-License-Identifier: MIT
#include "cli/interrupt.h"

#include <csignal>

namespace weakspot::cli {
namespace {

// A global, because a signal handler can reach nothing else.
volatile std::sig_atomic_t noted = 0;

void note(int) { noted = 1; }

void handle(void (*handler)(int), int flags) {
  struct sigaction action{};
  action.sa_handler = handler;
  action.sa_flags = flags;
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  noted = 0;
  handle(note, static_cast<int>(SA_RESETHAND));
}

InterruptGuard::~InterruptGuard() { handle(SIG_DFL, 0); }

bool InterruptGuard::interrupted() { return noted != 0; }

}  // namespace weakspot::cli
