// Threads of all blocks count into global bins with a plain increment.
// weakspot: launch grid=4 block=32
// weakspot: arg in=int[128] fill=random:0:7
// weakspot: arg bins=int[8]
// expect: race E1 global bins @a @a

__global__ void histogram(const int* in, int* bins) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  bins[in[i]] += 1;  // @a
}
