// SPDX-License-Identifier: MIT
#include "base/parallel.h"

#include <thread>
#include <vector>

namespace weakspot::base {

void in_parallel(unsigned count, const std::function<void(unsigned)>& work) {
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < count; ++i) threads.emplace_back(work, i);
  for (std::thread& thread : threads) thread.join();
}

}  // namespace weakspot::base
