// SPDX-License-Identifier: MIT
// What somebody may have meant by a name that does not exist.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace weakspot::base {

// How many letters must be inserted, left out, changed or swapped with their neighbour to make one text the other.
// Upper and lower case are one change apart, as is the place of a separator ('-', '_', '.', ' ').
std::size_t edit_distance(std::string_view a, std::string_view b);

// The names that are close enough to be a slip of the keyboard, nearest first, in their order otherwise, at most three.
std::vector<std::string> nearest(std::string_view name, const std::vector<std::string>& names);

// "; did you mean 'tso'?", "; did you mean 'MP', 'MP3' or 'LB'?", or nothing: the end of a message about `name`.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& names);

}  // namespace weakspot::base
