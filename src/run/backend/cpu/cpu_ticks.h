// SPDX-License-Identifier: MIT
// A counter that all cores share.
#pragma once

#include <cstdint>

namespace weakspot::backend {

inline std::uint64_t ticks() {
#if defined(__aarch64__)
  std::uint64_t now = 0;
  asm volatile("mrs %0, cntvct_el0" : "=r"(now));
  return now;
#elif defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#else
  return 0;
#endif
}

}  // namespace weakspot::backend
