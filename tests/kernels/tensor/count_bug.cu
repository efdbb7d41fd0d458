// 48 columns are no power of two. After NVIDIA/Fuser 4152.
// weakspot: launch grid=1 block=32
// weakspot: arg out=uint[32]
// expect: invalid @alloc
__device__ unsigned address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void alloc(unsigned* place, unsigned columns) {
  asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], %1;" ::"r"(address(place)), "r"(columns) : "memory");
}
__global__ void tensor(unsigned* out) {
  __shared__ unsigned place;
  asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], %1;" ::"r"(address(&place)), "r"(blockDim.x + 16) : "memory");  // @alloc
  out[threadIdx.x] = place;
}
