// Two warps reach the same lanes: one stores, the other loads, and no barrier stands between them.
// After NVIDIA/Fuser 4026.
// weakspot: launch grid=1 block=160
// weakspot: arg out=uint[32]
// expect: race E1 tensor memory @store @load
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
__device__ void wait_ld() { asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory"); }
__global__ void tensor(unsigned* out) {
  __shared__ unsigned place;
  if (threadIdx.x < 32) alloc(&place, 64);
  before();
  __syncthreads();
  after();
  const unsigned columns = place;
  const unsigned warp = threadIdx.x / 32;
  const unsigned lanes = columns + (warp % 4 * 32 << 16);

  if (warp == 0) {
    asm volatile("tcgen05.st.sync.aligned.32x32b.x1.b32 [%0], {%1};" ::"r"(lanes), "r"(threadIdx.x) : "memory");  // @store
    wait_st();
  }
  if (warp == 4) {
    unsigned word;
    asm volatile("tcgen05.ld.sync.aligned.32x32b.x1.b32 {%0}, [%1];" : "=r"(word) : "r"(lanes));  // @load
    wait_ld();
    out[threadIdx.x % 32] = word;
  }
  before();
  __syncthreads();
  after();
  if (warp == 0) dealloc(columns, 64);
}
