// Words are stored row by row, and loaded in the shapes that spread a row over four lanes, or two.
// weakspot: launch grid=1 block=32
// weakspot: arg out=uint[32]
// expect: none
#include <cassert>
__device__ unsigned address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void alloc(unsigned* place, unsigned columns) {
  asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], %1;" ::"r"(address(place)), "r"(columns) : "memory");
}
__device__ void dealloc(unsigned tensor, unsigned columns) {
  asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, %1;" ::"r"(tensor), "r"(columns));
}
__device__ void wait_st() { asm volatile("tcgen05.wait::st.sync.aligned;" ::: "memory"); }
__device__ void wait_ld() { asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory"); }
__global__ void tensor(unsigned* out) {
  __shared__ unsigned place;
  alloc(&place, 32);
  const unsigned columns = place, lane = threadIdx.x;
  const unsigned a = 100 * lane, b = a + 1, c = a + 2, d = a + 3, e = a + 4, f = a + 5, g = a + 6, h = a + 7;
  asm volatile("tcgen05.st.sync.aligned.32x32b.x8.b32 [%0], {%1, %2, %3, %4, %5, %6, %7, %8};" ::"r"(columns), "r"(a), "r"(b), "r"(c),
               "r"(d), "r"(e), "r"(f), "r"(g), "r"(h)
               : "memory");
  wait_st();
  unsigned w, x, y, z;
  asm volatile("tcgen05.ld.sync.aligned.16x256b.x1.b32 {%0, %1, %2, %3}, [%4];" : "=r"(w), "=r"(x), "=r"(y), "=r"(z) : "r"(columns + (16 << 16)));
  assert(w == 100 * (16 + lane / 4) + lane % 4 * 2 && x == w + 1);
  assert(y == 100 * (24 + lane / 4) + lane % 4 * 2 && z == y + 1);
  asm volatile("tcgen05.ld.sync.aligned.16x128b.x2.b32 {%0, %1, %2, %3}, [%4];" : "=r"(w), "=r"(x), "=r"(y), "=r"(z) : "r"(columns));
  assert(w == 100 * (lane / 4) + lane % 4 && x == w + 800 && y == w + 4 && z == x + 4);
  asm volatile("tcgen05.ld.sync.aligned.16x64b.x2.b32 {%0, %1}, [%2];" : "=r"(w), "=r"(x) : "r"(columns + 2));
  assert(w == 100 * (lane / 4 + lane % 2 * 8) + 2 + lane / 2 % 2 && x == w + 2);
  asm volatile("tcgen05.ld.sync.aligned.32x32b.x2.pack::16b.b32 {%0, %1}, [%2];" : "=r"(w), "=r"(x) : "r"(columns + 1));
  assert(w == (b | c << 16) && x == (d | e << 16));
  wait_ld();
  out[lane] = w;
  dealloc(columns, 32);
}
