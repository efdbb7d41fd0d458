// Threads that find an infinite number agree on the largest place.
// weakspot: search
// expect: none

__global__ void scale(const float* in, float* out, int n) {
  __shared__ int place;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) place = -1;
  __syncthreads();
  const float value = i < n ? in[i] : 0;
  if (value > 3.4e38f) atomicMax(&place, i);
  __syncthreads();
  if (i < n) out[i] = place < 0 ? value : 0;
}
