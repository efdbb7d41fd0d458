// One warp hands a value to another through shared memory and a flag, without fences.
// weakspot: launch grid=1 block=64
// weakspot: arg out=int[1]
// expect: race E1 shared value @w @r
// allow: race W3 shared ready @set @poll

__global__ void hand_over(int* out) {
  __shared__ int value, ready;
  if (threadIdx.x == 0) {
    ready = 0;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    value = 17;             // @w
    atomicExch(&ready, 1);  // @set
  } else if (threadIdx.x == 32) {
    while (atomicAdd(&ready, 0) == 0) {  // @poll
    }
    *out = value;  // @r
  }
}
