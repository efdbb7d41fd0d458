// A lock between blocks, with a fence behind the acquisition and one before the release.
// weakspot: search
// expect: none

__global__ void add(int* lock, int* sum, const int* in) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    sum[0] += in[0];
    __threadfence();
    atomicExch(lock, 0);
  }
}
