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

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: weakspot-race REPORT < REQUEST\nThis program belongs to 'weakspot race'.\n", stderr);
    return 2;
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // nobody would read the report
  weakspot::base::Result<std::string> text = weakspot::base::read_file("-");
  if (!text) {
    std::fputs(weakspot::base::render(text.errors()).c_str(), stderr);
    return 3;
  }
  weakspot::base::Result<weakspot::race::Request> request = weakspot::race::request_from_json(*text);
  if (!request) {
    std::fputs(weakspot::base::render(request.errors()).c_str(), stderr);
    return 2;
  }
  // What the program reads is not the rest of the request.
  if (const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC); nothing >= 0) dup2(nothing, STDIN_FILENO);
  const weakspot::race_jit::Answer answer = weakspot::race_jit::answer(*request);
  std::fputs(answer.messages.c_str(), stderr);
  if (answer.status != 0) return answer.status;
  const weakspot::base::Status written = weakspot::base::write_file(argv[1], weakspot::race::to_json(answer.report));
  if (!written) {
    std::fputs(weakspot::base::render(written.errors()).c_str(), stderr);
    return 3;
  }
  // Without the destructors of a program that ran here: it may have been stopped anywhere.
  std::fflush(nullptr);
  _exit(weakspot::race::has_faults(answer.report) ? 0 : answer.status_if_clean);
}
