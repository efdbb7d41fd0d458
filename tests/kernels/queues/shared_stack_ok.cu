// A stack in shared memory: a barrier separates the phase of pushes from the phase of pops.
// weakspot: launch grid=1 block=64
// weakspot: arg out=int[64]
// expect: none

__global__ void stack_phases(int* out) {
  __shared__ int stack[64];
  __shared__ int top;
  const int t = threadIdx.x;
  if (t == 0) {
    top = 0;
  }
  __syncthreads();
  if (t < 32) {
    stack[atomicAdd(&top, 1)] = t;
  }
  __syncthreads();
  if (t >= 32) {
    out[t] = stack[atomicSub(&top, 1) - 1];
  }
}
