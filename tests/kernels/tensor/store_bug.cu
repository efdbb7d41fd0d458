// The load may come before the store of its own warp: nothing waits for the store.
// weakspot: launch grid=2 block=32
// weakspot: arg out=uint[64]
// expect: race E1 tensor memory @store @load
#include <cassert>
__device__ unsigned address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void alloc(unsigned* place, unsigned columns) {
  asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], %1;" ::"r"(address(place)), "r"(columns) : "memory");
}
__device__ void dealloc(unsigned tensor, unsigned columns) {
  asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, %1;" ::"r"(tensor), "r"(columns));
}
__device__ void wait_ld() { asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory"); }
__global__ void tensor(unsigned* out) {
  __shared__ unsigned place;
  alloc(&place, 32);
  const unsigned columns = place;
  asm volatile("tcgen05.st.sync.aligned.32x32b.x1.b32 [%0], {%1};" ::"r"(columns + 3), "r"(threadIdx.x) : "memory");  // @store
  unsigned word;
  asm volatile("tcgen05.ld.sync.aligned.32x32b.x1.b32 {%0}, [%1];" : "=r"(word) : "r"(columns + 3));  // @load
  wait_ld();
  assert(word == threadIdx.x);
  out[blockIdx.x * 32 + threadIdx.x] = word;
  dealloc(columns, 32);
}
