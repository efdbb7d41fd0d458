// 64 columns are a power of two. After NVIDIA/Fuser 4152.
// weakspot: launch grid=1 block=32
// weakspot: arg out=uint[32]
// expect: none
__device__ unsigned address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void alloc(unsigned* place, unsigned columns) {
  asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], %1;" ::"r"(address(place)), "r"(columns) : "memory");
}
__device__ void dealloc(unsigned tensor, unsigned columns) {
  asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, %1;" ::"r"(tensor), "r"(columns));
}
__global__ void tensor(unsigned* out) {
  __shared__ unsigned place;
  alloc(&place, 64);
  out[threadIdx.x] = place;
  dealloc(place, 64);
}
