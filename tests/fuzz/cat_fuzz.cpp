// SPDX-License-Identifier: MIT
// Arbitrary bytes as a model: read, type-checked, built, and evaluated on a small frame. Nothing may crash or hang, and
// the fast evaluation must agree with itself.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/check.h"
#include "model/cat_model.h"
#include "model/evaluate/cat_program.h"
#include "model/evaluate/evaluator.h"
#include "support/frames.h"

namespace {

using namespace weakspot;

const tests::TestFrame& frame() {
  static const tests::TestFrame test = tests::frame_of(
      "weakspot t\n P0 | P1 ;\n st.rel x, 1 | ld.acq r0, y ;\n fence | ld r1, x ;\n atom.add r0, y, 1 | ;\n");
  return test;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 20'000) return 0;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const base::Result<model::Model> model = model::Model::compile(base::Source("fuzz.cat", text));
  if (!model) {
    WEAKSPOT_CHECK(!base::render(model.errors()).empty());
    return 0;
  }
  // Evaluation of a large model is slow, not wrong.
  if (model->program().built.graph.size() > 2000 || model->program().needs != model::kConstant) return 0;
  if (model->program().built.choices.size() > 1) return 0;
  model::Evaluator evaluator(*model);
  evaluator.begin(frame().frame);
  int left = 4;
  tests::for_each_candidate(frame().frame, [&](const model::Candidate& candidate) {
    if (left-- <= 0) return;
    const bool cut = evaluator.cut(*candidate.rf, *candidate.co);
    const bool allowed = evaluator.allows(candidate);
    WEAKSPOT_CHECK(!(cut && allowed));
    if (!allowed && !evaluator.problem()) {
      evaluator.explain(candidate);
      evaluator.names_of(0, 1);
    }
  });
  return 0;
}
