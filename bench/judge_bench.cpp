// SPDX-License-Identifier: MIT
// Measures how fast tests are judged: the families of tests that checkers are compared on, one size larger than other
// checkers manage (each must take less than ten seconds), and thousands of small tests.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <functional>
#include <string>

#include "base/check.h"
#include "model/judge.h"
#include "support/read_one.h"

namespace {

using namespace weakspot;

// ---- models ----

const char* const kSc = R"("SC"
include "cos.cat"
acyclic po | rf | co | fr as sc
empty rmw & (fr; co) as atomicity
)";

const char* const kScPerLocation = R"("SC per location"
include "cos.cat"
acyclic po-loc | rf | co | fr as sc-per-location
empty rmw & (fr; co) as atomicity
)";

const char* const kTso = R"("TSO"
include "cos.cat"
acyclic po-loc | rf | co | fr as sc-per-location
empty rmw & (fre; coe) as atomicity
let ppo = po & M * M \ W * R
acyclic ppo | po; [F]; po | rfe | co | fr as tso
)";

// The axioms of the current PTX model without proxies and barriers.
const char* const kPtx = R"("PTX-like"
with co from generate_partial_cos(co0)
let fr = rf^-1; co
let strong = M & (RLX | ACQ | REL | ACQ_REL | SC) | F
let morally-strong = ((po | po^-1 | [strong]; sr; [strong]) & (loc | ~(M * M))) \ id
let observation = (morally-strong & rf); (rmw; (morally-strong & rf))*
let release-fence = F & (REL | ACQ_REL | SC)
let acquire-fence = F & (ACQ | ACQ_REL | SC)
let release-pattern = [W & (REL | ACQ_REL | SC)]; (po & loc; [W & strong])? | [release-fence]; po; [W & strong]
let acquire-pattern = ([R & strong]; po & loc)?; [R & (ACQ | ACQ_REL | SC)] | [R & strong]; po; [acquire-fence]
with fence-sc from linearisations(F & SC, 0)
let synchronizes = (release-pattern; observation; acquire-pattern) & morally-strong | fence-sc & morally-strong
let base-causality = (po | synchronizes)+
let causality = base-causality | observation; base-causality
empty (([W]; causality; [W]) & loc) \ co as coherence
empty (([W]; morally-strong; [W]) & loc) \ (co | co^-1) as coherence-strong
irreflexive fence-sc; causality as fence-sc
empty ((morally-strong & fr); (morally-strong & co)) & rmw as atomicity
acyclic addr | data | ctrl | rmw | rf as no-thin-air
acyclic morally-strong & (rf | co | fr) | po & loc as sc-per-location
irreflexive (rf | fr); causality as causality
)";

const model::Model& compiled(const char* text) {
  static std::map<const char*, model::Model> models;
  const auto found = models.find(text);
  if (found != models.end()) return found->second;
  base::Result<model::Model> model = model::Model::compile(base::Source("bench.cat", text));
  if (!model) fmt::print(stderr, "{}\n", base::render(model.errors()));
  WEAKSPOT_CHECK(model.ok());
  return models.emplace(text, std::move(*model)).first->second;
}

// ---- families ----

using Columns = std::vector<std::vector<std::string>>;

litmus::LitmusTest make_test(const Columns& columns, const std::string& condition) {
  std::string text = "weakspot family\n";
  std::size_t rows = 0;
  for (std::size_t t = 0; t < columns.size(); ++t) {
    text += fmt::format("{} P{}", t == 0 ? "" : " |", t);
    rows = std::max(rows, columns[t].size());
  }
  text += " ;\n";
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t t = 0; t < columns.size(); ++t) {
      text += fmt::format("{} {}", t == 0 ? "" : " |", row < columns[t].size() ? columns[t][row] : "");
    }
    text += " ;\n";
  }
  return tests::read_one(text + condition);
}

litmus::LitmusTest store_buffering(std::size_t threads) {
  Columns columns;
  std::string condition = "exists (0:r0=0";
  for (std::size_t t = 0; t < threads; ++t) {
    columns.push_back({fmt::format("st x{}, 1", t), fmt::format("ld r0, x{}", (t + 1) % threads)});
    if (t > 0) condition += fmt::format(" /\\ {}:r0=0", t);
  }
  return make_test(columns, condition + ")\n");
}

litmus::LitmusTest fenced_store_buffering(std::size_t threads) {
  Columns columns;
  std::string condition = "exists (0:r0=0";
  for (std::size_t t = 0; t < threads; ++t) {
    columns.push_back({fmt::format("st x{}, 1", t), "fence.sc", fmt::format("ld r0, x{}", (t + 1) % threads)});
    if (t > 0) condition += fmt::format(" /\\ {}:r0=0", t);
  }
  return make_test(columns, condition + ")\n");
}

