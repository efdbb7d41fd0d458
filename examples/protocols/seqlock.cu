// SPDX-License-Identifier: MIT
// A sequence lock: the reader takes two words that belong together, or tries again.
// weakspot: launch grid=2 block=1
// weakspot: arg version=int[1]
// weakspot: arg words=int[2]
#include <cassert>

__global__ void pair(volatile int* version, volatile int* words) {
  if (blockIdx.x == 0) {
    *version = 1;
    __threadfence();
    words[0] = 7;
    words[1] = 7;
    __threadfence();
    *version = 2;
  } else {
    int before, a, b;
    do {
      before = *version;
      __threadfence();
      a = words[0];
      b = words[1];
      __threadfence();
    } while (before % 2 != 0 || before != *version);
    assert(a == b);
  }
}
