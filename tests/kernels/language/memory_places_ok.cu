// A whole program: managed memory is advised and fetched, for a device as before CUDA 13 and for a place as since then.
// weakspot: program
// expect: none
#include <cassert>

__global__ void fill(int* data) { data[threadIdx.x] = threadIdx.x; }

int main() {
  int* data;
  cudaMallocManaged(&data, 32 * sizeof(int));
  const cudaMemLocation place = {cudaMemLocationTypeDevice, 0};
  assert(cudaMemAdvise(data, 32 * sizeof(int), cudaMemAdviseSetAccessedBy, 0) == cudaSuccess);
  assert(cudaMemAdvise(data, 32 * sizeof(int), cudaMemAdviseSetPreferredLocation, place) == cudaSuccess);
  fill<<<1, 32>>>(data);
  assert(cudaMemPrefetchAsync(data, 32 * sizeof(int), cudaCpuDeviceId) == cudaSuccess);
  assert(cudaMemPrefetchAsync(data, 32 * sizeof(int), place, 0, nullptr) == cudaSuccess);
  assert(cudaDeviceSynchronize() == cudaSuccess);
  for (int i = 0; i < 32; ++i) assert(data[i] == i);
  return 0;
}
