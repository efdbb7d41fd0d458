// A whole program: tiles of two warps of a block of four meet, vote, shuffle, reduce and scan.
// weakspot: program
// expect: none
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <cassert>

namespace cg = cooperative_groups;

__global__ void use(int* sums, int* scans, int* before, int* got, int* votes, unsigned* ranks) {
  __shared__ cg::block_tile_memory<128> memory;
  __shared__ int turned[128];
  const cg::thread_block block = cg::this_thread_block(memory);
  const auto tile = cg::tiled_partition<64>(block);
  const int i = threadIdx.x;
  sums[i] = cg::reduce(tile, i, cg::plus<int>());
  scans[i] = cg::inclusive_scan(tile, 1 + i % 64, cg::plus<int>());
  before[i] = cg::exclusive_scan(tile, 2, cg::plus<int>());
  got[i] = tile.shfl(i, 40);
  votes[i] = tile.any(i == 3) + 2 * tile.all(i < 64);
  ranks[i] = tile.thread_rank() + 1000 * tile.meta_group_rank() + 10000 * tile.meta_group_size();
  turned[i] = i;
  tile.sync();
  sums[i] += turned[i ^ 63] - (i ^ 63);
}

int main() {
  int* data;
  unsigned *ranks, got_ranks[128];
  int got[5][128];
  cudaMalloc(&data, sizeof got);
  cudaMalloc(&ranks, sizeof got_ranks);
  use<<<1, 128>>>(data, data + 128, data + 256, data + 384, data + 512, ranks);
  cudaMemcpy(got, data, sizeof got, cudaMemcpyDeviceToHost);
  cudaMemcpy(got_ranks, ranks, sizeof got_ranks, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 128; ++i) {
    const int tile = i / 64, rank = i % 64;
    assert(got[0][i] == (tile == 0 ? 63 * 64 / 2 : 63 * 64 / 2 + 64 * 64));
    assert(got[1][i] == (rank + 1) * (rank + 2) / 2);
    assert(got[2][i] == 2 * rank);
    assert(got[3][i] == tile * 64 + 40);
    assert(got[4][i] == (tile == 0 ? 3 : 0));
    assert(got_ranks[i] == (unsigned)(rank + 1000 * tile + 20000));
  }
  return 0;
}
