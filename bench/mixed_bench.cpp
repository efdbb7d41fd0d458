// SPDX-License-Identifier: MIT
// Measures the cost of accesses to parts of a location. Tests come in pairs: the second has an access to a part where
// the first has one to the whole. Judging the second should take at most three times as long.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "base/check.h"
#include "model/judge.h"
#include "model/library.h"
#include "support/read_one.h"

namespace {

using namespace weakspot;

struct Twins {
  const char* name;
  const char* whole;
  const char* mixed;
};

// x and y have 64 bits in both.
const Twins kTwins[] = {
    {"MP", "P0 | P1 ;\n st x, 1 | ld.acq r0, y ;\n st.rel y, 1 | ld r1, x ;\n exists (1:r0=1 /\\ 1:r1=0)",
     "P0 | P1 ;\n st x, 1 | ld.acq.s32 r0, y ;\n st.rel y, 1 | ld r1, x ;\n exists (1:r0=1 /\\ 1:r1=0)"},
    {"SB", "P0 | P1 ;\n st x, 1 | st y, 1 ;\n ld r0, y | ld r0, x ;\n exists (0:r0=0 /\\ 1:r0=0)",
     "P0 | P1 ;\n st x, 1 | st.s32 y, 1 ;\n ld r0, y | ld.s32 r0, x ;\n exists (0:r0=0 /\\ 1:r0=0)"},
    {"2+2W", "P0 | P1 ;\n st x, 1 | st y, 1 ;\n st y, 2 | st x, 2 ;\n exists (x=1 /\\ y=1)",
     "P0 | P1 ;\n st x, 1 | st.s32 y, 1 ;\n st y, 2 | st x, 2 ;\n exists (x=1 /\\ y=1)"},
    {"CoRR", "P0 | P1 ;\n st x, 1 | ld r0, x ;\n | ld r1, x ;\n exists (1:r0=1 /\\ 1:r1=0)",
     "P0 | P1 ;\n st x, 1 | ld.s32 r0, x ;\n | ld r1, x ;\n exists (1:r0=1 /\\ 1:r1=0)"},
    {"WRC",
     "P0 | P1 | P2 ;\n st x, 1 | ld r0, x | ld.acq r0, y ;\n | st.rel y, 1 | ld r1, x ;\n"
     " exists (1:r0=1 /\\ 2:r0=1 /\\ 2:r1=0)",
     "P0 | P1 | P2 ;\n st x, 1 | ld.s32 r0, x | ld.acq r0, y ;\n | st.rel y, 1 | ld r1, x ;\n"
     " exists (1:r0=1 /\\ 2:r0=1 /\\ 2:r1=0)"},
    {"IRIW",
     "P0 | P1 | P2 | P3 ;\n st x, 1 | st y, 1 | ld.acq r0, x | ld.acq r0, y ;\n | | ld r1, y | ld r1, x ;\n"
     " exists (2:r0=1 /\\ 2:r1=0 /\\ 3:r0=1 /\\ 3:r1=0)",
     "P0 | P1 | P2 | P3 ;\n st x, 1 | st y, 1 | ld.acq r0, x | ld.acq.s32 r0, y ;\n | | ld r1, y | ld.s32 r1, x ;\n"
     " exists (2:r0=1 /\\ 2:r1=0 /\\ 3:r0=1 /\\ 3:r1=0)"},
    {"increments", "P0 | P1 | P2 ;\n atom.add r0, x, 1 | atom.add r0, x, 1 | atom.add r0, x, 1 ;\n exists (~x=3)",
     "P0 | P1 | P2 ;\n atom.add r0, x, 1 | atom.add.s32 r0, x, 1 | atom.add r0, x, 1 ;\n exists (~x=3)"},
    {"writers",
     "P0 | P1 | P2 | P3 ;\n st x, 1 | st x, 2 | st x, 3 | ld r0, x ;\n | | | ld r1, x ;\n exists (3:r0=1 /\\ 3:r1=2)",
     "P0 | P1 | P2 | P3 ;\n st x, 1 | st x, 2 | st x, 3 | ld r0, x ;\n | | | ld.s32 r1, x ;\n"
     " exists (3:r0=1 /\\ 3:r1=2)"},
};

litmus::LitmusTest make_twin(const char* rows) {
  return tests::read_one(fmt::format("weakspot twin\n{{ s64 x; s64 y; }}\n{}\n", rows));
}

void judge_twin(benchmark::State& state, const char* rows, const std::string& name) {
  const litmus::LitmusTest test = make_twin(rows);
  const base::Result<model::Model> model = model::load_model(name);
  WEAKSPOT_CHECK(model.ok());
  model::BatchJudge judge(*model);
  model::Verdict verdict;
  for (auto _ : state) verdict = judge.judge(test);
  state.counters["executions"] = static_cast<double>(verdict.executions);
  state.counters["candidates"] = static_cast<double>(verdict.candidates);
}

const bool kRegistered = [] {
  for (const Twins& twins : kTwins) {
    for (const std::string model : {"sc", "tso", "aarch64", "ptx", "c11"}) {
      for (const auto& [size, rows] : {std::pair("whole", twins.whole), std::pair("mixed", twins.mixed)}) {
        benchmark::RegisterBenchmark(fmt::format("{}/{}/{}", twins.name, model, size).c_str(),
                                     [rows = rows, model](benchmark::State& state) { judge_twin(state, rows, model); });
      }
    }
  }
  return true;
}();

}  // namespace
