// A whole program: a kernel that races is captured into a graph and races when the graph is launched.
// weakspot: program
// expect: race E1 global x @a @a

__global__ void count(int* x) {
  x[0] += 1 + (int)threadIdx.x;  // @a
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
