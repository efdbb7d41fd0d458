// The second grid may start before the first has ended. That is not modelled: they run one after the other here.
// weakspot: program
// expect: unmodelled @kernel
#include <cuda_runtime.h>
__global__ void produce(int* data) { data[threadIdx.x] = threadIdx.x; }
__global__ void consume(const int* data, int* out) {  // @kernel
  out[threadIdx.x] = data[63 - threadIdx.x];
}
int main() {
  int *data, *out;
  cudaMalloc(&data, 64 * sizeof(int));
  cudaMalloc(&out, 64 * sizeof(int));
  produce<<<1, 64>>>(data);
  cudaLaunchAttribute overlap;
  overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  overlap.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(1);
  config.blockDim = dim3(64);
  config.attrs = &overlap;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, consume, (const int*)data, out);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
