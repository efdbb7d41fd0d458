// A lock in shared memory between the warps of a block, without fences.
// weakspot: launch grid=1 block=128
// weakspot: arg out=int[1]
// expect: race E1 shared total @a @a

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
    total += threadIdx.x;  // @a
    atomicExch(&lock, 0);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    *out = total;
  }
}
