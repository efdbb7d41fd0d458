// SPDX-License-Identifier: MIT
// Source that nvcc takes and clang does not: its text is changed before it is compiled again. Launches in device code
// become calls (cuda/weakspot/children.h), and words that the language asks for are inserted.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace weakspot::race_jit {

// Places in files where the compiler stumbled over what may be a launch: offsets, by file.
using LaunchPlaces = std::map<std::string, std::set<std::size_t>>;

// The text with the launch that begins at this place, or behind it in the same statement, as a call. Nothing if there
// is none. Lines keep their numbers.
std::optional<std::string> with_child_call(const std::string& text, std::size_t place);

// Replaces the launches at all places. Whether there was any.
bool replace_launches(const LaunchPlaces& places, std::map<std::string, std::string>& replaced);

// Words that clang asks for and nvcc does not, by file and offset: "template ", "typename ", "%".
using MissingWords = std::map<std::string, std::map<std::size_t, std::string>>;

// The words for inline assembly whose special registers have a single %, as in "mov.u32 %0, %laneid;": for all of them
// in the quoted text around `place`, which is at most two characters behind the first.
std::map<std::size_t, std::string> missing_percents(std::string_view text, std::size_t place);

// Inserts them, into texts that are read if they are not among `replaced`. Whether any was inserted.
bool insert_missing(const MissingWords& missing, std::map<std::string, std::string>& replaced);

}  // namespace weakspot::race_jit
