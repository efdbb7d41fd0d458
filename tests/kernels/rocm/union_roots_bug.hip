// Roots are joined by compare-and-swap, while the search for them shortens paths by plain stores.
// weakspot: launch grid=2 block=64
// weakspot: arg parent=int[128] fill=iota
// expect: race E1 global parent @short @join
// allow: race E1 global parent @short @walk
// allow: race E1 global parent @short @short
// allow: race W1 global parent @short @short
#include <hip/hip_runtime.h>

__device__ int root(int* parent, int v) {
  int at = __hip_atomic_load(&parent[v], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  while (true) {
    const int next = __hip_atomic_load(&parent[at], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);  // @walk
    if (next == at) return at;
    parent[v] = next;  // @short
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
    const int seen = atomicCAS(&parent[a], a, b);  // @join
    if (seen == a) return;
    a = root(parent, seen);
    b = root(parent, b);
  }
}
