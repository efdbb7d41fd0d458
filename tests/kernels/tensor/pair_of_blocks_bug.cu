// Pairs of blocks are not modelled.
// weakspot: launch grid=2 block=32 cluster=2
// weakspot: arg out=uint[64]
// expect: unmodelled @alloc
// expect: unmodelled @free
__device__ unsigned address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void alloc(unsigned* place, unsigned columns) {
  asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], %1;" ::"r"(address(place)), "r"(columns) : "memory");
}
__device__ void dealloc(unsigned tensor, unsigned columns) {
  asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, %1;" ::"r"(tensor), "r"(columns));
}
__global__ void tensor(unsigned* out) {
  __shared__ unsigned place;
  asm volatile("tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [%0], 32;" ::"r"(address(&place)) : "memory");  // @alloc
  out[blockIdx.x * 32 + threadIdx.x] = threadIdx.x;
  asm volatile("tcgen05.dealloc.cta_group::2.sync.aligned.b32 %0, 32;" ::"r"(0));  // @free
}
