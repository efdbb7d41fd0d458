// A stack in shared memory: the top is taken atomically, but pushes and pops happen in the same phase.
// weakspot: launch grid=1 block=64
// weakspot: arg out=int[64]
// expect: race E1 shared stack @push @pop

__global__ void stack_phases(int* out) {
  __shared__ int stack[64];
  __shared__ int top;
  const int t = threadIdx.x;
  if (t == 0) {
    top = 0;
  }
  __syncthreads();
  if (t < 32) {
    stack[atomicAdd(&top, 1)] = t;  // @push
  }
  if (t >= 32) {
    out[t] = stack[t - 32];  // @pop
  }
}
