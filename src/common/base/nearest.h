// SPDX-License-Identifier: MIT
// Suggestions for a name that does not exist.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace weakspot::base {

// The number of letters to insert, leave out, change or swap with their neighbour to turn one text into the other.
// Upper and lower case are one change apart, as is the place of a separator ('-', '_', '.', ' ').
std::size_t edit_distance(std::string_view a, std::string_view b);

// The names that are close enough to be a slip of the keyboard, nearest first, in their order otherwise, at most three.
std::vector<std::string> nearest(std::string_view name, const std::vector<std::string>& names);

// "; did you mean 'tso'?", "; did you mean 'MP', 'MP3' or 'LB'?", or nothing: the end of a message about `name`.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& names);

}  // namespace weakspot::base
