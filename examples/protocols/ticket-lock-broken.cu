// SPDX-License-Identifier: MIT
// The same lock without its fences: the next thread may miss the last one's update.
// weakspot: launch grid=2 block=1
// weakspot: arg next=int[1]
// weakspot: arg serving=int[1]
// weakspot: arg counter=int[1]
// weakspot: assert counter[0] == 2

__global__ void add(int* next, volatile int* serving, int* counter) {
  int ticket = atomicAdd(next, 1);
  while (*serving != ticket) {
  }

  *counter = *counter + 1;

  *serving = ticket + 1;
}
