// The storage of a collective is used again without a barrier: the first thread may still read it.
// weakspot: launch grid=1 block=128
// weakspot: arg in=int[256] fill=random
// weakspot: arg out=int[2]
// expect: race E1 shared temp @b @a
#include <hip/hip_runtime.h>
#include <hipcub/hipcub.hpp>

__global__ void sums(const int* in, int* out) {
  using Reduce = hipcub::BlockReduce<int, 128>;
  __shared__ typename Reduce::TempStorage temp;
  const int low = Reduce(temp).Sum(in[threadIdx.x]);  // @a
  const int high = Reduce(temp).Sum(in[threadIdx.x + 128]);  // @b
  if (threadIdx.x == 0) {
    out[0] = low;
    out[1] = high;
  }
}
