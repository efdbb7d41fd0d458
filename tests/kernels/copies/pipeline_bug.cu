// The half of the threads that copies does not ask whether the stage was used up.
// weakspot: launch grid=1 block=64
// weakspot: arg in=int[256] fill=random
// weakspot: arg out=int[32]
// expect: race E1 shared tile @a @b
#include <cooperative_groups.h>
#include <cuda/pipeline>
namespace cg = cooperative_groups;

__global__ void sums(const int* in, int* out) {
  __shared__ int tile[2][32];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  const cg::thread_block block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state, size_t(32));
  const int lane = threadIdx.x % 32;
  int sum = 0;
  for (int k = 0; k < 8; ++k) {
    if (threadIdx.x < 32) {
      cuda::memcpy_async(&tile[k % 2][lane], &in[32 * k + lane], sizeof(int), pipe);  // @a
      pipe.producer_commit();
    } else {
      pipe.consumer_wait();
      sum += tile[k % 2][31 - lane];  // @b
      pipe.consumer_release();
    }
  }
  if (threadIdx.x >= 32) out[lane] = sum;
}
