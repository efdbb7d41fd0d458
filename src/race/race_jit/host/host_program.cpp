// SPDX-License-Identifier: MIT
#include "race_jit/host/host_program.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <iostream>

#include "base/file.h"
#include "race_jit/guard/filter.h"
#include "race_jit/host/device_link.h"
#include "race_jit/host/host_api.h"
#include "race_jit/host/host_device.h"
#include "race_jit/machine/signals.h"

namespace weakspot::race_jit {
namespace {

using Main = int (*)(int, char**, char**);

// The text with comments and literals blanked out.
std::string code_only(std::string_view source) {
  std::string text(source);
  auto blank = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to && i < text.size(); ++i) text[i] = ' ';
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '/' && i + 1 < text.size() && text[i + 1] == '/') {
      const std::size_t end = std::min(text.find('\n', i), text.size());
      blank(i, end);
      i = end;
    } else if (text[i] == '/' && i + 1 < text.size() && text[i + 1] == '*') {
      const std::size_t end = std::min(text.find("*/", i + 2), text.size());
      blank(i, end + 2);
      i = end + 1;
    } else if (text[i] == '"' ||
               (text[i] == '\'' && (i == 0 || std::isalnum(static_cast<unsigned char>(text[i - 1])) == 0))) {
      std::size_t end = i + 1;
      while (end < text.size() && text[end] != text[i] && text[end] != '\n') end += text[end] == '\\' ? 2 : 1;
      blank(i, end + 1);
      i = end;
    }
  }
  return text;
}

// A function that neither the program nor the stand-in has is named with the line that calls it first.
base::Diagnostic explain_load_error(const std::string& problem, const std::string& file) {
  constexpr std::string_view kUndefined = "undefined symbol: ";
  const std::size_t at = problem.find(kUndefined);
  if (at == std::string::npos) return base::error_in(file, "cannot run the program: " + problem);
  const std::string symbol = problem.substr(at + kUndefined.size());
  std::string place = file;
  if (base::Result<std::string> source = base::read_file(file)) {
    const std::string text = code_only(*source);
    const std::size_t use = text.find(symbol);
    if (use != std::string::npos) {
      place += fmt::format(":{}", 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(use), '\n'));
    }
  }
  return base::error_in(
      place, fmt::format("cannot run the program: it calls {}, which is neither defined in it nor modelled", symbol));
}

// Far from the descriptors that programs close in a loop.
constexpr int kFirstDescriptor = 512;

bool connect(base::UniqueFd& ours, base::UniqueFd& theirs) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return false;
  ours = base::UniqueFd(ends[0]);
  theirs = base::UniqueFd(ends[1]);
  // Fails where so many are not allowed.
  if (base::UniqueFd high(fcntl(ends[1], F_DUPFD_CLOEXEC, kFirstDescriptor)); high.valid()) theirs = std::move(high);
  return true;
}

