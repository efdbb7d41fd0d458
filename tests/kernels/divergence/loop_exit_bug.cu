// A thread that has found its element leaves the loop and the kernel, while the rest of the block waits at
// the barrier in the loop.
// weakspot: launch grid=1 block=32
// weakspot: arg goal=int[32] fill=iota
// weakspot: arg steps=int[32]
// expect: divergence D3 @a

__global__ void search(const int* goal, int* steps) {
  __shared__ int step;
  const int t = threadIdx.x;
  if (t == 31) {
    step = 0;
  }
  __syncthreads();
  while (step < 40) {
    if (step >= goal[t]) {
      steps[t] = step;
      return;
    }
    __syncthreads();  // @a
    if (t == 31) {
      step++;
    }
    __syncthreads();
  }
}
