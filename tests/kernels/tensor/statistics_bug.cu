// Four warps store a word and arrive at an mbarrier, at which those wait that load it: the stores may still be under
// way. After NVIDIA/cutlass 3653.
// weakspot: launch grid=1 block=256
// weakspot: arg out=uint[128]
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
__device__ void wait_ld() { asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory"); }
__device__ void wait_st() { asm volatile("tcgen05.wait::st.sync.aligned;" ::: "memory"); }
__device__ void init(unsigned long long* gate, unsigned count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address(gate)), "r"(count) : "memory");
}
__device__ void arrive(unsigned long long* gate) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address(gate)) : "memory");
}
__device__ void wait(unsigned long long* gate, unsigned parity) {
  asm volatile("{\n.reg .pred done;\nAGAIN:\nmbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n@!done bra AGAIN;\n}" ::"r"(
                   address(gate)),
               "r"(parity)
               : "memory");
}
__global__ void tensor(unsigned* out) {
  __shared__ unsigned long long stored;
  __shared__ unsigned place;
  if (threadIdx.x < 32) alloc(&place, 32);
  if (threadIdx.x == 0) init(&stored, 128);
  before();
  __syncthreads();
  after();
  const unsigned columns = place;
  const unsigned lanes = columns + (threadIdx.x / 32 % 4 * 32 << 16);
  if (threadIdx.x < 128) {
    asm volatile("tcgen05.st.sync.aligned.32x32b.x1.b32 [%0], {%1};" ::"r"(lanes), "r"(threadIdx.x) : "memory");  // @store
    before();
    arrive(&stored);
  } else {
    wait(&stored, 0);
    after();
    unsigned word;
    asm volatile("tcgen05.ld.sync.aligned.32x32b.x1.b32 {%0}, [%1];" : "=r"(word) : "r"(lanes));  // @load
    wait_ld();
    out[threadIdx.x - 128] = word;
  }
  wait_st();
  before();
  __syncthreads();
  after();
  if (threadIdx.x < 32) dealloc(columns, 32);
}
