// Block-scoped atomics on a counter that only one block uses, in global and in shared memory.
// weakspot: launch grid=4 block=64
// weakspot: arg count=int[4]
// weakspot: arg out=int[4]
// expect: none

__global__ void count_blocks(int* count, int* out) {
  __shared__ int local;
  if (threadIdx.x == 0) {
    local = 0;
  }
  __syncthreads();
  atomicAdd_block(&count[blockIdx.x], 1);
  atomicAdd_block(&local, 2);
  __syncthreads();
  if (threadIdx.x == 0) {
    out[blockIdx.x] = local + count[blockIdx.x];
  }
}
