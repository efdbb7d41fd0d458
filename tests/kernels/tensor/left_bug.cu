// Half of the columns are not given back before the kernel ends.
// weakspot: launch grid=1 block=32
// weakspot: arg out=uint[32]
// expect: invalid @alloc
__device__ unsigned address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void alloc(unsigned* place, unsigned columns) {
  asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], %1;" ::"r"(address(place)), "r"(columns) : "memory");
}
__device__ void dealloc(unsigned tensor, unsigned columns) {
  asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, %1;" ::"r"(tensor), "r"(columns));
}
__global__ void tensor(unsigned* out) {
  __shared__ unsigned place;
  asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], 64;" ::"r"(address(&place)) : "memory");  // @alloc
  const unsigned columns = place;
  out[threadIdx.x] = 0;
  dealloc(columns, 32);
}
