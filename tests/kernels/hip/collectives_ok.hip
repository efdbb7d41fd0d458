// hipcub's collectives and a tile, whose results are checked; a barrier before storage is used again.
// weakspot: launch grid=2 block=128
// weakspot: arg in=int[256] fill=iota
// weakspot: arg out=int[8]
// expect: none
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_runtime.h>
#include <hipcub/hipcub.hpp>

__global__ void sums(const int* in, int* out) {
  using Reduce = hipcub::BlockReduce<int, 128>;
  using Scan = hipcub::BlockScan<int, 128>;
  using Lanes = hipcub::WarpReduce<int, 32>;
  __shared__ typename Reduce::TempStorage reduce;
  __shared__ typename Scan::TempStorage scan;
  __shared__ typename Lanes::TempStorage lanes[4];
  const int i = int(threadIdx.x), own = in[threadIdx.x];
  const int sum = Reduce(reduce).Sum(own);
  __syncthreads();
  const int most = Reduce(reduce).Reduce(own, hipcub::Max());
  int before = 0;
  Scan(scan).ExclusiveSum(own, before);
  assert(before == i * (i - 1) / 2);
  const int some = Lanes(lanes[i / 32]).Sum(own);
  if (i % 32 == 0) assert(some == 32 * i + 31 * 32 / 2);
  const cooperative_groups::thread_block_tile<32> tile =
      cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block());
  assert(tile.shfl(own, 0) == i / 32 * 32 && int(tile.meta_group_rank()) == i / 32);
  if (i == 0) {
    assert(sum == 128 * 127 / 2 && most == 127);
    out[blockIdx.x] = sum;
  }
}
