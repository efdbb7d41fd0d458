// Four warps load the last two of 32 columns.
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
__device__ void wait_ld() { asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory"); }
__global__ void tensor(unsigned* out) {
  __shared__ unsigned place;
  if (threadIdx.x < 32) alloc(&place, 32);
  before();
  __syncthreads();
  after();
  const unsigned columns = place;
  const unsigned lanes = columns + (threadIdx.x / 32 * 32 << 16);
  unsigned word, next;
  asm volatile("tcgen05.ld.sync.aligned.32x32b.x2.b32 {%0, %1}, [%2];" : "=r"(word), "=r"(next) : "r"(lanes + 30));
  wait_ld();
  out[threadIdx.x] = word + next;
  before();
  __syncthreads();
  after();
  if (threadIdx.x < 32) dealloc(columns, 32);
}
