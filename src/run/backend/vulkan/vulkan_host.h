// SPDX-License-Identifier: MIT
// Drivers that compute on the host's processor: their threads, and the processors those run on.
#pragma once

#include <cstdint>
#include <vector>

namespace weakspot::backend::vulkan {

// The threads on which Mesa's CPU driver runs workgroups.
std::uint32_t host_threads();

// The thread numbers of this process, in the order of creation.
std::vector<int> threads_of_process();

// Pins the threads, in turn, to the processors that this process may use. A driver starts its threads one after the
// other, so neighbours end up apart. Otherwise a busy system often puts threads that should meet onto one processor,
// where they never meet.
void spread_over_processors(const std::vector<int>& threads);

}  // namespace weakspot::backend::vulkan
