// SPDX-License-Identifier: MIT
#include "race_jit/guard/filter.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <functional>

namespace weakspot::race_jit {
namespace {

// In a copy of this process with the filter: the error number of a call, 0 if it worked; 200 without filters.
int error_under(const std::vector<sock_filter>& filter, const std::function<bool()>& call) {
  const pid_t child = fork();
  if (child == 0) {
    if (!install_filter(filter)) _exit(200);
    errno = 0;
    _exit(call() ? 0 : errno);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

class Filter : public testing::Test {
 protected:
  void SetUp() override {
    if (error_under(program_filter({}), [] { return true; }) == 200) GTEST_SKIP() << "this system has no filters";
  }
};

TEST_F(Filter, AProgramCannotReachOut) {
  const auto refused = [](const std::function<bool()>& call) { return error_under(program_filter({}), call); };
  EXPECT_EQ(refused([] { return ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0; }), EPERM);
  EXPECT_EQ(refused([] { return unshare(CLONE_NEWUSER) == 0; }), EPERM);
  EXPECT_EQ(refused([] { return socket(AF_UNIX, SOCK_STREAM, 0) >= 0; }), EAFNOSUPPORT);
  EXPECT_EQ(refused([] { return socket(AF_INET, SOCK_STREAM, 0) >= 0; }), EAFNOSUPPORT);
  EXPECT_EQ(refused([] {
              int ends[2];
              return socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0;
            }),
            0);
  EXPECT_EQ(refused([] {
              const pid_t child = fork();
              if (child == 0) _exit(0);
              return waitpid(child, nullptr, 0) == child;
            }),
            0);
}

TEST_F(Filter, ANetworkNamespaceMakesInternetSocketsHarmless) {
  const std::vector<sock_filter> filter = program_filter({.internet = true, .signals_to = {}});
  EXPECT_EQ(error_under(filter, [] { return socket(AF_INET, SOCK_STREAM, 0) >= 0; }), 0);
  EXPECT_EQ(error_under(filter, [] { return socket(AF_UNIX, SOCK_STREAM, 0) >= 0; }), EAFNOSUPPORT);
  EXPECT_EQ(error_under(filter, [] { return socket(AF_NETLINK, SOCK_RAW, 0) >= 0; }), EAFNOSUPPORT);
}

TEST_F(Filter, SignalsGoToOneProcess) {
  const pid_t parent = getpid();
  const std::vector<sock_filter> filter = program_filter({.internet = false, .signals_to = parent});
  EXPECT_EQ(error_under(filter, [&] { return kill(parent, 0) == 0; }), 0);
  EXPECT_EQ(error_under(filter, [] { return kill(0, 0) == 0; }), 0);
  EXPECT_EQ(error_under(filter, [] { return kill(1, 0) == 0; }), EPERM);
  EXPECT_EQ(error_under(filter, [] { return kill(-1, 0) == 0; }), EPERM);
}

TEST_F(Filter, TheCheckerChangesNoFiles) {
  const auto refused = [](const std::function<bool()>& call) { return error_under(checker_filter(), call); };
  EXPECT_EQ(refused([] { return open("/dev/null", O_RDONLY) >= 0; }), 0);
  EXPECT_EQ(refused([] { return open("/dev/null", O_WRONLY) >= 0; }), EROFS);
  EXPECT_EQ(refused([] { return unlink("/nonexistent/file") == 0; }), EPERM);
  EXPECT_EQ(refused([] {
              const char* words[] = {"true", nullptr};
              return execv("/bin/true", const_cast<char**>(words)) == 0;
            }),
            EPERM);
}

}  // namespace
}  // namespace weakspot::race_jit