// Every thread writes its own location and its neighbour's.
litmus::LitmusTest fenced_writes(std::size_t threads) {
  Columns columns;
  std::string condition = "exists (x0=2";
  for (std::size_t t = 0; t < threads; ++t) {
    columns.push_back({fmt::format("st x{}, 2", t), "fence.sc", fmt::format("st x{}, 1", (t + 1) % threads)});
    if (t > 0) condition += fmt::format(" /\\ x{}=2", t);
  }
  return make_test(columns, condition + ")\n");
}

// Half of the threads write one location each; the others read two neighbouring ones of them, in a ring.
litmus::LitmusTest independent_reads(std::size_t threads) {
  Columns columns;
  std::string condition = "exists (true";
  const std::size_t half = threads / 2;
  for (std::size_t t = 0; t < half; ++t) columns.push_back({fmt::format("st x{}, 1", t)});
  for (std::size_t t = 0; t < half; ++t) {
    columns.push_back({fmt::format("ld r0, x{}", t), fmt::format("ld r1, x{}", (t + 1) % half)});
    condition += fmt::format(" /\\ {}:r0=1 /\\ {}:r1=0", half + t, half + t);
  }
  return make_test(columns, condition + ")\n");
}

litmus::LitmusTest writers(std::size_t threads) {
  Columns columns;
  for (std::size_t t = 0; t < threads; ++t) columns.push_back({fmt::format("st x, {}", t + 1)});
  columns.push_back({"ld r0, x", "ld r1, x"});
  return make_test(columns, fmt::format("exists ({}:r0=1 /\\ {}:r1=0)\n", threads, threads));
}

litmus::LitmusTest increments(std::size_t threads) {
  Columns columns;
  for (std::size_t t = 0; t < threads; ++t) columns.push_back({"atom.add r0, x, 1"});
  return make_test(columns, fmt::format("exists (~x={})\n", threads));
}

// Increments with all registers observed, so that every order of them is an outcome.
litmus::LitmusTest observed_increments(std::size_t threads) {
  Columns columns;
  std::string condition = "exists (0:r0=0";
  for (std::size_t t = 0; t < threads; ++t) {
    columns.push_back({"atom.add r0, x, 1"});
    if (t > 0) condition += fmt::format(" /\\ {}:r0={}", t, t);
  }
  return make_test(columns, condition + ")\n");
}

// Increments in which no two threads are equal.
litmus::LitmusTest different_increments(std::size_t threads) {
  Columns columns;
  std::string condition = "exists (0:r0=0";
  for (std::size_t t = 0; t < threads; ++t) {
    columns.push_back({fmt::format("atom.add r0, x, {}", 1u << t)});
    if (t > 0) condition += fmt::format(" /\\ {}:r0={}", t, (1u << t) - 1);
  }
  return make_test(columns, condition + ")\n");
}

litmus::LitmusTest two_writers(std::size_t writes) {
  Columns columns(2);
  for (std::size_t i = 0; i < writes; ++i) {
    columns[0].push_back(fmt::format("st x, {}", 2 * i + 1));
    columns[1].push_back(fmt::format("st x, {}", 2 * i + 2));
  }
  columns[0].push_back("ld r0, x");
  columns[1].push_back("ld r0, x");
  return make_test(columns, "exists (0:r0=2 /\\ 1:r0=1)\n");
}

void judge_family(benchmark::State& state, litmus::LitmusTest (*family)(std::size_t), std::size_t size,
                  const char* model_text, bool condition_only, unsigned threads) {
  const litmus::LitmusTest test = family(size);
  const model::Model& model = compiled(model_text);
  model::JudgeOptions options;
  options.condition_only = condition_only;
  options.threads = threads;
  model::Verdict verdict;
  for (auto _ : state) verdict = model::judge(test, model, options);
  state.counters["executions"] = static_cast<double>(verdict.executions);
  state.counters["candidates"] = static_cast<double>(verdict.candidates);
  state.counters["outcomes"] = static_cast<double>(verdict.outcomes.size());
  state.counters["rate"] =
      benchmark::Counter(static_cast<double>(verdict.candidates), benchmark::Counter::kIsIterationInvariantRate);
}

// ---- small tests ----

