// A whole program: a graph made node by node. It sets memory, launches, copies, calls the host and another graph; its
// launch is changed once, and a copy of it is not.
// weakspot: program
// expect: none
#include <cassert>

__global__ void add(int* data, int what) { data[threadIdx.x] += what + (int)threadIdx.x; }

struct Launch {
  int* data;
  int what;
  void* arguments[2] = {&data, &what};

  cudaKernelNodeParams parameters() {
    cudaKernelNodeParams launch = {};
    launch.func = (void*)add;
    launch.gridDim = dim3(1);
    launch.blockDim = dim3(32);
    launch.kernelParams = arguments;
    return launch;
  }
};

void count_call(void* calls) { ++*(int*)calls; }

int main() {
  int *data = nullptr, got[32] = {}, calls = 0;
  cudaMalloc(&data, sizeof got);
  cudaGraph_t graph, child, copy;
  assert(cudaGraphCreate(&graph, 0) == cudaSuccess && cudaGraphCreate(&child, 0) == cudaSuccess);

  cudaMemsetParams threes = {};
  threes.dst = data;
  threes.value = 3;
  threes.elementSize = 4;
  threes.width = 32;
  threes.height = 1;
  cudaGraphNode_t set, launch, inner, nested, out, call;
  assert(cudaGraphAddMemsetNode(&set, graph, nullptr, 0, &threes) == cudaSuccess);
  Launch ten{data, 10}, hundred{data, 100};
  cudaKernelNodeParams parameters = ten.parameters();
  assert(cudaGraphAddKernelNode(&launch, graph, &set, 1, &parameters) == cudaSuccess);
  parameters = hundred.parameters();
  assert(cudaGraphAddKernelNode(&inner, child, nullptr, 0, &parameters) == cudaSuccess);
  // Dependencies may come later than the nodes.
  assert(cudaGraphAddMemcpyNode1D(&out, graph, nullptr, 0, got, data, sizeof got, cudaMemcpyDeviceToHost) == cudaSuccess);
  assert(cudaGraphAddChildGraphNode(&nested, graph, &launch, 1, child) == cudaSuccess);
  assert(cudaGraphAddDependencies(graph, &nested, &out, 1) == cudaSuccess);
  cudaHostNodeParams host = {count_call, &calls};
  assert(cudaGraphAddHostNode(&call, graph, &out, 1, &host) == cudaSuccess);

  size_t nodes = 0, roots = 0;
  assert(cudaGraphGetNodes(graph, nullptr, &nodes) == cudaSuccess && nodes == 5);
  assert(cudaGraphGetRootNodes(graph, nullptr, &roots) == cudaSuccess && roots == 1);
  cudaGraphNodeType type;
  assert(cudaGraphNodeGetType(nested, &type) == cudaSuccess && type == cudaGraphNodeTypeGraph);
  assert(cudaGraphClone(&copy, graph) == cudaSuccess);

  cudaGraphExec_t ready, other;
  assert(cudaGraphInstantiate(&ready, graph, 0) == cudaSuccess);
  assert(cudaGraphInstantiate(&other, copy, 0) == cudaSuccess);
  assert(cudaGraphLaunch(ready, nullptr) == cudaSuccess);
  for (int i = 0; i < 32; ++i) assert(got[i] == 113 + 2 * i);
  Launch twenty{data, 20};
  parameters = twenty.parameters();
  assert(cudaGraphExecKernelNodeSetParams(ready, launch, &parameters) == cudaSuccess);
  assert(cudaGraphLaunch(ready, nullptr) == cudaSuccess);
  for (int i = 0; i < 32; ++i) assert(got[i] == 123 + 2 * i);
  assert(cudaGraphLaunch(other, nullptr) == cudaSuccess);
  for (int i = 0; i < 32; ++i) assert(got[i] == 113 + 2 * i);
  assert(calls == 3);

  cudaGraphExecUpdateResult result;
  assert(cudaGraphExecUpdate(ready, copy, nullptr, &result) == cudaSuccess && result == cudaGraphExecUpdateSuccess);
  assert(cudaGraphLaunch(ready, nullptr) == cudaSuccess);
  for (int i = 0; i < 32; ++i) assert(got[i] == 113 + 2 * i);
  assert(cudaGraphExecUpdate(ready, child, nullptr, &result) == cudaErrorGraphExecUpdateFailure);
  assert(result == cudaGraphExecUpdateErrorTopologyChanged);
  assert(cudaGraphExecDestroy(ready) == cudaSuccess && cudaGraphDestroy(graph) == cudaSuccess);

  // A circle is no graph.
  cudaGraph_t circle;
  cudaGraphNode_t first, second;
  assert(cudaGraphCreate(&circle, 0) == cudaSuccess);
  assert(cudaGraphAddEmptyNode(&first, circle, nullptr, 0) == cudaSuccess);
  assert(cudaGraphAddEmptyNode(&second, circle, &first, 1) == cudaSuccess);
  assert(cudaGraphAddDependencies(circle, &second, &first, 1) == cudaSuccess);
  assert(cudaGraphInstantiate(&ready, circle, 0) == cudaErrorInvalidValue);
  return 0;
}
