// SPDX-License-Identifier: MIT
// Measures how fast kernels run with the checker of 'weakspot race', and how much faster without it.
//
//   race_rates [--repeat N] [--plain-checker] FILE.cu...
//   race_rates --search RUNS FILE.cu...
//   race_rates --cores N [--repeat N] FILE.cu...
//
// The first annotated launch of each file runs N times on fresh memory, checked and unchecked. A line shows the best
// time of each in seconds of one core, the number and rate of checked accesses, and the ratio of the times. --search
// instead measures the total time of the given number of runs of the launch, including arguments and three schedules.
// The time to compile is shown separately. --cores compares the time that passes on one core and on several, with the
// processor time of both.
#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/source.h"
#include "race/request.h"
#include "race_jit/compile/frontend.h"
#include "race_jit/lower/device_module.h"
#include "race_jit/machine/machine.h"
#include "race_jit/machine/signals.h"
#include "race_jit/search/arguments.h"
#include "race_jit/search/session.h"

namespace {

using namespace weakspot;
using namespace weakspot::race_jit;

double seconds_of(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// The processor time of this thread alone: others may be using the machine.
double cpu_seconds() { return seconds_of(CLOCK_THREAD_CPUTIME_ID); }

struct Measured {
  double compile = 0, launch = 0;
  double passed = 0, process = 0;  // times of the launch: on the clock, and of all threads
  std::uint64_t accesses = 0;
};

struct Prepared {
  std::unique_ptr<Machine> device;
  std::unique_ptr<DeviceModule> module;
  race::LaunchSpec launch;
  double compile = 0;
};

base::Result<Prepared> prepare(const std::string& file, const std::string& bitcode, const DeviceOptions& options) {
  Prepared prepared;
  base::Result<std::string> text = base::read_file(file);
  if (!text) return text.errors();
  base::Result<race::Annotations> annotations = race::read_annotations(base::Source(file, *text));
  if (!annotations) return annotations.errors();
  if (annotations->launches.empty()) return base::error_in(file, "expected a line '// weakspot: launch ...'");
  prepared.launch = annotations->launches.front();
  base::Result<std::unique_ptr<Arena>> arena = Arena::create();
  if (!arena) return arena.errors();
  prepared.device = std::make_unique<Machine>(std::move(*arena), MachineOptions{});
  const double start = cpu_seconds();
  base::Result<std::unique_ptr<DeviceModule>> module = load_device_module(bitcode, *prepared.device, options);
  if (!module) return module.errors();
  prepared.module = std::move(*module);
  prepared.compile = cpu_seconds() - start;
  return prepared;
}

base::Status launch(Prepared& prepared, base::Rng& rng, Schedule schedule, Measured& measured, unsigned cores = 1) {
  const Kernel& kernel = prepared.module->kernels().front();
  base::Result<Arguments> arguments =
      Arguments::make(kernel, with_all_arguments(kernel, prepared.launch), prepared.device->arena(), rng.next());
  if (!arguments) return arguments.errors();
  LaunchRequest request = launch_request(kernel, prepared.launch);
  request.arguments = arguments->pointers();
  request.cores = cores;
  const double start = cpu_seconds(), passed = seconds_of(CLOCK_MONOTONIC), used = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  const bool ended = prepared.device->launch(request, schedule);
  measured.launch = cpu_seconds() - start;
  measured.passed = seconds_of(CLOCK_MONOTONIC) - passed;
  measured.process = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - used;
  if (!ended || !prepared.device->detector().races().empty()) {
    return base::error("the kernel was expected to end and to have no race");
  }
  return base::ok_status();
}

base::Result<Measured> measure(const std::string& file, const std::string& bitcode, const DeviceOptions& options,
                               int repeat, unsigned cores = 1) {
  Measured best;
  for (int i = 0; i < repeat; ++i) {
    base::Result<Prepared> prepared = prepare(file, bitcode, options);
    if (!prepared) return prepared.errors();
    base::Rng rng(1);
    Measured now;
    if (base::Status done = launch(*prepared, rng, Schedule::forward, now, cores); !done) return done.errors();
    now.compile = prepared->compile;
    if (i == 0) best = now;
    for (double Measured::* time : {&Measured::compile, &Measured::launch, &Measured::passed, &Measured::process}) {
      best.*time = std::min(best.*time, now.*time);
    }
    best.accesses = prepared->device->checked_accesses();
  }
  return best;
}

base::Status compare_cores(const std::string& file, const std::string& bitcode, const DeviceOptions& options,
                           int repeat, unsigned cores) {
  base::Result<Measured> one = measure(file, bitcode, options, repeat);
  if (!one) return one.errors();
  base::Result<Measured> many = measure(file, bitcode, options, repeat, cores);
  if (!many) return many.errors();
  fmt::print("{:<24} 1 core {:7.4f} s ({:7.4f} s used)  {} cores {:7.4f} s ({:7.4f} s used)  {:4.2f} times as fast\n",
             file, one->passed, one->process, cores, many->passed, many->process, one->passed / many->passed);
  return base::ok_status();
}

base::Status search(const std::string& file, const std::string& bitcode, const DeviceOptions& options, int runs) {
  base::Result<Prepared> prepared = prepare(file, bitcode, options);
  if (!prepared) return prepared.errors();
  base::Rng rng(1);
  const double start = cpu_seconds();
  for (int i = 0; i < runs; ++i) {
    const Schedule schedule = i % 3 == 0 ? Schedule::forward : i % 3 == 1 ? Schedule::reversed : Schedule::random;
    prepared->device->arena().clear();
    Measured ignored;
    if (base::Status done = launch(*prepared, rng, schedule, ignored); !done) return done;
  }
  const double seconds = cpu_seconds() - start;
  fmt::print("{:<24} {} runs {:8.3f} s, compiled in {:.3f} s\n", file, runs, seconds, prepared->compile);
  return base::ok_status();
}

base::Status show(const std::string& file, const std::string& bitcode, const DeviceOptions& options, int repeat) {
  base::Result<Measured> checked = measure(file, bitcode, options, repeat);
  if (!checked) return checked.errors();
  DeviceOptions without = options;
  without.check = false;
  base::Result<Measured> unchecked = measure(file, bitcode, without, repeat);
  if (!unchecked) return unchecked.errors();
  fmt::print(
      "{:<24} {:6.1f} M accesses  checked {:7.4f} s  unchecked {:7.4f} s  {:6.1f} M/s  ratio {:4.1f}  jit {:.3f} s\n",
      file, static_cast<double>(checked->accesses) / 1e6, checked->launch, unchecked->launch,
      static_cast<double>(checked->accesses) / 1e6 / checked->launch, checked->launch / unchecked->launch,
      checked->compile);
  return base::ok_status();
}

int fail(const base::Diagnostics& errors) {
  std::fputs(base::render(errors).c_str(), stderr);
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  DeviceOptions options;
  int repeat = 3, runs = 0, cores = 0;
  std::vector<std::string> files;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--plain-checker") {
      options.plain_checker = true;
    } else if (word == "--repeat" && i + 1 < argc) {
      repeat = std::max(std::atoi(argv[++i]), 1);
    } else if (word == "--cores" && i + 1 < argc) {
      cores = std::max(std::atoi(argv[++i]), 1);
    } else if (word == "--search" && i + 1 < argc) {
      runs = std::max(std::atoi(argv[++i]), 1);
    } else {
      files.push_back(word);
    }
  }
  race::Request request;
  request.headers = base::data_directory("cuda").string();
  options.own_folders = {request.headers};
  for (const std::string& file : files) {
    request.file = file;
    const Compiled compiled = compile_device(request, {}, {});
    if (!compiled.ok) {
      std::fputs(compiled.failure.messages.c_str(), stderr);
      return 2;
    }
    const base::Status done = runs > 0 ? search(file, compiled.bitcode, options, runs)
                              : cores > 0
                                  ? compare_cores(file, compiled.bitcode, options, repeat, static_cast<unsigned>(cores))
                                  : show(file, compiled.bitcode, options, repeat);
    if (!done) return fail(done.errors());
  }
  return 0;
}
