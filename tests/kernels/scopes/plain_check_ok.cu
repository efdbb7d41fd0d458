// Every thread offers its value with atomicMin.
// weakspot: launch grid=2 block=64
// weakspot: arg in=int[128] fill=random
// weakspot: arg least=int[1] values=100000
// expect: none

__global__ void minimum(const int* in, int* least) {
  const int value = in[blockIdx.x * blockDim.x + threadIdx.x];
  atomicMin(least, value);
}
