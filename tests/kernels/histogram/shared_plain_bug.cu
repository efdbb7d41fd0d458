// The threads of a block count into shared bins with a plain increment: counts get lost where two threads
// meet.
// weakspot: launch grid=2 block=64
// weakspot: arg in=int[128] fill=random:0:15
// weakspot: arg out=int[16]
// expect: race E1 shared bins @a @a

__global__ void histogram(const int* in, int* out) {
  __shared__ int bins[16];
  if (threadIdx.x < 16) {
    bins[threadIdx.x] = 0;
  }
  __syncthreads();
  bins[in[blockIdx.x * 64 + threadIdx.x]]++;  // @a
  __syncthreads();
  if (threadIdx.x < 16) {
    atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
  }
}
