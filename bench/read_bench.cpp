// SPDX-License-Identifier: MIT
// Measures how fast tests are read and printed. The target is 20,000 small tests per second on one core.
#include <benchmark/benchmark.h>

#include <string>

#include "litmus/dialect.h"
#include "support/read_one.h"

namespace {

using namespace weakspot;

const char* const kMessagePassing =
    "weakspot MP+rel+acq\n"
    "\"the reader must see the data once it sees the flag\"\n"
    "Expect=rel-acq forbidden, sc forbidden\n"
    " P0          | P1           ;\n"
    " st x, 1     | ld.acq r0, y ;\n"
    " st.rel y, 1 | ld r1, x     ;\n"
    "scopes (wg P0) (wg P1)\n"
    "exists (1:r0=1 /\\ 1:r1=0)\n";

// Reads the same small test, in the given dialect, again and again.
void read_one(benchmark::State& state, litmus::Dialect dialect, const char* canonical) {
  base::Result<std::string> text = litmus::print(tests::read_one(canonical), dialect);
  if (!text) {
    state.SkipWithError(text.errors().front().message.c_str());
    return;
  }
  for (auto _ : state) {
    base::Result<std::vector<litmus::LitmusTest>> read = litmus::read_tests(base::Source("bench", *text));
    benchmark::DoNotOptimize(read->size());
  }
  state.SetItemsProcessed(state.iterations());
}

// 20,000 tests in one text.
void read_many(benchmark::State& state) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += kMessagePassing;
  for (auto _ : state) {
    base::Result<std::vector<litmus::LitmusTest>> read = litmus::read_tests(base::Source("bench", text));
    benchmark::DoNotOptimize(read->size());
  }
  state.SetItemsProcessed(state.iterations() * 20'000);
}

void print_one(benchmark::State& state) {
  const litmus::LitmusTest test = tests::read_one(kMessagePassing);
  for (auto _ : state) benchmark::DoNotOptimize(litmus::print(test, litmus::Dialect::canonical)->size());
  state.SetItemsProcessed(state.iterations());
}

void hash_one(benchmark::State& state) {
  const litmus::LitmusTest test = tests::read_one(kMessagePassing);
  for (auto _ : state) benchmark::DoNotOptimize(litmus::hash_of(test).low);
  state.SetItemsProcessed(state.iterations());
}

const char* const kPlain =
    "weakspot SB\n"
    " P0       | P1       ;\n"
    " st x, 1  | st y, 1  ;\n"
    " ld r0, y | ld r0, x ;\n"
    "exists (0:r0=0 /\\ 1:r0=0)\n";

const char* const kWeak =
    "weakspot SB\n"
    " P0          | P1          ;\n"
    " st.na x, 1  | st.na y, 1  ;\n"
    " ld.na r0, y | ld.na r0, x ;\n"
    "scopes (wg P0) (wg P1)\n"
    "exists (0:r0=0 /\\ 1:r0=0)\n";

BENCHMARK_CAPTURE(read_one, canonical, litmus::Dialect::canonical, kMessagePassing);
BENCHMARK_CAPTURE(read_one, ptx, litmus::Dialect::ptx, kMessagePassing);
BENCHMARK_CAPTURE(read_one, ptx2015, litmus::Dialect::ptx2015, kWeak);
BENCHMARK_CAPTURE(read_one, vulkan, litmus::Dialect::vulkan, kMessagePassing);
BENCHMARK_CAPTURE(read_one, opencl, litmus::Dialect::opencl, kMessagePassing);
BENCHMARK_CAPTURE(read_one, c, litmus::Dialect::c11, kPlain);
BENCHMARK_CAPTURE(read_one, aarch64, litmus::Dialect::aarch64, kPlain);
BENCHMARK_CAPTURE(read_one, x86_64, litmus::Dialect::x86_64, kPlain);
BENCHMARK_CAPTURE(read_one, json, litmus::Dialect::json, kMessagePassing);
BENCHMARK(read_many)->Unit(benchmark::kMillisecond);
BENCHMARK(print_one);
BENCHMARK(hash_one);

}  // namespace
