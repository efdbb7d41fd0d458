// One warp hands a value to another through shared memory and a flag, with fences of block scope.
// weakspot: launch grid=1 block=64
// weakspot: arg out=int[1]
// expect: none

__global__ void hand_over(int* out) {
  __shared__ int value, ready;
  if (threadIdx.x == 0) {
    ready = 0;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    value = 17;
    __threadfence_block();
    atomicExch(&ready, 1);
  } else if (threadIdx.x == 32) {
    while (atomicAdd(&ready, 0) == 0) {
    }
    __threadfence_block();
    *out = value;
  }
}
