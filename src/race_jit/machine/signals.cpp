// SPDX-License-Identifier: MIT
#include "race_jit/machine/signals.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/time.h>

#include <csignal>

#include "race_jit/machine/machine.h"

namespace weakspot::race_jit {
namespace {

constexpr std::size_t kStackSize = 256 * 1024;
StackBounds signal_stack;  // of the CrashGuard that lives; its handlers do not return
volatile std::sig_atomic_t in_runtime = 0;
volatile std::sig_atomic_t time_is_up = 0;
volatile std::sig_atomic_t stopping = 0;

[[noreturn]] void stop_for_time() {
  Incident incident{.kind = Incident::Kind::deadline};
  incident.text = kTimeIsOver;
  if (weakspot_current != nullptr) incident.site = weakspot_current->site;
  machine->abandon(std::move(incident));
}

void on_time(int) {
  forget_frames(signal_stack);
  time_is_up = 1;
  // Outside of compiled code the next hook will see it.
  if (machine != nullptr && weakspot_current != nullptr && in_runtime == 0) stop_for_time();
}

void on_stop(int number) {
  stopping = 1;
  on_time(number);
}

void on_crash(int number, siginfo_t* info, void*) {
  forget_frames(signal_stack);
  if (machine == nullptr || weakspot_current == nullptr || in_runtime != 0) {
    std::signal(number, SIG_DFL);
    raise(number);
    return;
  }
  Incident incident{.kind = Incident::Kind::crash, .site = weakspot_current->site};
  incident.text = number == SIGSEGV || number == SIGBUS
                      ? fmt::format("the kernel accessed address {}", fmt::ptr(info->si_addr))
                  : number == SIGFPE ? "the kernel divided by zero"
                                     : "the kernel executed an illegal instruction";
  if (machine->is_local(info->si_addr)) incident.text = "the stack of a thread is full";
  machine->abandon(std::move(incident));
}

constexpr int kCrashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

}  // namespace

CrashGuard::CrashGuard(double seconds) : stack_(new char[kStackSize]) {
  stack_t stack{};
  stack.ss_sp = stack_;
  stack.ss_size = kStackSize;
  sigaltstack(&stack, nullptr);
  signal_stack = {stack_, kStackSize};
  struct sigaction action{};
  action.sa_sigaction = &on_crash;
  // The handler never returns: the signal must not stay blocked.
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (int number : kCrashes) sigaction(number, &action, nullptr);
  struct sigaction timer{};
  timer.sa_handler = &on_time;
  timer.sa_flags = SA_ONSTACK | SA_NODEFER | SA_RESTART;
  sigaction(SIGALRM, &timer, nullptr);
  timer.sa_handler = &on_stop;
  sigaction(SIGTERM, &timer, nullptr);
  set_time_left(seconds);
}

CrashGuard::~CrashGuard() {
  const itimerval none{};
  setitimer(ITIMER_REAL, &none, nullptr);
  for (int number : kCrashes) std::signal(number, SIG_DFL);
  std::signal(SIGALRM, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  stack_t stack{};
  stack.ss_flags = SS_DISABLE;
  sigaltstack(&stack, nullptr);
  signal_stack = {};
  delete[] stack_;
}

void set_time_left(double seconds) {
  if (stopping != 0) seconds = 1e-3;
  time_is_up = 0;
  itimerval when{};
  when.it_value.tv_sec = static_cast<time_t>(seconds);
  when.it_value.tv_usec = static_cast<suseconds_t>((seconds - static_cast<double>(when.it_value.tv_sec)) * 1e6);
  // Goes off again, for the launches after the one that was stopped.
  when.it_interval.tv_sec = 1;
  setitimer(ITIMER_REAL, &when, nullptr);
}

bool time_left() { return time_is_up == 0 && stopping == 0; }
bool stop_requested() { return stopping != 0; }

InRuntime::InRuntime() { in_runtime = in_runtime + 1; }

InRuntime::~InRuntime() {
  in_runtime = in_runtime - 1;
  if (time_is_up != 0 && in_runtime == 0 && weakspot_current != nullptr) stop_for_time();
}

}  // namespace weakspot::race_jit
