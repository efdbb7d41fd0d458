// Inline PTX stores and loads behind predicates, with a barrier between them. Registers, numbers that are not whole,
// carries and predicates that are combined mean what PTX says.
// weakspot: launch grid=1 block=64
// weakspot: arg in=int[64] fill=iota
// weakspot: arg out=int[64]
// expect: none
#include <cassert>

__device__ int quantise(float data, float scale) {
  int result;
  asm("{\n\t"
      ".reg .f32 scaled, moved;\n\t"
      ".reg .s32 less;\n\t"
      ".reg .pred p;\n\t"
      "mul.f32 scaled, %1, %2;\n\t"
      "setp.ge.f32 p, scaled, -0.5;\n\t"
      "selp.s32 less, 0, 1, p;\n\t"
      "add.f32 moved, scaled, 0.5;\n\t"
      "cvt.rzi.s32.f32 %0, moved;\n\t"
      "sub.s32 %0, %0, less;\n\t"
      "}"
      : "=r"(result)
      : "f"(data), "f"(scale));
  return result;
}

__device__ unsigned long long sum(unsigned long long a, unsigned long long b) {
  unsigned low, high;
  asm("add.cc.u32 %0, %2, %4; addc.u32 %1, %3, %5;"
      : "=&r"(low), "=r"(high)
      : "r"((unsigned)a), "r"((unsigned)(a >> 32)), "r"((unsigned)b), "r"((unsigned)(b >> 32)));
  return (unsigned long long)high << 32 | low;
}

__device__ unsigned within(int x, int from, int to) {
  unsigned found = 7;
  asm("{ .reg .pred p, q; setp.ge.s32 p, %1, %2; setp.lt.and.s32 q, %1, %3, p; not.pred p, q;"
      " @q mov.u32 %0, 1; @p mov.u32 %0, 0; }"
      : "+r"(found)
      : "r"(x), "r"(from), "r"(to));
  return found;
}

__global__ void hand_over(const int* in, int* out) {
  __shared__ int tile[64];
  const unsigned at = (unsigned)__cvta_generic_to_shared(tile + (threadIdx.x + 32) % 64);
  const unsigned own = (unsigned)__cvta_generic_to_shared(tile + threadIdx.x);
  int value = -1;
  asm volatile("{ .reg .pred p; setp.lt.u32 p, %2, 32; @p st.shared.u32 [%0], %1; }" ::"r"(own), "r"(in[threadIdx.x]), "r"(threadIdx.x));
  __syncthreads();
  asm volatile("{ .reg .pred p; setp.lt.u32 p, %2, 32; @!p ld.shared.u32 %0, [%1]; }" : "+r"(value) : "r"(at), "r"(threadIdx.x));
  assert(value == (threadIdx.x < 32 ? -1 : (int)threadIdx.x - 32));
  assert(quantise(2.6f, 1.0f) == 3 && quantise(-0.4f, 1.0f) == 0 && quantise(-2.6f, 1.0f) == -3);
  assert(sum(0xffffffffull + threadIdx.x, 1) == 0x100000000ull + threadIdx.x && sum(~0ull, 1) == 0);
  assert(within(5, 1, 9) == 1 && within(9, 1, 9) == 0 && within(0, 1, 9) == 0);
  out[threadIdx.x] = value;
}
