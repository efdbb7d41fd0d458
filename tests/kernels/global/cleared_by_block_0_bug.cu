// Block 0 clears the total with a barrier after it, but a barrier holds only its own block back.
// weakspot: launch grid=3 block=64
// weakspot: arg in=int[192] fill=random
// weakspot: arg total=int[1]
// expect: race E1 global total @a @b

__global__ void add_all(const int* in, int* total) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    *total = 0;  // @a
  }
  __syncthreads();
  atomicAdd(total, in[blockIdx.x * 64 + threadIdx.x]);  // @b
}
