// One thread of each block adds to the total. Nothing says that there is only one block.
// weakspot: search
// expect: race E1 global total @add @add

__device__ int total;

__global__ void count(const int* in) {
  __shared__ int part;
  if (threadIdx.x == 0) part = 0;
  __syncthreads();
  atomicAdd(&part, in[threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) total += part;  // @add
}
