// SPDX-License-Identifier: MIT
// A picture in words, for those who cannot see it.
#pragma once

#include <string>

#include "model/picture.h"

namespace weakspot::model::picture {

// "MP: forbidden by ptx"
std::string title_words(const Picture& picture);
// Describes the events of each thread, and the arrows that have a name.
std::string description_words(const Picture& picture);

}  // namespace weakspot::model::picture
