// The store may overtake the load: that its value depends on what was loaded orders no accesses to tensor memory.
// Only the registers are sure to have what the load found.
// weakspot: launch grid=1 block=32
// weakspot: arg out=uint[32]
// expect: race E1 tensor memory @load @store
__device__ unsigned address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void alloc(unsigned* place, unsigned columns) {
  asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], %1;" ::"r"(address(place)), "r"(columns) : "memory");
}
__device__ void dealloc(unsigned tensor, unsigned columns) {
  asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, %1;" ::"r"(tensor), "r"(columns));
}
__device__ void wait_st() { asm volatile("tcgen05.wait::st.sync.aligned;" ::: "memory"); }
__global__ void tensor(unsigned* out) {
  __shared__ unsigned place;
  alloc(&place, 32);
  const unsigned columns = place;
  asm volatile("tcgen05.st.sync.aligned.32x32b.x1.b32 [%0], {%1};" ::"r"(columns), "r"(threadIdx.x) : "memory");
  wait_st();
  unsigned word;
  asm volatile("tcgen05.ld.sync.aligned.32x32b.x1.b32 {%0}, [%1];" : "=r"(word) : "r"(columns));  // @load
  out[threadIdx.x] = word;
  asm volatile("tcgen05.st.sync.aligned.32x32b.x1.b32 [%0], {%1};" ::"r"(columns), "r"(word + 1) : "memory");  // @store
  wait_st();
  dealloc(columns, 32);
}
