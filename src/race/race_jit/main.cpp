// SPDX-License-Identifier: MIT
// weakspot-race: the part of 'weakspot race' that needs LLVM. Reads a request from standard input, keeps its files in
// the folder named by its argument, and reports over the channel of race/channel.h.
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <string_view>

#include "base/file.h"
#include "race/channel.h"
#include "race/report.h"
#include "race/request.h"
#include "race_jit/attach/serve_program.h"
#include "race_jit/channel.h"
#include "race_jit/runner.h"

namespace {

using namespace weakspot;

int fail(const base::Diagnostics& errors, int status) {
  std::fputs(base::render(errors).c_str(), stderr);
  return status;
}

int run(const char* folder) {
  base::Result<std::string> text = base::read_file("-");
  if (!text) return fail(text.errors(), 3);
  base::Result<race::Request> request = race::request_from_json(*text);
  if (!request) return fail(request.errors(), 2);
  // What the program reads is not the rest of the request.
  if (dup2(race::kInputDescriptor, STDIN_FILENO) >= 0) {
    close(race::kInputDescriptor);
  } else if (const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC); nothing >= 0) {
    dup2(nothing, STDIN_FILENO);
  }
  race_jit::Channel channel(race::kChannelDescriptor);
  const race_jit::Answer answer = race_jit::answer(*request, folder, channel);
  std::fputs(answer.messages.c_str(), stderr);
  std::fflush(stderr);
  if (answer.status != 0) return answer.status;
  return channel.send({race::RecordKind::report, race::to_json(answer.report)}) ? 0 : 3;
}

}  // namespace

// A second stack for each thread of a kernel, on which the sanitizer would look for variables used after their function
// has returned, costs more than it finds.
extern "C" const char* __asan_default_options() { return "detect_stack_use_after_return=0"; }  // NOLINT: its name

int main(int argc, char** argv) {
  // Started by a program that weakspot-nvcc built, whose life is not that of its parent.
  if (argc == 2 && std::string_view(argv[1]) == "--program") _exit(race_jit::serve_program());
  if (argc != 2) {
    std::fputs("usage: weakspot-race FOLDER < REQUEST\nThis program belongs to 'weakspot race'.\n", stderr);
    return 2;
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // nobody would read the report
  fcntl(race::kChannelDescriptor, F_SETFD, FD_CLOEXEC);
  const int status = run(argv[1]);
  // Without the destructors of a program that ran here: it may have been stopped anywhere.
  std::fflush(nullptr);
  _exit(status);
}
