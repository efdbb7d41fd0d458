// Each block adds its histogram to that of all, without atomics.
// weakspot: search
// expect: race E1 global bins @merge @merge

__global__ void histogram(const unsigned char* in, int n, int* bins) {
  __shared__ int own[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) own[i] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&own[in[i]], 1);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x) bins[i] += own[i];  // @merge
}
