// A whole program: launches and copies are captured into a graph, which is then launched twice.
// weakspot: program
// expect: none
#include <cassert>

__global__ void add(int* x, int by) { x[threadIdx.x] += by; }

int main() {
  int *x, got[32] = {};
  cudaMalloc(&x, sizeof got);
  cudaMemset(x, 0, sizeof got);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  for (int i = 1; i <= 3; ++i) add<<<1, 32, 0, stream>>>(x, i);
  cudaMemcpyAsync(got, x, sizeof got, cudaMemcpyDeviceToHost, stream);
  cudaStreamEndCapture(stream, &graph);
  assert(got[0] == 0);
  assert(cudaGraphInstantiate(&ready, graph, 0) == cudaSuccess);
  cudaGraphLaunch(ready, stream);
  cudaGraphLaunch(ready, stream);
  assert(cudaStreamSynchronize(stream) == cudaSuccess);
  assert(got[0] == 12 && got[31] == 12);
  assert(cudaGraphExecDestroy(ready) == cudaSuccess && cudaGraphDestroy(graph) == cudaSuccess);
  return 0;
}
