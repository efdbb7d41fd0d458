// Votes, shuffles and primitives of waves of 64 lanes give each lane what the hardware would.
// weakspot: launch grid=1 block=128
// weakspot: arg out=int[128]
// expect: none
#include <assert.h>
#include <hip/hip_runtime.h>

__global__ void waves(int* out) {
  const int t = threadIdx.x, lane = t % 64;
  assert(warpSize == 64 && int(__lane_id()) == lane);
  assert(__ballot(lane < 3 || lane == 40) == (7ull | 1ull << 40));
  assert(__popcll(__activemask()) == 64);
  if (lane >= 50) {
    assert(__ballot(1) == ~0ull << 50);
    assert(__builtin_amdgcn_readfirstlane(lane) == 50);
  }
  int sum = lane;
  for (int step = 32; step > 0; step /= 2) sum += __shfl_down(sum, step);
  assert(lane != 0 || sum == 2016);
  assert(__shfl(lane, 33) == 33 && __shfl_xor(lane, 32) == (lane ^ 32));
  assert(__shfl_up(lane, 1, 16) == (lane % 16 == 0 ? lane : lane - 1));
  assert(__shfl(double(lane) / 4, 7) == 1.75);
  assert(__builtin_amdgcn_ds_bpermute(4 * (63 - lane), lane) == 63 - lane);
  assert(__builtin_amdgcn_ds_permute(4 * (63 - lane), lane) == 63 - lane);
  assert(__builtin_amdgcn_ds_swizzle(lane, 0x041f) == (lane ^ 1));
  assert(__builtin_amdgcn_update_dpp(-1, lane, 0x111, 0xf, 0xf, false) == (lane % 16 == 0 ? -1 : lane - 1));
  assert(__builtin_amdgcn_update_dpp(-1, lane, 0xb1, 0xf, 0xf, false) == (lane ^ 1));
  assert(__builtin_amdgcn_mov_dpp(lane, 0x140, 0xf, 0xf, true) == (lane & 48) + 15 - lane % 16);
  assert(__any(lane == 63) && !__all(lane != 63) && __all(lane >= 0));
  out[t] = sum;
}
