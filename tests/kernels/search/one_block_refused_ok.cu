// Several blocks do nothing.
// weakspot: search
// expect: none

__global__ void reverse(int* data) {
  __shared__ int line[256];
  if (gridDim.x != 1) return;
  line[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = line[blockDim.x - 1 - threadIdx.x];
}
