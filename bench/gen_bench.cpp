// SPDX-License-Identifier: MIT
// Measures how fast cycles are found and turned into tests. The target is 50,000 tests per second on one core, in
// memory that does not grow with the number of tests.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <cstdlib>
#include <utility>

#include "gen/identity.h"
#include "gen/name.h"
#include "gen/search.h"

namespace {

using namespace weakspot;

gen::SearchConfig many_tests(litmus::Arch arch) {
  gen::SearchConfig config;
  for (const char* word : {"Rfe", "Fre", "Coe", "Pod**", "Membar.ctad**", "Membar.gld**", "Membar.sysd**", "DpAddrd*",
                           "DpDatadW", "DpCtrld*"}) {
    for (const gen::Edge& edge : gen::expand_edge(word)) config.edges.push_back(edge);
  }
  // More than a hundred thousand cycles, because annotations multiply.
  config.size = {4, 8};
  config.threads = {2, 4};
  config.together = {litmus::Scope::workgroup, litmus::Scope::device};
  for (const auto& [read, write] : {std::pair{"cg", "cg"}, std::pair{"vol", "vol"}, std::pair{"ca", "wb"}}) {
    gen::Flavour& flavour = config.flavours.emplace_back();
    if (!gen::add_annotation(read, flavour.read) || !gen::add_annotation(write, flavour.write)) std::abort();
  }
  config.test.arch = arch;
  return config;
}

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

// Finds the first `range` cycles.
void find_cycles(benchmark::State& state) {
  const gen::SearchConfig config = many_tests(litmus::Arch::generic);
  std::int64_t done = 0;
  for (auto _ : state) {
    std::int64_t left = state.range(0);
    gen::search(config, [&](const gen::Cycle& cycle) {
      benchmark::DoNotOptimize(cycle.steps.size());
      ++done;
      return --left > 0;
    });
  }
  state.SetItemsProcessed(done);
}

// Builds the tests of these cycles, streamed.
void build_tests(benchmark::State& state, litmus::Arch arch) {
  const gen::SearchConfig config = many_tests(arch);
  const double before = peak_megabytes();
  std::int64_t done = 0;
  for (auto _ : state) {
    std::int64_t left = state.range(0);
    gen::search(config, [&](const gen::Cycle& cycle) {
      base::Result<litmus::LitmusTest> test = gen::to_test(cycle, config.test);
      if (!test) state.SkipWithError(test.errors().front().message.c_str());
      benchmark::DoNotOptimize(test.ok());
      ++done;
      return --left > 0;
    });
  }
  state.SetItemsProcessed(done);
  state.counters["growth_MB"] = peak_megabytes() - before;
}

// Builds the tests without duplicates, which keeps a hash of each one.
void generate_tests(benchmark::State& state) {
  const gen::SearchConfig config = many_tests(litmus::Arch::ptx2015);
  std::int64_t done = 0;
  for (auto _ : state) {
    std::int64_t left = state.range(0);
    gen::generate(config, [&](const litmus::LitmusTest&) {
      ++done;
      return --left > 0;
    });
  }
  state.SetItemsProcessed(done);
  state.counters["peak_MB"] = peak_megabytes();
}

void hash_test(benchmark::State& state, const char* name) {
  const litmus::LitmusTest test = *gen::to_test(*gen::cycle_named(name));
  for (auto _ : state) benchmark::DoNotOptimize(gen::canonical_hash(test).low);
  state.SetItemsProcessed(state.iterations());
}

void read_name(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(gen::cycle_named("ISA2+membar.gl+data+addr+cg+in.wg")->steps.size());
  state.SetItemsProcessed(state.iterations());
}

BENCHMARK(find_cycles)->Arg(100'000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(build_tests, generic, litmus::Arch::generic)->Arg(100'000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(build_tests, ptx2015, litmus::Arch::ptx2015)->Arg(100'000)->Unit(benchmark::kMillisecond);
BENCHMARK(generate_tests)->Arg(100'000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(hash_test, mp, "MP+fence.sc+addr");
BENCHMARK_CAPTURE(hash_test, iriw, "IRIW+fence.scs");
BENCHMARK_CAPTURE(hash_test, eight_threads, "8.SB");
BENCHMARK(read_name);

}  // namespace
