// SPDX-License-Identifier: MIT
// The places of a CUDA source (places.h).
#pragma once

#include "prove/repair/places.h"
#include "prove/repair/used_places.h"

namespace weakspot::prove {

// `all` has each fence, order and scope once, with all its forms, and gaps.
struct WrittenPlaces {
  std::vector<SourcePlace> all;
  std::vector<std::string> elsewhere;
};
WrittenPlaces cuda_places(std::string_view text, const UsedPlaces& used);
WrittenPlaces ptx_places(std::string_view text, const UsedPlaces& used);

// Instructions of PTX in a text, that of a file or of an asm statement; `shift` is added to their places. Fences come
// with their semicolon.
std::vector<SourcePlace> ptx_words(std::string_view text, std::size_t shift);

}  // namespace weakspot::prove
