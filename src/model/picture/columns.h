// SPDX-License-Identifier: MIT
// The order of the threads in a picture, and the boxes of the scope tree around them.
#pragma once

#include <cstdint>
#include <vector>

#include "litmus/test.h"
#include "model/picture.h"

namespace weakspot::model::picture {

struct Columns {
  std::vector<std::uint32_t> threads;  // by column: threads of one node of the scope tree are neighbours
  std::vector<PictureScope> scopes;    // outer ones first
};

// Without boxes where the test does not place its threads, and without levels that say nothing: one device, a subgroup
// per thread.
Columns columns_of(const litmus::LitmusTest& test);

}  // namespace weakspot::model::picture
