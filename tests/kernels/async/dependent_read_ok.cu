// A dependent launch reads what the grid before it writes. It waits for that grid before it reads.
// weakspot: program
// expect: none
#include <cuda_runtime.h>
__global__ void produce(int* data) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  data[i] = i;
  cudaTriggerProgrammaticLaunchCompletion();
}
__global__ void consume(const int* data, int* out) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  cudaGridDependencySynchronize();
  out[i] = data[127 - i];
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
