// SPDX-License-Identifier: MIT
// One block hands data to another: the producer lacks its fence.
// weakspot: launch grid=2 block=1
// weakspot: arg data=int[1]
// weakspot: arg flag=int[1]
#include <cassert>

__global__ void handshake(int* data, volatile int* flag) {
  if (blockIdx.x == 0) {
    *data = 42;
    *flag = 1;
  } else {
    while (*flag == 0) {
    }
    __threadfence();
    assert(*data == 42);
  }
}