std::vector<litmus::LitmusTest> classics() {
  return {
      make_test({{"st x, 1", "st.rel y, 1"}, {"ld.acq r0, y", "ld r1, x"}}, "exists (1:r0=1 /\\ 1:r1=0)\n"),
      make_test({{"st x, 1", "fence.sc", "ld r0, y"}, {"st y, 1", "fence.sc", "ld r0, x"}},
                "exists (0:r0=0 /\\ 1:r0=0)\n"),
      make_test({{"ld r0, x", "st y, 1"}, {"ld r0, y", "st x, 1"}}, "exists (0:r0=1 /\\ 1:r0=1)\n"),
      make_test({{"st x, 2", "st y, 1"}, {"st y, 2", "st x, 1"}}, "exists (x=2 /\\ y=2)\n"),
      make_test({{"st x, 1"}, {"ld r0, x", "ld r1, x"}}, "exists (1:r0=1 /\\ 1:r1=0)\n"),
      make_test({{"st x, 1"}, {"ld r0, x", "fence.acqrel", "st y, 1"}, {"ld r0, y", "fence.acqrel", "ld r1, x"}},
                "exists (1:r0=1 /\\ 2:r0=1 /\\ 2:r1=0)\n"),
      make_test({{"st x, 1"}, {"st y, 1"}, {"ld r0, x", "fence.sc", "ld r1, y"}, {"ld r0, y", "fence.sc", "ld r1, x"}},
                "exists (2:r0=1 /\\ 2:r1=0 /\\ 3:r0=1 /\\ 3:r1=0)\n"),
      make_test({{"atom.exch r0, x, 1", "st y, 1"}, {"atom.add r0, x, 2", "ld r1, y"}}, "exists (x=3)\n"),
  };
}

void judge_classics(benchmark::State& state, const char* model_text, bool condition_only) {
  const std::vector<litmus::LitmusTest> tests = classics();
  const model::Model& model = compiled(model_text);
  std::size_t judged = 0;
  model::JudgeOptions options;
  options.condition_only = condition_only;
  for (auto _ : state) {
    for (const litmus::LitmusTest& test : tests)
      benchmark::DoNotOptimize(model::judge(test, model, options).executions);
    judged += tests.size();
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(judged));
}

// Two message-passing tests in one, with twelve events.
litmus::LitmusTest twelve_events(std::size_t) {
  return make_test({{"st x, 1", "fence.acqrel", "st y, 1"},
                    {"ld r0, y", "fence.acqrel", "ld r1, x"},
                    {"st x, 2", "st y, 2"},
                    {"ld r0, x", "ld r1, y"}},
                   "exists (1:r0=1 /\\ 1:r1=0)\n");
}

#define FAMILY(name, family, size)                                                                           \
  BENCHMARK_CAPTURE(judge_family, name##_sc, family, size, kSc, false, 1u)->Unit(benchmark::kMillisecond);   \
  BENCHMARK_CAPTURE(judge_family, name##_tso, family, size, kTso, false, 1u)->Unit(benchmark::kMillisecond); \
  BENCHMARK_CAPTURE(judge_family, name##_ptx, family, size, kPtx, false, 1u)->Unit(benchmark::kMillisecond); \
  BENCHMARK_CAPTURE(judge_family, name##_ptx_2_threads, family, size, kPtx, false, 2u)                       \
      ->Unit(benchmark::kMillisecond)                                                                        \
      ->UseRealTime();                                                                                       \
  BENCHMARK_CAPTURE(judge_family, name##_ptx_condition, family, size, kPtx, true, 1u)->Unit(benchmark::kMillisecond)

BENCHMARK_CAPTURE(judge_classics, sc, kSc, false);
BENCHMARK_CAPTURE(judge_classics, sc_per_location, kScPerLocation, false);
BENCHMARK_CAPTURE(judge_classics, tso, kTso, false);
BENCHMARK_CAPTURE(judge_classics, ptx, kPtx, false);
BENCHMARK_CAPTURE(judge_classics, ptx_condition, kPtx, true);
FAMILY(twelve_events, twelve_events, 0);
FAMILY(store_buffering_10, store_buffering, 10);
FAMILY(fenced_store_buffering_6, fenced_store_buffering, 6);
FAMILY(fenced_store_buffering_12, fenced_store_buffering, 12);
FAMILY(fenced_writes_6, fenced_writes, 6);
FAMILY(independent_reads_8, independent_reads, 8);
FAMILY(independent_reads_10, independent_reads, 10);
FAMILY(two_writers_3, two_writers, 3);
FAMILY(two_writers_4, two_writers, 4);
FAMILY(increments_6, increments, 6);
FAMILY(increments_8, increments, 8);
FAMILY(increments_9, increments, 9);
FAMILY(observed_increments_9, observed_increments, 9);
FAMILY(different_increments_6, different_increments, 6);
FAMILY(writers_6, writers, 6);
FAMILY(writers_8, writers, 8);
FAMILY(writers_9, writers, 9);

}  // namespace
