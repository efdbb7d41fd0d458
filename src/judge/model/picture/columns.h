// SPDX-License-Identifier: MIT
// The order of the threads in a picture, and the boxes of the scope tree around them.
#pragma once

#include <cstdint>
#include <vector>

#include "litmus/test.h"
#include "model/picture.h"

namespace weakspot::model::picture {

// A thread, or one of the asynchronous operations that it issues, which stand to the right of it.
struct Column {
  std::uint32_t thread = 0;
  std::uint32_t agent = 0;
  friend auto operator<=>(const Column&, const Column&) = default;
};

struct Columns {
  std::vector<Column> threads;       // by column: threads of one node of the scope tree are neighbours
  std::vector<PictureScope> scopes;  // outer ones first
};

// Without boxes where the test does not place its threads, and without levels that say nothing: one device, a subgroup
// per thread. `agents` has the number of asynchronous operations of each thread.
Columns columns_of(const litmus::LitmusTest& test, const std::vector<std::uint32_t>& agents);

}  // namespace weakspot::model::picture
