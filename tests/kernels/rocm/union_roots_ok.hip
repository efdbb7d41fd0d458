// Paths are shortened by atomic stores, and followed by atomic loads.
// weakspot: launch grid=2 block=64
// weakspot: arg parent=int[128] fill=iota
// expect: none
#include <hip/hip_runtime.h>

__device__ int root(int* parent, int v) {
  int at = __hip_atomic_load(&parent[v], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  while (true) {
    const int next = __hip_atomic_load(&parent[at], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    if (next == at) return at;
    __hip_atomic_store(&parent[v], next, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    v = at;
    at = next;
  }
}

__global__ void join(int* parent) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  int a = root(parent, t), b = root(parent, (t * 7 + 3) % 128);
  while (a != b) {
    if (a < b) {
      const int c = a;
      a = b;
      b = c;
    }
    const int seen = atomicCAS(&parent[a], a, b);
    if (seen == a) return;
    a = root(parent, seen);
    b = root(parent, b);
  }
}
