// SPDX-License-Identifier: MIT
// Nothing orders the word that a thread clears before the queue and the word that the next one writes behind it.
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
  waits[next[me - 1] - 1] = 0;
}
