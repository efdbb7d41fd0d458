// The issuer waits for its product and tells others, all of it relaxed: without the fence after, it passes nothing on.
// weakspot: launch grid=1 block=128
// weakspot: arg out=float[128]
// expect: race E1 tensor memory @product @load
// Sums of floats, of 128 rows and 16 columns.
constexpr unsigned kShape = 1u << 4 | 16u / 8 << 17 | 128u / 16 << 24;
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
__device__ void proxy() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
__device__ void init(unsigned long long* gate, unsigned count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address(gate)), "r"(count) : "memory");
}
__device__ void arrive_relaxed(unsigned long long* gate) {
  asm volatile("mbarrier.arrive.relaxed.cta.shared::cta.b64 _, [%0];" ::"r"(address(gate)) : "memory");
}
__device__ void wait_relaxed(unsigned long long* gate, unsigned parity) {
  asm volatile("{\n.reg .pred done;\nAGAIN:\nmbarrier.try_wait.parity.relaxed.cta.shared::cta.b64 done, [%0], %1;\n@!done bra AGAIN;\n}" ::"r"(
                   address(gate)),
               "r"(parity)
               : "memory");
}
__device__ void commit(unsigned long long* gate) {
  asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(address(gate)) : "memory");
}
__device__ unsigned long long describe(const void* matrix) {
  return (unsigned long long)(address(matrix) & 0x3ffff) >> 4 | 128ull >> 4 << 16 | 256ull >> 4 << 32 | 1ull << 46;
}
__global__ void tensor(float* out) {
  __shared__ __align__(1024) unsigned short left[2048], right[256];
  __shared__ unsigned long long done, told;
  __shared__ unsigned place;
  for (int i = threadIdx.x; i < 2048; i += blockDim.x) left[i] = 0x3c00;
  for (int i = threadIdx.x; i < 256; i += blockDim.x) right[i] = 0x4000;
  if (threadIdx.x < 32) alloc(&place, 32);
  if (threadIdx.x == 0) {
    init(&done, 1);
    init(&told, 1);
  }
  proxy();
  before();
  __syncthreads();
  after();
  const unsigned columns = place;
  const unsigned lanes = columns + (threadIdx.x / 32 * 32 << 16);
  if (threadIdx.x == 0) {
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %4, 0;\ntcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, p;\n}" ::"r"(columns), "l"(describe(left)), "l"(describe(right)), "r"(kShape), "r"(0) : "memory");  // @product
    commit(&done);
    wait_relaxed(&done, 0);
    before();
    arrive_relaxed(&told);
  }
  wait_relaxed(&told, 0);
  after();
  unsigned word;
  asm volatile("tcgen05.ld.sync.aligned.32x32b.x1.b32 {%0}, [%1];" : "=r"(word) : "r"(lanes));  // @load
  wait_ld();
  out[threadIdx.x] = __uint_as_float(word);
  before();
  __syncthreads();
  after();
  if (threadIdx.x < 32) dealloc(columns, 32);
}
