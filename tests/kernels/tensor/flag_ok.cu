// A relaxed flag in shared memory orders operations on tensor memory between the two fences of tcgen05.
// weakspot: launch grid=1 block=160
// weakspot: arg out=uint[32]
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
__device__ void wait_ld() { asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory"); }
__global__ void tensor(unsigned* out) {
  __shared__ unsigned place, ready;
  if (threadIdx.x < 32) alloc(&place, 32);
  if (threadIdx.x == 0) ready = 0;
  before();
  __syncthreads();
  after();
  const unsigned columns = place;
  if (threadIdx.x < 32) {
    asm volatile("tcgen05.st.sync.aligned.32x32b.x1.b32 [%0], {%1};" ::"r"(columns), "r"(threadIdx.x) : "memory");
    wait_st();
    before();
    __syncwarp();
    if (threadIdx.x == 0) asm volatile("st.relaxed.cta.shared::cta.u32 [%0], 1;" ::"r"(address(&ready)) : "memory");
  } else if (threadIdx.x >= 128) {
    unsigned seen = 0;
    while (seen == 0) asm volatile("ld.relaxed.cta.shared::cta.u32 %0, [%1];" : "=r"(seen) : "r"(address(&ready)) : "memory");
    after();
    unsigned word;
    asm volatile("tcgen05.ld.sync.aligned.32x32b.x1.b32 {%0}, [%1];" : "=r"(word) : "r"(columns));
    wait_ld();
    out[threadIdx.x - 128] = word;
  }
  before();
  __syncthreads();
  after();
  if (threadIdx.x < 32) dealloc(columns, 32);
}
