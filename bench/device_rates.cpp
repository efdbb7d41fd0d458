// SPDX-License-Identifier: MIT
// Measures how fast tests run on a device, and how often they show the outcome they ask for, over a small sweep of
// environments.
//
//   device_rates [--device cuda:0] [--seconds 0.1] [--env E]... [--mutants] [--all | --show] [FILE...]
//
// Without files it runs the 20 conformance tests of the corpus. --mutants adds their 32 mutants: with the two accesses
// of a coherence test swapped, with separate locations in the *-CO tests, without fences. Each test runs in every
// environment for the given time, 0.1 s by default. One line per test shows the environment with the most sightings of
// the outcome per second, and the highest rate of instances. --all shows every run; --show only prints the tests and
// needs no device. Without --env the sweep depends on whether the device is a GPU or the host's own processor.
// Conformance tests must show 0.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "backend/device.h"
#include "base/file.h"
#include "base/source.h"
#include "codegen/sweep.h"
#include "codegen/test_program.h"
#include "litmus/dialect.h"
#include "litmus/instruction.h"
#include "litmus/normalize.h"
#include "litmus/text.h"

namespace {

using namespace weakspot;

struct Options {
  std::string device = "cuda:0";
  double seconds = 0.1;
  std::vector<std::string> environments;
  std::vector<std::string> files;
  bool mutants = false;
  bool all = false;
  bool show = false;
};

int usage(const char* why) {
  std::fprintf(
      stderr,
      "device_rates: %s\nusage: device_rates [--device cuda:0] [--seconds S] [--env E]... [--mutants] [--all | --show] "
      "[FILE...]\n",
      why);
  return 2;
}

bool read_options(int argc, char** argv, Options& options) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool has_value = i + 1 < argc;
    if (word == "--mutants") {
      options.mutants = true;
    } else if (word == "--all") {
      options.all = true;
    } else if (word == "--show") {
      options.show = true;
    } else if (word == "--device" && has_value) {
      options.device = argv[++i];
    } else if (word == "--seconds" && has_value) {
      options.seconds = std::atof(argv[++i]);
    } else if (word == "--env" && has_value) {
      options.environments.emplace_back(argv[++i]);
    } else if (word.starts_with("--")) {
      return false;
    } else {
      options.files.push_back(word);
    }
  }
  return options.seconds > 0;
}

// ---- mutants ----

litmus::LitmusTest renamed(litmus::LitmusTest test, const std::string& suffix) {
  test.name += suffix;
  litmus::normalize(test);
  return test;
}

void ask(litmus::LitmusTest& test, const std::string& question) {
  // The condition is easiest to change as text: print, replace the last line, read.
  std::string text = *litmus::print(test, litmus::Dialect::canonical);
  text = text.substr(0, text.rfind("exists")) + question + "\n";
  const auto read = litmus::read_tests(base::Source(test.name, text));
  if (read) test = read->front();
}

void add_mutants(const litmus::LitmusTest& test, std::vector<litmus::LitmusTest>& mutants) {
  auto& first = test.threads[0].instructions;
  auto is_fence = [](const litmus::Instruction& i) { return std::holds_alternative<litmus::Fence>(i.operation); };
  if (std::any_of(first.begin(), first.end(), is_fence)) {
    for (const int kept : {-1, 0, 1}) {
      litmus::LitmusTest mutant = test;
      for (int t = 0; t < 2; ++t) {
        if (t != kept) std::erase_if(mutant.threads[static_cast<std::size_t>(t)].instructions, is_fence);
      }
      mutants.push_back(renamed(mutant, kept < 0 ? "+no-fence" : fmt::format("+fence-P{}-only", kept)));
    }
    return;
  }
  if (test.name.ends_with("-CO")) {
    litmus::LitmusTest mutant = test;
    litmus::Location y = mutant.locations[0];
    y.name = "y";
    mutant.locations.push_back(y);
    litmus::access_of(mutant.threads[0].instructions[1])->address.location = litmus::LocationId{1};
    litmus::access_of(mutant.threads[1].instructions[0])->address.location = litmus::LocationId{1};
    mutant = renamed(mutant, "+two-locations");
    static const std::pair<const char*, const char*> kQuestions[] = {
        {"MP-CO", "exists (1:r0=2 /\\ 1:r1=0)"}, {"LB-CO", "exists (0:r0=2 /\\ 1:r0=1)"},
        {"SB-CO", "exists (0:r0=0 /\\ 1:r0=0)"}, {"S-CO", "exists (1:r0=1 /\\ x=2)"},
        {"R-CO", "exists (1:r0=0 /\\ y=3)"},     {"2+2W-CO", "exists (x=2 /\\ y=3)"},
    };
    for (const auto& [name, question] : kQuestions) {
      if (test.name == name) ask(mutant, question);
    }
    mutants.push_back(mutant);
    return;
  }
  // The thread with two accesses to the location, never the observer.
  for (std::size_t t = 0; t < test.threads.size(); ++t) {
    if (test.threads[t].instructions.size() != 2) continue;
    litmus::LitmusTest mutant = test;
    std::swap(mutant.threads[t].instructions[0], mutant.threads[t].instructions[1]);
    mutant = renamed(mutant, "+swapped");
    if (test.name.starts_with("CoWR")) ask(mutant, "exists (0:r0=0 /\\ x=1)");
    mutants.push_back(mutant);
    return;
  }
}

