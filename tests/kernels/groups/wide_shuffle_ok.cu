// Groups shuffle values of up to 32 bytes, of any type that can be copied as bytes.
// weakspot: launch grid=1 block=64
// weakspot: arg out=int[64]
// expect: none
#include <cassert>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

struct Wide {
  int words[8];
  __device__ explicit Wide(int first) {
    for (int i = 0; i < 8; ++i) words[i] = first * 8 + i;
  }
  __device__ bool is(int first) const {
    for (int i = 0; i < 8; ++i) {
      if (words[i] != first * 8 + i) return false;
    }
    return true;
  }
};
struct Odd {
  char bytes[11];
};
struct Later {
  __device__ uint4 operator()(uint4 a, uint4 b) const { return a.w > b.w ? a : b; }
};

__global__ void shuffles(int* out) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const int t = tile.thread_rank();
  const Wide wide(t);
  assert(tile.shfl(wide, 5).is(5));
  assert(tile.shfl_xor(wide, 3).is(t ^ 3));
  assert(tile.shfl_up(wide, 2).is(t < 2 ? t : t - 2));
  assert(tile.shfl_down(wide, 2).is(t < 30 ? t + 2 : t));
  Odd odd;
  for (int i = 0; i < 11; ++i) odd.bytes[i] = (char)(t + i);
  const Odd other = tile.shfl_xor(odd, 1);
  for (int i = 0; i < 11; ++i) assert(other.bytes[i] == (char)((t ^ 1) + i));
  const uint4 last = cg::reduce(tile, make_uint4(t, t + 1, t + 2, t + 3), Later());
  assert(last.x == 31 && last.w == 34);
  assert(tile.any(t == 4) && !tile.all(t == 4));
  out[threadIdx.x] = last.w + cg::coalesced_threads().shfl(wide, 1).words[0];
}
