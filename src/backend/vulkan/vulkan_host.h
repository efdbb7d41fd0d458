// Drivers that compute on the host's own processor: how many threads they have, and where those run.
#pragma once

#include <cstdint>
#include <vector>

namespace weakspot::backend::vulkan {

// The threads on which Mesa's CPU driver runs workgroups.
std::uint32_t host_threads();

// The threads of this process, by their numbers, in the order of their creation.
std::vector<int> threads_of_process();

// Gives each thread a processor of its own, in turn, among those this process may use. A driver starts its threads one
// after the other, so that neighbours are apart: left alone, a busy system often puts the threads that are to meet onto
// one processor, where they never do.
void spread_over_processors(const std::vector<int>& threads);

}  // namespace weakspot::backend::vulkan
