// Warps read the address of the columns behind a barrier. After mlc-ai/TIRx-kernels 7.
// weakspot: launch grid=1 block=128
// weakspot: arg out=uint[128]
// expect: none
__device__ unsigned address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void alloc(unsigned* place, unsigned columns) {
  asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], %1;" ::"r"(address(place)), "r"(columns) : "memory");
}
__device__ void dealloc(unsigned tensor, unsigned columns) {
  asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, %1;" ::"r"(tensor), "r"(columns));
}
__device__ void before() { asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory"); }
__device__ void after() { asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory"); }
__device__ void wait_st() { asm volatile("tcgen05.wait::st.sync.aligned;" ::: "memory"); }
__global__ void tensor(unsigned* out) {
  __shared__ unsigned place;
  if (threadIdx.x < 32) {
    asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], 32;" ::"r"(address(&place)) : "memory");
  }
  before();
  __syncthreads();
  after();
  const unsigned columns = place;
  const unsigned lanes = columns + (threadIdx.x / 32 * 32 << 16);
  asm volatile("tcgen05.st.sync.aligned.32x32b.x1.b32 [%0], {%1};" ::"r"(lanes), "r"(threadIdx.x) : "memory");
  wait_st();
  before();
  __syncthreads();
  after();
  out[threadIdx.x] = 0;
  if (threadIdx.x < 32) dealloc(columns, 32);
}
