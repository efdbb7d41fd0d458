// A lock between blocks without fences: the next owner need not see what the last one wrote.
// weakspot: search
// expect: race E1 global sum @add @add

__global__ void add(int* lock, int* sum, const int* in) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    sum[0] += in[0];  // @add
    atomicExch(lock, 0);
  }
}
