// SPDX-License-Identifier: MIT
#include "system/strays.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/unique_fd.h"

namespace weakspot::base {
namespace {

// A child that leaves a process behind: in a session of its own, deaf to signals. Returns its number.
pid_t leave_a_daemon() {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    if (::fork() != 0) _exit(0);
    ::setsid();
    sigset_t all;
    sigfillset(&all);
    ::sigprocmask(SIG_BLOCK, &all, nullptr);
    const pid_t own = ::getpid();
    if (::write(ends[1], &own, sizeof own) < 0) _exit(1);
    for (;;) ::pause();
  }
  pid_t left = 0;
  EXPECT_EQ(::read(ends[0], &left, sizeof left), static_cast<ssize_t>(sizeof left));
  ::close(ends[0]);
  ::close(ends[1]);
  ::waitpid(child, nullptr, 0);
  return left;
}

TEST(Strays, ADaemonIsEndedAndOtherChildrenAreNot) {
  const pid_t own = ::fork();
  if (own == 0) {
    for (;;) ::pause();
  }
  {
    const Strays strays;
    const pid_t left = leave_a_daemon();
    EXPECT_EQ(::kill(left, 0), 0);
    EXPECT_EQ(strays.end(), 1u);
    EXPECT_NE(::kill(left, 0), 0);
    EXPECT_EQ(strays.end(), 0u);
  }
  EXPECT_EQ(::kill(own, 0), 0);
  ::kill(own, SIGKILL);
  ::waitpid(own, nullptr, 0);
}

}  // namespace
}  // namespace weakspot::base
