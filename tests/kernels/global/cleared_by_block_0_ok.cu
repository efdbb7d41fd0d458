// The total is cleared before the launch, and the kernel only adds to it.
// weakspot: launch grid=3 block=64
// weakspot: arg in=int[192] fill=random
// weakspot: arg total=int[1]
// expect: none

__global__ void add_all(const int* in, int* total) { atomicAdd(total, in[blockIdx.x * 64 + threadIdx.x]); }
