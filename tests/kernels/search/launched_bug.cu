// One of two launches in host code of the file has several blocks, which write to the same elements.
// weakspot: search
// expect: race E1 global data @write @read
// allow: race E1 global data @write @write

__global__ void reverse(int* data) {
  __shared__ int line[256];
  line[threadIdx.x] = data[threadIdx.x];  // @read
  __syncthreads();
  data[threadIdx.x] = line[blockDim.x - 1 - threadIdx.x];  // @write
}

void reverse_all(int* data, int count) {
  reverse<<<1, 64>>>(data);
  reverse<<<count, 64>>>(data);
}