// ---- one run ----

struct Measured {
  bool ok = false;
  bool lost = false;  // the device, with everything loaded on it
  std::string problem;
  litmus::Histogram histogram;
  std::uint64_t instances = 0;
  std::uint64_t matches = 0;
  std::uint64_t timeouts = 0;
  double device_seconds = 0;
  double host_seconds = 0;
  double compile_seconds = 0;
  std::uint32_t workgroups = 0;
  std::uint32_t iterations = 0;

  double per_second(std::uint64_t count) const {
    return device_seconds > 0 ? static_cast<double>(count) / device_seconds : 0;
  }
};

Measured failed(const base::Diagnostics& errors) {
  Measured measured;
  measured.problem = errors.empty() ? "failed" : errors.front().message;
  return measured;
}

double since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Measured measure(backend::Device& device, const litmus::LitmusTest& test, const codegen::TestEnvironment& environment,
                 double seconds) {
  const auto start = std::chrono::steady_clock::now();
  const auto program = codegen::TestProgram::compile(test, environment, device.info().target, device.info().limits);
  if (!program) return failed(program.errors());
  const auto loaded = device.load(program->program());
  if (!loaded) return failed(loaded.errors());
  Measured measured;
  measured.compile_seconds = since(start);

  codegen::PlanOptions plan;
  plan.resident_workgroups = (*loaded)->resident_workgroups(program->run_entry());
  plan.memory_bytes = std::min<std::uint64_t>(device.free_bytes() / 4, std::uint64_t{8} << 30);
  plan.multiprocessors = device.info().multiprocessors;
  plan.seed = 1;
  // The first run may include the driver's compiler; the second shows how many rounds fill the time.
  for (int attempt = 0; attempt < 3; ++attempt) {
    const auto planned = program->plan(plan);
    if (!planned) return failed(planned.errors());
    const auto result = (*loaded)->run(planned->launch, std::chrono::seconds(20));
    if (!result) return failed(result.errors());
    if (result->status == backend::RunStatus::lost) {
      measured.problem = "lost: " + result->message;
      measured.lost = true;
      return measured;
    }
    const auto decoded = program->decode(*planned, result->buffers);
    if (!decoded) return failed(decoded.errors());
    measured.histogram = decoded->histogram;
    measured.instances = decoded->instances;
    measured.timeouts = decoded->barrier_timeouts;
    measured.device_seconds = result->device_seconds;
    measured.host_seconds = result->host_seconds;
    measured.workgroups = planned->shape.workgroups;
    measured.iterations = planned->iterations;
    const double round_seconds = std::max(result->device_seconds, 1e-6) / std::max(result->rounds, 1u);
    if (attempt == 0) plan.rounds = static_cast<std::uint32_t>(std::clamp(0.1 * seconds / round_seconds, 1.0, 1e4));
    if (attempt == 1) plan.rounds = static_cast<std::uint32_t>(std::clamp(seconds / round_seconds, 1.0, 1e5));
  }
  const std::vector<litmus::Observable> observed = test.observed();
  for (const auto& [outcome, count] : measured.histogram.counts()) {
    const bool matches = litmus::holds(test.condition.proposition, [&](const litmus::Observable& item) {
      const auto at = std::find(observed.begin(), observed.end(), item);
      return outcome[static_cast<std::size_t>(at - observed.begin())];
    });
    if (matches) measured.matches += count;
  }
  measured.ok = true;
  return measured;
}

std::string outcomes_text(const litmus::LitmusTest& test, const Measured& measured) {
  std::string text;
  const std::vector<litmus::Observable> observed = test.observed();
  for (const auto& [outcome, count] : measured.histogram.counts()) {
    text += "      ";
    for (std::size_t i = 0; i < observed.size(); ++i) {
      text += fmt::format("{}={} ", test.name_of(observed[i]), litmus::value_text(test, outcome[i]));
    }
    text += fmt::format(": {}\n", count);
  }
  return text;
}

struct Best {
  double matches_per_second = -1;
  double instances_per_second = 0;
  std::string environment;
  Measured measured;
};

