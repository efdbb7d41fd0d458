// SPDX-License-Identifier: MIT
// Candidates per second through a model on a frame of 12 events. Target: 100,000 per second for PTX-like models.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "model/cat_model.h"
#include "model/evaluate/evaluator.h"
#include "support/frames.h"

namespace {

using namespace weakspot;

const char* const kPtx2015 = R"("PTX, 2015"
let com = rf | co | fr
acyclic (po-loc \ R * R) | com as sc-per-loc-llh
let dp = addr | data | ctrl
acyclic dp | rf as no-thin-air
let rmo(fence) = dp | fence | rfe | co | fr
let sys-fence = membar.sys
let gl-fence = membar.gl | sys-fence
let cta-fence = membar.cta | gl-fence
acyclic rmo(cta-fence) & cta as cta
acyclic rmo(gl-fence) & gl as gl
acyclic rmo(sys-fence) & sys as sys
)";

const char* const kTso = R"("TSO"
acyclic po-loc | rf | fr | co as uniproc
empty rmw & (fre; coe) as atomic
let locked = domain(rmw) | range(rmw)
let ppo = po & (W*W | R*M) | fencerel(MFENCE) & M*M | po & (M * locked | locked * M)
acyclic ppo | rfe | fr | co as tso
)";

const char* const kArmLike = R"("AArch64-like"
let obs = rfe | fre | coe
let dob = addr | data | ctrl; [W] | (ctrl | addr; po); [ISB]; po; [R] | addr; po; [W] | (addr | data); rfi
let aob = rmw | [range(rmw)]; rfi; [A | Q]
let full = DMB.SY | DMB.ISH | DSB.SY | DSB.ISH
let bob = po; [full]; po | [L]; po; [A] | [R]; po; [DMB.LD]; po | [A | Q]; po | [W]; po; [DMB.ST]; po; [W] | po; [L]
let rec ob = obs | dob | aob | bob | ob; ob
acyclic po-loc | fr | co | rf as internal
irreflexive ob as external
empty rmw & (fre; coe) as atomic
)";

// The axioms of the current PTX model, with scopes, patterns, the order of fences and causality.
const char* const kPtx = R"(PTX
let fr = rf^-1; co
let strong = M & (RLX | ACQ | REL) | F
let ms = ((po | po^-1 | [strong]; sr; [strong]) & (vloc | ~(M * M))) \ id
let observation = (ms & rf); (rmw; (ms & rf))*
let release = [W & REL]; (po-loc; [W & strong])? | [F & ACQ_REL]; po; [W & strong]
let acquire = ([R & strong]; po-loc)?; [R & ACQ] | [R & strong]; po; [F & ACQ_REL]
let sync = ms & (release; observation; acquire) | sync_fence | syncbar & scta \ id
let base = (po | sync)+
let cause = base | observation; (base | po-loc)
empty (([W]; cause; [W]) & loc) \ co as coherence
empty ([W]; ms; [W]) & loc \ (co | co^-1) as coherence-total
empty ([F & SC]; cause; [F & SC]) \ sync_fence & ms as fence-sc
empty ((ms & fr); (ms & co)) & rmw as atomicity
acyclic rf | addr | data | ctrl as no-thin-air
acyclic ms & (rf | co | fr) | po-loc as sc-per-location
irreflexive (rf | fr); cause as causality
)";

// Two locations and ten events of two threads in one workgroup.
const char* const kTest =
    "weakspot bench\n P0 | P1 ;\n st x, 1 | ld.acq r0, y ;\n st.rel y, 1 | ld r1, x ;\n fence | fence ;\n"
    " st x, 2 | st.rel y, 2 ;\n ld r0, y | ld r2, x ;\n";

struct Candidates {
  tests::TestFrame test = tests::frame_of(kTest);
  std::vector<std::pair<model::Relation, model::Relation>> all;

  Candidates() {
    std::size_t count = 0;
    // A sample of the whole range: the first candidates all read the initial values.
    tests::for_each_candidate(test.frame, [&](const model::Candidate& candidate) {
      if (count++ % 7 == 0) all.emplace_back(*candidate.rf, *candidate.co);
    });
  }
};

model::Model compile(const char* text) {
  base::Result<model::Model> model = model::Model::compile(base::Source("bench.cat", text));
  return *model;
}

// Calls visit(rf, co) for one candidate per iteration.
template <typename Visit>
void measure(benchmark::State& state, const Candidates& candidates, Visit visit) {
  std::size_t i = 0;
  for (auto _ : state) {
    const auto& [rf, co] = candidates.all[i++ % candidates.all.size()];
    visit(rf, co);
  }
  state.SetItemsProcessed(state.iterations());
}

void judge(benchmark::State& state, const char* text) {
  const Candidates candidates;
  const model::Model model = compile(text);
  model::Evaluator evaluator(model);
  evaluator.begin(candidates.test.frame);
  std::size_t allowed = 0;
  measure(state, candidates, [&](const model::Relation& rf, const model::Relation& co) {
    allowed += evaluator.allows({&candidates.test.frame, &rf, &co, nullptr});
  });
  state.counters["events"] = static_cast<double>(candidates.test.frame.size());
  state.counters["allowed"] = static_cast<double>(allowed) / static_cast<double>(state.iterations());
}

// Only candidates that the model allows: every check is computed.
void judge_allowed(benchmark::State& state, const char* text) {
  Candidates candidates;
  const model::Model model = compile(text);
  model::Evaluator evaluator(model);
  evaluator.begin(candidates.test.frame);
  std::erase_if(candidates.all, [&](const auto& candidate) {
    return !evaluator.allows({&candidates.test.frame, &candidate.first, &candidate.second, nullptr});
  });
  if (candidates.all.empty()) return state.SkipWithError("the model allows nothing");
  measure(state, candidates, [&](const model::Relation& rf, const model::Relation& co) {
    benchmark::DoNotOptimize(evaluator.allows({&candidates.test.frame, &rf, &co, nullptr}));
  });
}

void cut(benchmark::State& state, const char* text) {
  const Candidates candidates;
  const model::Model model = compile(text);
  model::Evaluator evaluator(model);
  evaluator.begin(candidates.test.frame);
  measure(state, candidates, [&](const model::Relation& rf, const model::Relation& co) {
    benchmark::DoNotOptimize(evaluator.cut(rf, co));
  });
}

void begin(benchmark::State& state, const char* text) {
  const Candidates candidates;
  const model::Model model = compile(text);
  model::Evaluator evaluator(model);
  for (auto _ : state) evaluator.begin(candidates.test.frame);
}

void read(benchmark::State& state, const char* text) {
  for (auto _ : state) benchmark::DoNotOptimize(compile(text).checks().size());
}

#define MODELS(function)                               \
  BENCHMARK_CAPTURE(function, ptx2015, kPtx2015);      \
  BENCHMARK_CAPTURE(function, tso, kTso);              \
  BENCHMARK_CAPTURE(function, aarch64_like, kArmLike); \
  BENCHMARK_CAPTURE(function, ptx, kPtx)

MODELS(judge);
MODELS(judge_allowed);
MODELS(cut);
MODELS(begin);
MODELS(read);

}  // namespace
