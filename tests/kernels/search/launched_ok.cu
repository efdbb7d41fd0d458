// Host code of the file launches the kernel, always with one block.
// weakspot: search
// expect: none

__global__ void reverse(int* data) {
  __shared__ int line[256];
  line[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = line[blockDim.x - 1 - threadIdx.x];
}

void reverse_all(int* data, int count, cudaStream_t stream) {
  const int blocks = 1;
  reverse<<<1, 64>>>(data);
  reverse<<<dim3(blocks), dim3(32, 2), 0, stream>>>(data);
}