// In the process of the program: loads it and calls main(). Constructors run when it is loaded.
int in_program(const Program& program, int socket, Arena& memory, const DeviceModule& module) {
  memory.drop_shadow();
  use_host_api();
  use_host_device_api();
  use_host_texture_api();
  use_host_graph_api();
  use_host_more_api();
  use_host_hip_api();
  use_driver_api();
  DeviceLink link(socket);
  HostDevice runtime(link, memory, module);
  host_device.set(&runtime);
  std::vector<std::string> words{program.name};
  words.insert(words.end(), program.arguments.begin(), program.arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  void* handle = dlopen(program.library.c_str(), RTLD_NOW | RTLD_LOCAL);
  const auto main_function = handle == nullptr ? nullptr : reinterpret_cast<Main>(dlsym(handle, "main"));
  if (main_function == nullptr) {
    link.cannot_load(handle == nullptr ? dlerror() : "it has no main()");
    return 1;
  }
  const int code = main_function(static_cast<int>(words.size()), argv.data(), environ);
  std::cout.flush();
  std::fflush(nullptr);
  return code & 0xff;
}

// Says how a signal ended the program.
std::string signal_text(int number) {
  switch (number) {
    case SIGSEGV:
    case SIGBUS:
      return "main() accessed invalid memory";
    case SIGFPE:
      return "main() divided by zero";
    case SIGABRT:
      return "main() was aborted";
    case SIGILL:
    case SIGTRAP:
      return "main() executed an illegal instruction";
    case SIGXCPU:
      return "main() used too much processor time";
    case SIGXFSZ:
      return "main() wrote too large a file";
    default:
      return "main() " + base::Ending{0, number}.text();
  }
}

// Answers the program until it ends or its time is over.
ProgramEnd serve(Sandbox& box, int socket, DeviceService& device) {
  constexpr int kTick = 200;  // milliseconds; the alarm interrupts a wait, but may come just before it
  ProgramEnd end;
  bool connected = true;
  while (time_left()) {
    pollfd waits[2] = {{connected ? socket : -1, POLLIN, 0}, {box.descriptor(), POLLIN, 0}};
    if (poll(waits, 2, kTick) <= 0) continue;
    if (waits[0].revents != 0) {
      const Answered answered = answer_request(socket, device, [] { return time_left(); });
      connected = answered == Answered::yes;
      if (answered == Answered::not_a_request) {
        end.problem = "main() wrote into its connection to the device";
        return end;
      }
    }
    if (waits[1].revents == 0 || !box.has_ended()) continue;
    if (!box.end().limit.empty()) end.problem = "main() was stopped: " + box.end().limit;
    if (box.end().program) {
      end.exit_code = box.end().program->exit_code;
      if (box.end().program->signal != 0) end.problem = signal_text(box.end().program->signal);
    } else if (end.problem.empty()) {
      end.problem = "main() was stopped, and nobody knows why";
    }
    return end;
  }
  end.problem = stop_requested() ? "main() was interrupted" : "main() did not end in time";
  return end;
}

}  // namespace

// Programs are linked so that their exit() is this: destructors and handlers of this program are not theirs.
extern "C" [[noreturn]] void __wrap_exit(int code) {
  std::cout.flush();
  std::fflush(nullptr);
  _exit(code);
}

bool defines_main(std::string_view source) {
  const std::string text = code_only(source);
  auto is_word = [&](std::size_t at) {
    return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_');
  };
  for (std::size_t at = text.find("main"); at != std::string::npos; at = text.find("main", at + 1)) {
    if ((at > 0 && is_word(at - 1)) || is_word(at + 4)) continue;
    const std::size_t next = text.find_first_not_of(" \t\n", at + 4);
    if (next == std::string::npos || text[next] != '(') continue;
    // A definition: its list of parameters is followed by a body, and a type stands before.
    std::size_t end = next;
    int depth = 0;
    for (; end < text.size(); ++end) {
      if (text[end] == '(') ++depth;
      if (text[end] == ')' && --depth == 0) break;
    }
    const std::size_t body = text.find_first_not_of(" \t\n\r", end + 1);
    if (body != std::string::npos && (text[body] == '{' || text.compare(body, 2, "->") == 0)) return true;
  }
  return false;
}

base::Result<ProgramEnd> run_program(const Program& program, const SandboxOptions& sandbox, DeviceService& device,
                                     Arena& memory, const DeviceModule& module) {
  base::UniqueFd ours, theirs;
  if (!connect(ours, theirs)) return base::error("cannot make a socket", base::ErrorKind::environment);
  SandboxOptions options = sandbox;
  options.keep = {theirs.get()};
  std::fflush(nullptr);
  base::Result<Sandbox> box = Sandbox::start(options, [&] {
    ours.reset();
    return in_program(program, theirs.get(), memory, module);
  });
  if (!box) return box.errors();
  theirs.reset();
  if (!options.trust) protect_checker();
  ProgramEnd end = serve(*box, ours.get(), device);
  end.notes = box->notes();
  if (!device.load_error().empty()) return explain_load_error(device.load_error(), program.name);
  return end;
}

}  // namespace weakspot::race_jit
