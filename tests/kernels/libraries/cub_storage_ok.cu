// The storage of a collective is used again after a barrier.
// weakspot: launch grid=1 block=128
// weakspot: arg in=int[256] fill=random
// weakspot: arg out=int[2]
// expect: none
#include <cub/block/block_reduce.cuh>
__global__ void sums(const int* in, int* out) {
  using Reduce = cub::BlockReduce<int, 128>;
  __shared__ typename Reduce::TempStorage temp;
  const int low = Reduce(temp).Sum(in[threadIdx.x]);
  __syncthreads();
  const int high = Reduce(temp).Sum(in[threadIdx.x + 128]);
  if (threadIdx.x == 0) {
    out[0] = low;
    out[1] = high;
  }
}
