// A thread reads what it has copied itself, once it has waited for it: that takes no barrier.
// weakspot: launch grid=1 block=64
// weakspot: arg in=float[64] fill=random
// weakspot: arg out=float[64]
// expect: none
__global__ void twice(const float* in, float* out) {
  __shared__ float tile[64];
  const unsigned int to = (unsigned int)__cvta_generic_to_shared(&tile[threadIdx.x]);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(in + threadIdx.x) : "memory");
  asm volatile("cp.async.commit_group;" ::: "memory");
  asm volatile("cp.async.wait_group 0;" ::: "memory");
  out[threadIdx.x] = 2 * tile[threadIdx.x];
}
