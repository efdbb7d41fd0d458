// The mbarrier and the barrier release and acquire, and no fences of tcgen05 stand beside them. The manual says both
// that this orders operations on tensor memory and that the fences are needed.
// weakspot: launch grid=1 block=160
// weakspot: arg out=uint[32]
// expect: unmodelled @load
// expect: unmodelled @free
__device__ unsigned address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void alloc(unsigned* place, unsigned columns) {
  asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], %1;" ::"r"(address(place)), "r"(columns) : "memory");
}
__device__ void dealloc(unsigned tensor, unsigned columns) {
  asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, %1;" ::"r"(tensor), "r"(columns));
}
__device__ void wait_st() { asm volatile("tcgen05.wait::st.sync.aligned;" ::: "memory"); }
__device__ void wait_ld() { asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory"); }
__global__ void tensor(unsigned* out) {
  __shared__ unsigned place;
  if (threadIdx.x < 32) alloc(&place, 32);
  __syncthreads();
  const unsigned columns = place;
  if (threadIdx.x < 32) {
    asm volatile("tcgen05.st.sync.aligned.32x32b.x1.b32 [%0], {%1};" ::"r"(columns), "r"(threadIdx.x) : "memory");
    wait_st();
  }
  __syncthreads();
  if (threadIdx.x >= 128) {
    unsigned word;
    asm volatile("tcgen05.ld.sync.aligned.32x32b.x1.b32 {%0}, [%1];" : "=r"(word) : "r"(columns));  // @load
    wait_ld();
    out[threadIdx.x - 128] = word;
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, 32;" ::"r"(columns));  // @free
  }
}
