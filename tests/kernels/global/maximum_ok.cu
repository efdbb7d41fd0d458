// The maximum is found with atomicMax.
// weakspot: launch grid=2 block=64
// weakspot: arg in=int[128] fill=iota
// weakspot: arg best=int[1] values=-1
// expect: none

__global__ void find_max(const int* in, int* best) {
  const int value = in[blockIdx.x * blockDim.x + threadIdx.x];
  atomicMax(best, value);
}
