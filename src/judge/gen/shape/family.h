// SPDX-License-Identifier: MIT
// The names the field has for shapes: MP, SB, IRIW, Z6.3, ... A shape is the first and last event of each thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gen/edge.h"

namespace weakspot::gen {

struct Points {
  Direction first = Direction::read;
  Direction last = Direction::read;
  bool single = false;  // first and last are one event
  friend bool operator==(const Points&, const Points&) = default;
};

// "MP", or the points ("WW+RW+RR+WR") of a shape without a name. `one_location`: CoRR rather than W+RR.
std::string family_name(const std::vector<Points>& threads, bool one_location);
std::optional<std::vector<Points>> family_named(std::string_view name);

}  // namespace weakspot::gen
