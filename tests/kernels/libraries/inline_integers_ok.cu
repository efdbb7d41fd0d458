// Integer arithmetic in inline PTX, with guards and with the predicate of a shuffle.
// weakspot: program
// expect: none
#include <cstdio>

__device__ int failures;
__device__ void check(bool right, int line) {
  if (right) return;
  printf("line %d is wrong\n", line);
  atomicAdd(&failures, 1);
}
#define CHECK(condition) check(condition, __LINE__)
#define TWO(text, type, a, b)                                           \
  ([](type x, type y) {                                                 \
    type made;                                                          \
    asm volatile(text " %0, %1, %2;" : "=r"(made) : "r"(x), "r"(y));    \
    return made;                                                        \
  }(a, b))
#define THREE(text, a, b, c)                                                              \
  ([](unsigned x, unsigned y, unsigned z) {                                               \
    unsigned made;                                                                        \
    asm volatile(text " %0, %1, %2, %3;" : "=r"(made) : "r"(x), "r"(y), "r"(z));          \
    return made;                                                                          \
  }(a, b, c))

__global__ void all() {
  const int t = (int)threadIdx.x;
  CHECK(TWO("mul.lo.s32", int, -3, t) == -3 * t);
  CHECK(TWO("mul.hi.u32", unsigned, 0x80000000u, (unsigned)t) == (unsigned)t / 2);
  CHECK(TWO("min.s32", int, -1, t) == -1 && TWO("min.u32", unsigned, ~0u, (unsigned)t) == (unsigned)t);
  CHECK(TWO("shl.b32", unsigned, 1u, 40u) == 0 && TWO("shr.s32", int, -8, 40) == -1 && TWO("shr.u32", unsigned, 8u, 2u) == 2);
  CHECK(TWO("xor.b32", unsigned, 5u, 6u) == 3);
  CHECK(THREE("mad.lo.u32", 3u, (unsigned)t, 7u) == 3u * t + 7);
  CHECK(THREE("bfe.u32", 0xabcd1234u, 8u, 8u) == 0x12 && THREE("bfe.s32", 0x8000u, 8u, 8u) == 0xffffff80u);
  CHECK(THREE("bfe.u32", 0xabcd1234u, 0u, 32u) == 0xabcd1234u);
  CHECK(THREE("prmt.b32", 0x33221100u, 0x77665544u, 0x0514u) == 0x00551144u);
  unsigned made, count;
  asm("bfi.b32 %0, %1, %2, 4, 8;" : "=r"(made) : "r"(0xffu), "r"(0xf000000fu));
  CHECK(made == 0xf0000fffu);
  asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(made) : "r"(0xf0u), "r"(0xccu), "r"(0xaau));
  CHECK(made == (0xf0u ^ 0xccu ^ 0xaau));
  asm("popc.b64 %0, %1;" : "=r"(count) : "l"(0xf00000000000000full));
  CHECK(count == 8);
  unsigned long long wide;
  asm("mul.wide.u32 %0, %1, %2;" : "=l"(wide) : "r"(0x10000u), "r"(0x20000u));
  CHECK(wide == 0x200000000ull);
  // A sum over the lanes before this one, as libraries write it.
  int sum = 1;
  for (int by = 1; by < 32; by *= 2) {
    asm volatile(
        "{ .reg .s32 r0; .reg .pred p; shfl.sync.up.b32 r0|p, %1, %2, 0, 0xffffffff; @p add.s32 r0, r0, %1; mov.s32 %0, r0; }"
        : "=r"(sum)
        : "r"(sum), "r"(by));
  }
  CHECK(sum == t % 32 + 1);
  int clamped = t;
  asm("{ .reg .pred p; setp.gt.s32 p, %0, 9; @p mov.s32 %0, 9; @!p add.s32 %0, %0, 100; }" : "+r"(clamped));
  CHECK(clamped == (t > 9 ? 9 : t + 100));
}

int main() {
  int count = 0;
  all<<<1, 64>>>();
  cudaMemcpyFromSymbol(&count, failures, sizeof count);
  return count;
}
