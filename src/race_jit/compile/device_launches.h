// SPDX-License-Identifier: MIT
// Launches in device code, which clang does not take: their text is changed into calls that it takes
// (cuda/weakspot/children.h).
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace weakspot::race_jit {

// Places in files where the compiler stumbled over what may be a launch: offsets, by file.
using LaunchPlaces = std::map<std::string, std::set<std::size_t>>;

// The text with the launch that begins at this place, or behind it in the same statement, as a call. Nothing if there
// is none. Lines keep their numbers.
std::optional<std::string> with_child_call(const std::string& text, std::size_t place);

// The same for all places of all files, whose texts are read if they are not among `replaced`. Whether any was changed.
bool replace_launches(const LaunchPlaces& places, std::map<std::string, std::string>& replaced);

}  // namespace weakspot::race_jit
