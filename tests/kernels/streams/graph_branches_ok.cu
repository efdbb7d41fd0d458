// A whole program: two nodes of a graph write the same numbers, one after the other.
// weakspot: program
// expect: none

__global__ void fill(int* data) {
  data[threadIdx.x] = 1;
}
__global__ void twice(int* data) {
  data[threadIdx.x] = 2 * threadIdx.x;
}

cudaGraphNode_t add(cudaGraph_t graph, void (*kernel)(int*), int* data, const cudaGraphNode_t* after, size_t count) {
  void* arguments[] = {&data};
  cudaKernelNodeParams launch = {};
  launch.func = (void*)kernel;
  launch.gridDim = dim3(1);
  launch.blockDim = dim3(32);
  launch.kernelParams = arguments;
  cudaGraphNode_t node;
  cudaGraphAddKernelNode(&node, graph, after, count, &launch);
  return node;
}

int main() {
  int* data = nullptr;
  cudaMalloc(&data, 32 * sizeof(int));
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  cudaGraphCreate(&graph, 0);
  const cudaGraphNode_t first = add(graph, fill, data, nullptr, 0);
  add(graph, twice, data, &first, 1);
  cudaGraphInstantiate(&ready, graph, 0);
  cudaGraphLaunch(ready, nullptr);
  return cudaDeviceSynchronize();
}
