// A dependent launch overwrites what the grid before it reads. It does not wait for that grid.
// weakspot: program
// expect: race E1 global data @read @write
#include <cuda_runtime.h>
__global__ void sum(const int* data, int* out) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  asm volatile("griddepcontrol.launch_dependents;");
  out[i] = data[127 - i];  // @read
}
__global__ void clear(int* data) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  data[i] = 0;  // @write
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
  sum<<<2, 64>>>(data, out);
  launch_dependent(clear, data);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
