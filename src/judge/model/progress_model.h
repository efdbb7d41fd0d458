// SPDX-License-Identifier: MIT
// Progress models: the threads that a device promises to schedule (see progress.h).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace weakspot::model {

enum class Progress : std::uint8_t {
  fair,     // every thread
  lobe,     // threads that started, and all with a lower number than such a thread
  hsa_obe,  // both of the next two
  obe,      // threads that started
  hsa,      // the thread with the lowest number among those that can run
  unfair,   // some thread that can run
};
inline constexpr std::array kProgressModels = {Progress::fair, Progress::lobe, Progress::hsa_obe,
                                               Progress::obe,  Progress::hsa,  Progress::unfair};

std::string_view to_string(Progress progress);  // fair lobe hsa-obe obe hsa unfair
std::optional<Progress> progress_named(std::string_view name);

}  // namespace weakspot::model
