// Atomics whose results nobody looks at, but the last of them decides what is left: without the barrier it is another.
// weakspot: launch grid=1 block=64
// weakspot: arg mark=int[1]
// expect: none

__global__ void finish(int* mark) {
  if (threadIdx.x == 40) {
    atomicExch(mark, 1);
  }
  __syncthreads();
  if (threadIdx.x == 3) {
    atomicExch(mark, 2);
  }
}
