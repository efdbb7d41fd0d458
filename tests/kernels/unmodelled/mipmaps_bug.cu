// Functions of the runtime that are known by name only: the calls fail, and each is listed with its line.
// weakspot: program
// expect: unmodelled @make
// expect: unmodelled @level
#include <cassert>

__global__ void fill(int* data) { data[threadIdx.x] = 1; }

int main() {
  int* data = nullptr;
  cudaMalloc(&data, 32 * sizeof(int));
  cudaMipmappedArray_t levels = nullptr;
  cudaArray_t level = nullptr;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  const cudaExtent extent = make_cudaExtent(8, 8, 0);
  assert(cudaMallocMipmappedArray(&levels, &format, extent, 2) == cudaErrorNotSupported);  // @make
  assert(cudaGetMipmappedArrayLevel(&level, levels, 0) == cudaErrorNotSupported);  // @level
  fill<<<1, 32>>>(data);
  return cudaDeviceSynchronize();
}