// False if the device was lost, and can only be closed.
bool run_test(backend::Device& device, const litmus::LitmusTest& test, const std::vector<std::string>& environments,
              const Options& options) {
  Best best;
  std::string problem;
  bool lost = false;
  for (const std::string& text : environments) {
    const auto environment = codegen::parse_environment(base::Source("--env", text));
    if (!environment) {
      std::fputs(base::render(environment.errors()).c_str(), stderr);
      continue;
    }
    const Measured measured = measure(device, test, *environment, options.seconds);
    if (!measured.ok) {
      problem = measured.problem;
      if (options.all) fmt::print("    {:>10} {}  [{}]\n", "-", measured.problem, text);
      lost = measured.lost;
      if (lost) break;
      continue;
    }
    const double matches = measured.per_second(measured.matches);
    const double instances = measured.per_second(measured.instances);
    if (options.all) {
      fmt::print(
          "    {:10.3g} matches/s {:10.3g} instances/s  {} groups x {} iterations, {} timeouts, compile {:.0f} ms, "
          "host +{:.1f} %  [{}]\n",
          matches, instances, measured.workgroups, measured.iterations, measured.timeouts,
          measured.compile_seconds * 1000,
          100 * (measured.host_seconds - measured.device_seconds) / std::max(measured.host_seconds, 1e-9), text);
    }
    best.instances_per_second = std::max(best.instances_per_second, instances);
    if (matches > best.matches_per_second) {
      best.matches_per_second = matches;
      best.environment = text;
      best.measured = measured;
    }
  }
  if (best.matches_per_second < 0) {
    fmt::print("{:<24} {}\n", test.name, problem.empty() ? "did not run" : problem);
  } else {
    fmt::print("{:<24} {:10.3g} matches/s  best {:9.3g} instances/s  [{}]\n", test.name, best.matches_per_second,
               best.instances_per_second, best.environment);
    if (options.all) fmt::print("{}", outcomes_text(test, best.measured));
  }
  std::fflush(stdout);
  return !lost;
}

// Opens a lost device again for the remaining tests; false if that fails.
bool run_tests(std::unique_ptr<backend::Device>& device, const std::vector<litmus::LitmusTest>& tests,
               const std::vector<std::string>& environments, const Options& options) {
  for (const litmus::LitmusTest& test : tests) {
    if (run_test(*device, test, environments, options)) continue;
    device.reset();
    auto opened = backend::open_device(options.device);
    if (!opened) {
      std::fputs(base::render(opened.errors()).c_str(), stderr);
      return false;
    }
    device = *std::move(opened);
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  if (!read_options(argc, argv, options)) return usage("bad arguments");
  std::vector<litmus::LitmusTest> tests;
  if (options.files.empty())
    options.files.push_back((base::data_directory("corpus") / "conformance" / "@all").string());
  for (const std::string& file : options.files) {
    auto read = litmus::read_test_file(file);
    if (!read) {
      std::fputs(base::render(read.errors()).c_str(), stderr);
      return 2;
    }
    tests.insert(tests.end(), read->begin(), read->end());
  }
  std::vector<litmus::LitmusTest> mutants;
  if (options.mutants) {
    for (const litmus::LitmusTest& test : tests) add_mutants(test, mutants);
  }
  if (options.show) {
    for (const auto* list : {&tests, &mutants}) {
      for (const litmus::LitmusTest& test : *list) fmt::print("{}\n", *litmus::print(test, litmus::Dialect::canonical));
    }
    return 0;
  }
  auto device = backend::open_device(options.device);
  if (!device) {
    std::fputs(base::render(device.errors()).c_str(), stderr);
    return 3;
  }
  const backend::DeviceInfo info = (*device)->info();
  fmt::print("{}: {}, {}, {} multiprocessors, {} MiB free\n", info.id, info.name, info.driver, info.multiprocessors,
             (*device)->free_bytes() >> 20);

  std::vector<std::string> environments = options.environments;
  if (environments.empty()) {
    const codegen::SweepFor machine = info.target == codegen::Target::cpu ? codegen::SweepFor::cpu
                                      : info.is_host                      ? codegen::SweepFor::host_driver
                                                                          : codegen::SweepFor::gpu;
    const auto sweep = codegen::default_sweep_texts(machine);
    environments.assign(sweep.begin(), sweep.end());
  }
  fmt::print("{} environments, {} s each; matches: instances in which the test's proposition holds\n\n",
             environments.size(), options.seconds);
  if (!run_tests(*device, tests, environments, options)) return 3;
  if (options.mutants) {
    fmt::print("\n{} mutants\n\n", mutants.size());
    if (!run_tests(*device, mutants, environments, options)) return 3;
  }
  return 0;
}
