// Two items go to one place only if the places repeat.
// weakspot: search
// expect: race I1 global out @store @store

__global__ void scatter(const int* place, const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[place[i]] = in[i];  // @store
  }
}
