// SPDX-License-Identifier: MIT
// weakspot-race: the part of 'weakspot race' that needs LLVM. Reads a request from standard input and writes the
// report to the file named by its argument.
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "base/file.h"
#include "race/report.h"
#include "race/request.h"
#include "race_jit/runner.h"

namespace {

using namespace weakspot;

int fail(const base::Diagnostics& errors, int status) {
  std::fputs(base::render(errors).c_str(), stderr);
  return status;
}

int run(const char* report_file) {
  base::Result<std::string> text = base::read_file("-");
  if (!text) return fail(text.errors(), 3);
  base::Result<race::Request> request = race::request_from_json(*text);
  if (!request) return fail(request.errors(), 2);
  // What the program reads is not the rest of the request.
  if (const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC); nothing >= 0) dup2(nothing, STDIN_FILENO);
  const race_jit::Answer answer = race_jit::answer(*request);
  std::fputs(answer.messages.c_str(), stderr);
  if (answer.status != 0) return answer.status;
  const base::Status written = base::write_file(report_file, race::to_json(answer.report));
  if (!written) return fail(written.errors(), 3);
  return race::has_faults(answer.report) ? 0 : answer.status_if_clean;
}

}  // namespace

// A second stack for each thread of a kernel, on which the sanitizer would look for variables used after their function
// has returned, costs more than it finds.
extern "C" const char* __asan_default_options() { return "detect_stack_use_after_return=0"; }  // NOLINT: its name

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: weakspot-race REPORT < REQUEST\nThis program belongs to 'weakspot race'.\n", stderr);
    return 2;
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // nobody would read the report
  const int status = run(argv[1]);
  // Without the destructors of a program that ran here: it may have been stopped anywhere.
  std::fflush(nullptr);
  _exit(status);
}
