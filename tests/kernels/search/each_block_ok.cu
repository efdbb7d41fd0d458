// One thread of each block adds to the total, in one step.
// weakspot: search
// expect: none

__device__ int total;

__global__ void count(const int* in) {
  __shared__ int part;
  if (threadIdx.x == 0) part = 0;
  __syncthreads();
  atomicAdd(&part, in[threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(&total, part);
}
