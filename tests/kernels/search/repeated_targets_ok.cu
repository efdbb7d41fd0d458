// Items that go to one place are added up with atomics.
// weakspot: search
// expect: none

__global__ void scatter(const int* place, const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    atomicAdd(&out[place[i]], in[i]);
  }
}
