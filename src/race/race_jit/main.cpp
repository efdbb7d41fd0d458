// SPDX-License-Identifier: MIT
// weakspot-race: finds races in CUDA programs. People start it with files and options (race_command/command.h). It then
// starts itself, as 'weakspot race' starts it, to answer a request over the channel of race/channel.h: only this second
// process compiles and runs code of others, and ends when the first one wants it to.
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <string_view>

#include "base/file.h"
#include "console/program.h"
#include "race/channel.h"
#include "race/report.h"
#include "race/request.h"
#include "race_command/command.h"
#include "race_jit/answer/channel.h"
#include "race_jit/answer/runner.h"
#include "race_jit/answer/serve_program.h"
#include "residual/residual.h"

using namespace weakspot;

namespace {

int fail(const base::Diagnostics& errors, int status) {
  std::fputs(base::render(errors).c_str(), stderr);
  return status;
}

int run(const char* folder) {
  base::Result<std::string> text = base::read_file("-");
  if (!text) return fail(text.errors(), 3);
  base::Result<race::Request> request = race::request_from_json(*text);
  if (!request) return fail(request.errors(), 2);
  // Gives the program an input of its own instead of the rest of the request.
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
  if (answer.residual) {
    return channel.send({race::RecordKind::residual, residual::to_json(*answer.residual)}) ? 0 : 3;
  }
  return channel.send({race::RecordKind::report, race::to_json(answer.report)}) ? 0 : 3;
}

}  // namespace

// A second stack for each thread of a kernel, on which the sanitizer would look for variables used after their function
// has returned, costs more than it finds.
extern "C" const char* __asan_default_options() { return "detect_stack_use_after_return=0"; }  // NOLINT: its name

int main(int argc, char** argv) {
  const std::string_view mode = argc > 1 ? argv[1] : "";
  // Started by a program that weakspot-nvcc built, whose life is not that of its parent.
  if (argc == 2 && mode == race::kServe) _exit(race_jit::serve_program());
  if (argc != 3 || mode != race::kAnswer) {
    return console::run_program(
        "weakspot-race", race_command::kSummary, argc, argv,
        [](console::Command& program, int& exit_code) { race_command::add_race_command(program, exit_code); });
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // nobody would read the report
  fcntl(race::kChannelDescriptor, F_SETFD, FD_CLOEXEC);
  const int status = run(argv[2]);
  // Without the destructors of a program that ran here: it may have been stopped anywhere.
  std::fflush(nullptr);
  _exit(status);
}
