// The threads race before anything runs that is not modelled: nothing that follows can order the accesses.
// weakspot: launch grid=1 block=64
// weakspot: arg out=int[64]
// expect: race E1 shared tile @a @b
// expect: unmodelled @matrix
__global__ void multiply(int* out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = threadIdx.x;  // @a
  const int other = tile[63 - threadIdx.x];  // @b
  __syncthreads();
  asm volatile("stmatrix.sync.aligned.m16n8.x1.trans.shared.b8 [%0], {%1};"  // @matrix
               ::"r"((unsigned)__cvta_generic_to_shared(tile + threadIdx.x % 8 * 4)),
               "r"(other));
  out[threadIdx.x] = other;
}
