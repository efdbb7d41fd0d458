// SPDX-License-Identifier: MIT
// One block hands data to another: a store, a fence, a flag; then the flag, a fence, a load.
// weakspot: launch grid=2 block=1
// weakspot: arg data=int[1]
// weakspot: arg flag=int[1]
#include <cassert>

__global__ void handshake(int* data, volatile int* flag) {
  if (blockIdx.x == 0) {
    *data = 42;
    __threadfence();
    *flag = 1;
  } else {
    while (*flag == 0) {
    }
    __threadfence();
    assert(*data == 42);
  }
}
