// Two groups of lanes come to votes, matches and reductions together, each with the mask of its own lanes.
// weakspot: launch grid=1 block=64
// weakspot: arg out=int[64]
// expect: none
#include <assert.h>
#include <hip/hip_runtime.h>

__global__ void masks(int* out) {
  const int lane = threadIdx.x;
  const unsigned long long half = lane < 32 ? 0xffffffffull : ~0xffffffffull;
  assert(__ballot_sync(half, 1) == half && __any_sync(half, lane == 3) == (lane < 32));
  assert(__all_sync(half, lane < 32) == (lane < 32) && __match_any_sync(half, 1) == half);
  int all = 2;
  assert(__match_all_sync(half, lane / 32, &all) == half && all == 1);
  assert(__match_all_sync(half, lane, &all) == 0 && all == 0);
  assert(__reduce_add_sync(half, 1) == 32 && __reduce_max_sync(half, lane) == (lane < 32 ? 31 : 63));
  assert((__lanemask_le() & __lanemask_ge()) == 1ull << lane);
  out[lane] = all;
}
