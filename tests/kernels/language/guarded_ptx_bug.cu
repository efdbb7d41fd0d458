// Inline PTX stores and loads behind predicates: half of the lanes write what the other half read, without a barrier.
// weakspot: launch grid=1 block=64
// weakspot: arg in=int[64] fill=iota
// weakspot: arg out=int[64]
// expect: race E1 shared tile @w @r

__global__ void hand_over(const int* in, int* out) {
  __shared__ int tile[64];
  const unsigned at = (unsigned)__cvta_generic_to_shared(tile + (threadIdx.x + 32) % 64);
  const unsigned own = (unsigned)__cvta_generic_to_shared(tile + threadIdx.x);
  int value = -1;
  asm volatile("{ .reg .pred p; setp.lt.u32 p, %2, 32; @p st.shared.u32 [%0], %1; }" ::"r"(own), "r"(in[threadIdx.x]), "r"(threadIdx.x));  // @w
  asm volatile("{\n\t.reg .pred p;\n\tsetp.lt.u32 p, %2, 32;\n\t@!p ld.shared.u32 %0, [%1];\n\t}" : "+r"(value) : "r"(at), "r"(threadIdx.x));  // @r
  out[threadIdx.x] = value;
}
