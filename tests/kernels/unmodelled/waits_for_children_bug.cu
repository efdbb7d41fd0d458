// A kernel waits for the kernel that it launched, which has not run by then.
// weakspot: program
// expect: unmodelled @launch
// expect: unmodelled @wait

__global__ void fill(int* data) { data[threadIdx.x] = threadIdx.x; }

__global__ void parent(int* data, int* sum) {
  if (threadIdx.x + blockIdx.x > 0) return;
  fill<<<1, 64>>>(data);    // @launch
  cudaDeviceSynchronize();  // @wait
  for (int i = 0; i < 64; ++i) *sum += data[i];
}

int main() {
  int* data;
  cudaMalloc(&data, 65 * sizeof(int));
  cudaMemset(data, 0, 65 * sizeof(int));
  parent<<<1, 1>>>(data, data + 64);
  return cudaDeviceSynchronize();
}
