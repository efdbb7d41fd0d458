// SPDX-License-Identifier: MIT
// Decoupled look-back: each tile publishes its own sum, then looks back until it finds the sum of all before it.
// weakspot: launch grid=3 block=1
// weakspot: arg status=int[3]
// weakspot: arg own=int[3]
// weakspot: arg all=int[3]
// weakspot: assert all[0] == 1 && all[1] == 3 && all[2] == 7

enum { kNothing, kOwn, kAll };

__global__ void scan(volatile int* status, int* own, int* all) {
  const int tile = blockIdx.x, sum = 1 << tile;
  if (tile == 0) {
    all[tile] = sum;
    __threadfence();
    status[tile] = kAll;
    return;
  }
  own[tile] = sum;
  __threadfence();
  status[tile] = kOwn;
  int before = 0;
  for (int at = tile - 1; at >= 0; --at) {
    int seen;
    while ((seen = status[at]) == kNothing) {
    }
    __threadfence();
    if (seen == kAll) {
      before += all[at];
      break;
    }
    before += own[at];
  }
  all[tile] = before + sum;
  __threadfence();
  status[tile] = kAll;
}
