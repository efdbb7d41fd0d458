// Decoupled look-back with the state of a tile and its sum in two volatile words: a block may see the state and the old
// sum.
// weakspot: weak
// weakspot: launch grid=3 block=1
// weakspot: arg states=int[3]
// weakspot: arg sums=int[3]
// weakspot: arg out=int[3]
// expect: stale @read @write
// allow: race W3 global sums @read @write
#include <cassert>

__global__ void scan(volatile int* states, volatile int* sums, int* out) {
  int tile = blockIdx.x;
  int before = 0;
  if (tile > 0) {
    while (states[tile - 1] == 0) {}
    before = sums[tile - 1];  // @read
  }
  sums[tile] = before + tile + 1;  // @write
  states[tile] = 1;
  out[tile] = before;
  assert(before == tile * (tile + 1) / 2);
}
