// SPDX-License-Identifier: MIT
// Measures how fast recorded results are read and analysed. The data set of the MC Mutants study (20,000 cells, 6 MB)
// must take less than 2 seconds in total; the random one made here has the same size.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "analysis/read/results_json.h"
#include "analysis/report.h"
#include "base/rng.h"

namespace {

using namespace weakspot;

constexpr int kEnvironments = 150, kTests = 32, kDevices = 4;

std::string results_text(std::uint64_t seed) {
  base::Rng rng(seed);
  std::string text = "{\n";
  for (int environment = 0; environment < kEnvironments; ++environment) {
    text += fmt::format("  \"{}\": {{\n", environment);
    for (int test = 0; test < kTests; ++test) {
      const std::uint64_t weak = rng.percent(60) ? rng.below(5000) : 0, interleaved = rng.below(100'000);
      text += fmt::format(
          "    \"Test {} {}\": {{\n      \"seq\": {},\n      \"interleaved\": {},\n      \"weak\": {},\n      "
          "\"durationSeconds\": {:.3f}\n    }},\n",
          test % 3 == 0   ? "Mutations"
          : test % 3 == 1 ? "Coherency"
                          : "Default",
          test, 2'560'000 - weak - interleaved, interleaved, weak, 0.5 + rng.unit());
    }
    text += "    \"params\": {\n      \"testingWorkgroups\": 100,\n      \"maxWorkgroups\": 200\n    }\n  },\n";
  }
  return text + "  \"randomSeed\": \"bench\"\n}\n";
}

std::vector<analysis::Study> make_study() {
  std::vector<analysis::DeviceResults> devices;
  for (int device = 0; device < kDevices; ++device) {
    const std::string name = fmt::format("device {}", device);
    devices.push_back(*analysis::read_results_json(name, results_text(static_cast<std::uint64_t>(device)), name));
  }
  std::vector<analysis::Study> studies;
  studies.emplace_back("bench", std::move(devices));
  return studies;
}

void read_results(benchmark::State& state) {
  const std::string text = results_text(1);
  for (auto _ : state) benchmark::DoNotOptimize(analysis::read_results_json("bench", text, "bench")->entries.size());
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}
BENCHMARK(read_results)->Unit(benchmark::kMillisecond);

void figure(benchmark::State& state, const char* name) {
  const std::vector<analysis::Study> studies = make_study();
  for (auto _ : state) {
    benchmark::DoNotOptimize(analysis::to_text(analysis::analyse(studies, {name}, {})).size());
  }
}
BENCHMARK_CAPTURE(figure, mutation, "mutation")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(figure, merge, "merge")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(figure, correlation, "correlation")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(figure, portability, "portability")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(figure, similarity, "similarity")->Unit(benchmark::kMillisecond);

void page(benchmark::State& state) {
  const std::vector<analysis::Study> studies = make_study();
  for (auto _ : state) {
    benchmark::DoNotOptimize(analysis::to_html(analysis::analyse(studies, {}, {.pictures = true})).size());
  }
}
BENCHMARK(page)->Unit(benchmark::kMillisecond);

}  // namespace
