// SPDX-License-Identifier: MIT
// The operations that every model is made of. The targets at 32 events: composition below 100 ns, closure below 300 ns.
#include <benchmark/benchmark.h>

#include "base/rng.h"
#include "model/relation/relation.h"

namespace {

using namespace weakspot;

model::Relation random_relation(std::size_t events, std::uint64_t seed, std::size_t pairs) {
  base::Rng rng(seed);
  model::Relation relation(events);
  for (std::size_t i = 0; i < pairs; ++i) {
    relation.insert(static_cast<model::EventId>(rng.below(events)), static_cast<model::EventId>(rng.below(events)));
  }
  return relation;
}

void unite(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  model::Relation a = random_relation(n, 1, 4 * n);
  const model::Relation b = random_relation(n, 2, 4 * n);
  for (auto _ : state) {
    a |= b;
    benchmark::DoNotOptimize(a.words());
    benchmark::ClobberMemory();
  }
}

// The second argument is the number of pairs per event: communication has about one, program order about four.
void compose(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  const auto density = static_cast<std::size_t>(state.range(1));
  const model::Relation a = random_relation(n, 1, density * n);
  const model::Relation b = random_relation(n, 2, density * n);
  model::Relation result(n);
  for (auto _ : state) {
    result.assign_composition(a, b);
    benchmark::DoNotOptimize(result.words());
    benchmark::ClobberMemory();
  }
}

void close(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  const model::Relation a = random_relation(n, 1, 2 * n);
  model::Relation result(n);
  for (auto _ : state) {
    result = a;
    result.close();
    benchmark::DoNotOptimize(result.words());
    benchmark::ClobberMemory();
  }
}

void acyclic(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  base::Rng rng(1);
  model::Relation a(n);
  for (std::size_t i = 0; i < 4 * n; ++i) {
    const auto x = static_cast<model::EventId>(rng.below(n));
    const auto y = static_cast<model::EventId>(rng.below(n));
    if (x < y) a.insert(x, y);
  }
  for (auto _ : state) benchmark::DoNotOptimize(a.is_acyclic());
}

BENCHMARK(unite)->Arg(16)->Arg(32);
BENCHMARK(compose)->Args({16, 1})->Args({16, 4})->Args({32, 1})->Args({32, 4})->Args({32, 12});
BENCHMARK(close)->Arg(12)->Arg(16)->Arg(32)->Arg(64);
BENCHMARK(acyclic)->Arg(12)->Arg(16)->Arg(32);

}  // namespace
