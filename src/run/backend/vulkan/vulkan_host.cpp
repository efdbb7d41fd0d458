// SPDX-License-Identifier: MIT
#include "backend/vulkan/vulkan_host.h"

#include <sched.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>

namespace weakspot::backend::vulkan {

std::uint32_t host_threads() {
  const unsigned processors = std::max(1u, std::thread::hardware_concurrency());
  const char* wanted = std::getenv("LP_NUM_THREADS");
  const int number = wanted == nullptr ? 0 : std::atoi(wanted);
  return number > 0 ? std::min(static_cast<unsigned>(number), processors) : processors;
}

std::vector<int> threads_of_process() {
  std::vector<int> threads;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task", none)) {
    const std::string name = entry.path().filename().string();
    int number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (error == std::errc()) threads.push_back(number);
  }
  std::sort(threads.begin(), threads.end());
  return threads;
}

void spread_over_processors(const std::vector<int>& threads) {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  std::vector<int> processors;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &allowed)) processors.push_back(cpu);
  }
  if (processors.size() < 2) return;
  for (std::size_t i = 0; i < threads.size(); ++i) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(processors[i % processors.size()], &one);
    // Fails for a thread that has ended in the meantime, which does not matter.
    sched_setaffinity(threads[i], sizeof one, &one);
  }
}

}  // namespace weakspot::backend::vulkan
