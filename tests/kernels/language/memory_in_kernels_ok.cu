// A whole program: a kernel asks the runtime for memory, fills and copies it, and another frees it.
// weakspot: program
// expect: none
#include <cassert>

__global__ void make(int** where, int* out) {
  void* made = nullptr;
  if (cudaMalloc(&made, 4 * sizeof(int)) != cudaSuccess) return;
  *where = (int*)made;
  cudaMemsetAsync(*where, 0, 4 * sizeof(int), nullptr);
  (*where)[1] = 5;
  cudaMemcpyAsync(out, *where, 4 * sizeof(int), cudaMemcpyDeviceToDevice, nullptr);
}
__global__ void drop(int** where) { cudaFree(*where); }

int main() {
  int **where, *out, got[4];
  cudaMalloc(&where, sizeof *where);
  cudaMalloc((void**)&out, sizeof got);
  make<<<1, 1>>>(where, out);
  drop<<<1, 1>>>(where);
  cudaMemcpyAsync(got, out, sizeof got, cudaMemcpyDeviceToHost);
  assert(cudaDeviceSynchronize() == cudaSuccess);
  assert(got[0] == 0 && got[1] == 5 && got[2] == 0 && got[3] == 0);
  cudaError_t (*allocate)(void**, size_t) = cudaMalloc;
  void* more;
  assert(allocate(&more, 4) == cudaSuccess && cudaFree(more) == cudaSuccess);
  return cudaFree(out);
}
