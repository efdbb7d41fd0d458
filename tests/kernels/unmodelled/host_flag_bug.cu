// The kernel waits for a flag in mapped memory that the host sets while it runs. Here the host goes on only after the
// launch, so the wait cannot end, which is not the kernel's fault.
// weakspot: program
// expect: unmodelled @wait
// expect: divergence U1 @wait
// allow: unexercised @kernel
#include <cuda_runtime.h>
__global__ void listen(volatile int* flag, int* out) {  // @kernel
  while (flag[0] == 0) {}  // @wait
  out[threadIdx.x] = 1;
}
int main() {
  int *flag, *out;
  cudaHostAlloc(&flag, sizeof(int), cudaHostAllocMapped);
  cudaMalloc(&out, 32 * sizeof(int));
  flag[0] = 0;
  listen<<<1, 1>>>(flag, out);
  *(volatile int*)flag = 1;
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
