// A dependent launch prepares something of its own before it waits for the grid before it. It also reads a word of
// that grid too early.
// weakspot: program
// expect: race E1 global data @write @early
#include <cuda_runtime.h>
__global__ void produce(int* data) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  data[i] = i;  // @write
}
__global__ void consume(const int* data, int* out) {
  __shared__ int table[64];
  const int i = blockIdx.x * 64 + threadIdx.x;
  table[threadIdx.x] = threadIdx.x * 3;
  const int first = data[0];  // @early
  cudaGridDependencySynchronize();
  __syncthreads();
  out[i] = data[127 - i] + first + table[63 - threadIdx.x];
}
template <typename Kernel, typename... Arguments>
void launch_dependent(Kernel kernel, Arguments... arguments) {
  cudaLaunchAttribute overlap;
  overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  overlap.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(2);
  config.blockDim = dim3(64);
  config.attrs = &overlap;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, kernel, arguments...);
}
int main() {
  int *data, *out;
  cudaMalloc(&data, 128 * sizeof(int));
  cudaMalloc(&out, 128 * sizeof(int));
  produce<<<2, 64>>>(data);
  launch_dependent(consume, (const int*)data, out);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
