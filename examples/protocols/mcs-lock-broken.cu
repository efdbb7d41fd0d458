// SPDX-License-Identifier: MIT
// Nothing keeps the word that wakes the next thread behind the word with which that thread began to wait.
// weakspot: launch grid=2 block=1
// weakspot: arg tail=int[1]
// weakspot: arg next=int[2]
// weakspot: arg waits=int[2]
// weakspot: arg counter=int[1]
// weakspot: assert counter[0] == 2

__global__ void add(int* tail, volatile int* next, volatile int* waits, int* counter) {
  const int me = blockIdx.x + 1;  // 0: nobody
  next[me - 1] = 0;
  waits[me - 1] = 1;
  __threadfence();
  const int before = atomicExch(tail, me);
  __threadfence();
  if (before != 0) {
    next[before - 1] = me;
    while (waits[me - 1] != 0) {
    }
  }
  __threadfence();
  *counter = *counter + 1;
  __threadfence();
  if (next[me - 1] == 0) {
    if (atomicCAS(tail, me, 0) == me) return;
    while (next[me - 1] == 0) {
    }
  }
  const int after = next[me - 1];
  waits[after - 1] = 0;
}
