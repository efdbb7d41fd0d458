// SPDX-License-Identifier: MIT
// Models from literal text, for tests.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "base/check.h"
#include "base/source.h"
#include "model/cat_model.h"

namespace weakspot::tests {

// The text must compile, and may include files of the built-in library only.
inline model::Model compile_model(const std::string& text) {
  const base::Result<model::Model> model = model::Model::compile(base::Source("test.cat", text));
  if (!model) ADD_FAILURE() << base::render(model.errors());
  WEAKSPOT_CHECK(model.ok());
  return *model;
}

}  // namespace weakspot::tests
