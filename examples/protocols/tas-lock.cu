// SPDX-License-Identifier: MIT
// A lock that is one word: taken by compare-and-swap, given back by a store, with a fence on either side of the section.
// weakspot: launch grid=3 block=1
// weakspot: arg lock=int[1]
// weakspot: arg counter=int[1]
// weakspot: assert counter[0] == 3

__global__ void add(int* lock, int* counter) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  *counter = *counter + 1;
  __threadfence();
  atomicExch(lock, 0);
}
