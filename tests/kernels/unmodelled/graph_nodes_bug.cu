// A graph is made node by node: the calls fail, and each is listed with its line.
// weakspot: program
// expect: unmodelled @create
// expect: unmodelled @kernel
// expect: unmodelled @set
// expect: unmodelled @clone
#include <cassert>

__global__ void fill(int* data) { data[threadIdx.x] = 1; }

int main() {
  int* data = nullptr;
  cudaMalloc(&data, 32 * sizeof(int));
  cudaGraph_t graph = nullptr, copy = nullptr;
  cudaGraphNode_t first, second;
  assert(cudaGraphCreate(&graph, 0) == cudaErrorNotSupported);  // @create

  cudaMemsetParams zeros = {};
  zeros.dst = data;
  zeros.elementSize = 4;
  zeros.width = 32;
  zeros.height = 1;
  assert(cudaGraphAddMemsetNode(&first, graph, nullptr, 0, &zeros) == cudaErrorNotSupported);  // @set

  void* arguments[] = {&data};
  cudaKernelNodeParams launch = {};
  launch.func = (void*)fill;
  launch.gridDim = dim3(1);
  launch.blockDim = dim3(32);
  launch.kernelParams = arguments;
  assert(cudaGraphAddKernelNode(&second, graph, &first, 1, &launch) == cudaErrorNotSupported);  // @kernel
  assert(cudaGraphClone(&copy, graph) == cudaErrorNotSupported);  // @clone
  fill<<<1, 32>>>(data);
  return cudaDeviceSynchronize();
}
