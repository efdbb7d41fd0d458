// A whole program: a kernel with an atomic is captured into a graph, which is launched.
// weakspot: program
// expect: none

__global__ void count(int* x) {
  atomicAdd(&x[0], 1 + (int)threadIdx.x);
}

int main() {
  int* x;
  cudaMalloc(&x, 4);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  count<<<1, 64, 0, stream>>>(x);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&ready, graph, 0);
  cudaGraphLaunch(ready, stream);
  cudaDeviceSynchronize();
  return 0;
}
