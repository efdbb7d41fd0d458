// SPDX-License-Identifier: MIT
// The lock of a well-known book: nothing keeps the section inside.
// weakspot: launch grid=2 block=1
// weakspot: arg lock=int[1]
// weakspot: arg counter=int[1]
// weakspot: assert counter[0] == 2

__global__ void add(int* lock, int* counter) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  *counter = *counter + 1;
  atomicExch(lock, 0);
}
