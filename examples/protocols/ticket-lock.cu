// SPDX-License-Identifier: MIT
// First come, first served: a thread draws a number and waits until it is shown.
// weakspot: launch grid=3 block=1
// weakspot: arg next=int[1]
// weakspot: arg serving=int[1]
// weakspot: arg counter=int[1]
// weakspot: assert counter[0] == 3

__global__ void add(int* next, volatile int* serving, int* counter) {
  int ticket = atomicAdd(next, 1);
  while (*serving != ticket) {
  }
  __threadfence();
  *counter = *counter + 1;
  __threadfence();
  *serving = ticket + 1;
}
