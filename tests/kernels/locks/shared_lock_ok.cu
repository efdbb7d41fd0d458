// A lock in shared memory between the warps of a block, with fences of block scope, which is scope enough.
// weakspot: launch grid=1 block=128
// weakspot: arg out=int[1]
// expect: none

__global__ void add_warps(int* out) {
  __shared__ int lock, total;
  if (threadIdx.x == 0) {
    lock = 0;
    total = 0;
  }
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
    __threadfence_block();
    total += threadIdx.x;
    __threadfence_block();
    atomicExch(&lock, 0);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    *out = total;
  }
}
