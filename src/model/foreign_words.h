// SPDX-License-Identifier: MIT
// What a model does not speak about. A cat file gives some answer to every test, because a set that it does not name
// orders nothing; for a model that is meant for part of the vocabulary only, that answer would be made up.
#pragma once

#include <optional>
#include <string>

#include "base/source.h"
#include "litmus/test.h"
#include "model/cat_model.h"

namespace weakspot::model {

struct ForeignWord {
  std::string why;  // "rel-acq has no scopes, and 'wg' does not reach every thread"
  base::Span span;  // of the instruction, in the text that the test was read from
};

// The first instruction of the test that the model has no meaning for. rel-acq knows relaxed, acquire and release
// accesses and fences that reach every thread of the test, and barriers; amdgpu knows accesses and fences of AMD's
// scopes; every other model knows, or leaves out on purpose, all that tests can say.
std::optional<ForeignWord> foreign_word(const Model& model, const litmus::LitmusTest& test);
// The same for rel-acq, without the model.
std::optional<ForeignWord> foreign_to_rel_acq(const litmus::LitmusTest& test);

}  // namespace weakspot::model
