// SPDX-License-Identifier: MIT
// What the core remembers from one request to the next: only what would cost time to make again.
#pragma once

#include <string>
#include <vector>

#include "desk/judged.h"
#include "model/library.h"

namespace weakspot::wasm {

struct State {
  desk::Judges judges;
  std::vector<model::ModelEntry> models;  // empty until they are asked for
};

}  // namespace weakspot::wasm
