// SPDX-License-Identifier: MIT
// A kind of GPU as a link names it, and what a chat or a search shows of that link.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "store/submission_store.h"

namespace weakspot::serve {

inline constexpr std::string_view kGpuLink = "gpu-";

// "gpu-nvidia-ada-lovelace". Names that a link cannot say as they are end with digits that tell them apart.
std::string gpu_name(std::string_view vendor, std::string_view architecture);

struct GpuCard {
  std::string title;
  std::string description;
};

// Sums up the rows about one GPU, of so many known tests; none if no row is about it.
std::optional<GpuCard> gpu_card(std::span<const store::ShownRow> rows, std::string_view name, std::size_t known_tests);

// The page with the card in its head instead of its own.
std::string with_card(std::string page, const GpuCard& card);

}  // namespace weakspot::serve
