// A whole program: a graph repeats a captured body while a kernel says so, and takes one of two others behind it. Its
// memory is that of a node.
// weakspot: program
// expect: none
#include <cassert>

__global__ void count_down(int* left, int* rounds, cudaGraphConditionalHandle goes_on) {
  ++*rounds;
  cudaGraphSetConditional(goes_on, --*left > 0);
}
__global__ void choose(const int* rounds, cudaGraphConditionalHandle many) {
  cudaGraphSetConditional(many, *rounds > 3);
}
__global__ void store(int* to, int value) { *to = value; }

int main() {
  int* data = nullptr;
  cudaMalloc(&data, 3 * sizeof(int));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaGraph_t graph;
  assert(cudaGraphCreate(&graph, 0) == cudaSuccess);
  cudaGraphConditionalHandle goes_on, many;
  assert(cudaGraphConditionalHandleCreate(&goes_on, graph, 1, cudaGraphCondAssignDefault) == cudaSuccess);
  assert(cudaGraphConditionalHandleCreate(&many, graph) == cudaSuccess);

  cudaGraphNodeParams memory = {cudaGraphNodeTypeMemAlloc};
  memory.alloc.bytesize = sizeof(int);
  cudaGraphNode_t allocated, zeroed, loop, choice, branch, copied, freed;
  assert(cudaGraphAddNode(&allocated, graph, nullptr, 0, &memory) == cudaSuccess);
  int *rounds = (int*)memory.alloc.dptr, counted = 0;
  cudaGraphNodeParams zero = {cudaGraphNodeTypeMemset};
  zero.memset.dst = rounds;
  zero.memset.elementSize = sizeof(int);
  zero.memset.width = zero.memset.height = 1;
  assert(cudaGraphAddNode(&zeroed, graph, &allocated, 1, &zero) == cudaSuccess);

  cudaGraphNodeParams repeated = {cudaGraphNodeTypeConditional};
  repeated.conditional.handle = goes_on;
  repeated.conditional.type = cudaGraphCondTypeWhile;
  repeated.conditional.size = 1;
  assert(cudaGraphAddNode(&loop, graph, &zeroed, 1, &repeated) == cudaSuccess);
  cudaGraph_t body = repeated.conditional.phGraph_out[0];
  assert(cudaStreamBeginCaptureToGraph(stream, body, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal) == cudaSuccess);
  count_down<<<1, 1, 0, stream>>>(data, rounds, goes_on);
  assert(cudaStreamEndCapture(stream, nullptr) == cudaSuccess);

  const void* chosen_by[] = {&rounds, &many};
  cudaGraphNodeParams launch = {cudaGraphNodeTypeKernel};
  launch.kernel.func = (void*)choose;
  launch.kernel.gridDim = launch.kernel.blockDim = dim3(1);
  launch.kernel.kernelParams = (void**)chosen_by;
  assert(cudaGraphAddNode(&choice, graph, &loop, 1, &launch) == cudaSuccess);

  cudaGraphNodeParams either = {cudaGraphNodeTypeConditional};
  either.conditional.handle = many;
  either.conditional.type = cudaGraphCondTypeIf;
  either.conditional.size = 2;
  assert(cudaGraphAddNode(&branch, graph, &choice, 1, &either) == cudaSuccess);
  for (int i = 0; i < 2; ++i) {
    int *to = data + 1, value = i == 0 ? 7 : 8;
    void* stored[] = {&to, &value};
    launch.kernel.func = (void*)store;
    launch.kernel.kernelParams = stored;
    cudaGraphNode_t node;
    assert(cudaGraphAddNode(&node, either.conditional.phGraph_out[i], nullptr, 0, &launch) == cudaSuccess);
  }
  assert(cudaGraphAddMemcpyNode1D(&copied, graph, &branch, 1, &counted, rounds, sizeof counted,
                                  cudaMemcpyDeviceToHost) == cudaSuccess);
  assert(cudaGraphAddMemFreeNode(&freed, graph, &copied, 1, rounds) == cudaSuccess);

  cudaGraphExec_t ready;
  assert(cudaGraphInstantiate(&ready, graph, 0) == cudaSuccess);
  for (const int length : {2, 5}) {
    cudaMemcpy(data, &length, sizeof length, cudaMemcpyHostToDevice);
    assert(cudaGraphLaunch(ready, stream) == cudaSuccess);
    int left = 0, stored = 0;
    cudaStreamSynchronize(stream);
    cudaMemcpy(&left, data, sizeof left, cudaMemcpyDeviceToHost);
    cudaMemcpy(&stored, data + 1, sizeof stored, cudaMemcpyDeviceToHost);
    assert(left == 0 && counted == length && stored == (length > 3 ? 7 : 8));
  }
  return 0;
}
