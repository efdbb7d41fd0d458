// SPDX-License-Identifier: MIT
#include "race_jit/machine/signals.h"

#include <fmt/format.h>
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>

#include <array>
#include <atomic>
#include <csignal>

#include "race_jit/machine/core.h"

namespace weakspot::race_jit {
namespace {

constexpr std::size_t kStackSize = 256 * 1024;
constexpr int kTellWorker = SIGUSR1;
thread_local StackBounds signal_stack;  // the living guard's; its handlers do not return
thread_local volatile std::sig_atomic_t in_runtime = 0;
std::array<std::atomic<pthread_t>, kMostWorkers> worker_threads;  // 0: none
volatile std::sig_atomic_t time_is_up = 0;
volatile std::sig_atomic_t stopping = 0;

[[noreturn]] void stop_for_time() {
  Incident incident{.kind = Incident::Kind::deadline};
  incident.text = kTimeIsOver;
  if (weakspot_current != nullptr) incident.site = weakspot_current->site;
  core->abandon(std::move(incident));
}

// Outside of compiled code the next hook will see it.
void stop_compiled_code(int) {
  forget_frames(signal_stack);
  if (core != nullptr && weakspot_current != nullptr && in_runtime == 0) stop_for_time();
}

void on_time(int number) {
  time_is_up = 1;
  for (const std::atomic<pthread_t>& worker : worker_threads) {
    if (const pthread_t thread = worker.load(); thread != 0) pthread_kill(thread, kTellWorker);
  }
  stop_compiled_code(number);
}

void on_stop(int number) {
  stopping = 1;
  on_time(number);
}

void on_crash(int number, siginfo_t* info, void*) {
  forget_frames(signal_stack);
  if (core == nullptr || weakspot_current == nullptr || in_runtime != 0) {
    std::signal(number, SIG_DFL);
    raise(number);
    return;
  }
  Incident incident{.kind = Incident::Kind::crash, .site = weakspot_current->site};
  incident.text = number == SIGSEGV || number == SIGBUS
                      ? fmt::format("the kernel accessed address {}", fmt::ptr(info->si_addr))
                  : number == SIGFPE ? "the kernel divided by zero"
                                     : "the kernel executed an illegal instruction";
  if (core->turns().is_local(info->si_addr)) incident.text = "the stack of a thread is full";
  core->abandon(std::move(incident));
}

constexpr int kCrashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

}  // namespace

namespace {

char* make_signal_stack() {
  stack_t stack{};
  auto* memory = new char[kStackSize];
  stack.ss_sp = memory;
  stack.ss_size = kStackSize;
  sigaltstack(&stack, nullptr);
  signal_stack = {memory, kStackSize};
  return memory;
}

void drop_signal_stack(const char* memory) {
  stack_t stack{};
  stack.ss_flags = SS_DISABLE;
  sigaltstack(&stack, nullptr);
  signal_stack = {};
  delete[] memory;
}

}  // namespace

WorkerGuard::WorkerGuard() : stack_(make_signal_stack()) {
  for (place_ = 0; place_ < worker_threads.size(); ++place_) {
    pthread_t nobody = 0;
    if (worker_threads[place_].compare_exchange_strong(nobody, pthread_self())) return;
  }
}

WorkerGuard::~WorkerGuard() {
  if (place_ < worker_threads.size()) worker_threads[place_] = 0;
  drop_signal_stack(stack_);
}

CrashGuard::CrashGuard(double seconds) : stack_(make_signal_stack()) {
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
  timer.sa_handler = &stop_compiled_code;
  sigaction(kTellWorker, &timer, nullptr);
  set_time_left(seconds);
}

CrashGuard::~CrashGuard() {
  const itimerval none{};
  setitimer(ITIMER_REAL, &none, nullptr);
  for (int number : kCrashes) std::signal(number, SIG_DFL);
  std::signal(SIGALRM, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  std::signal(kTellWorker, SIG_DFL);
  drop_signal_stack(stack_);
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
