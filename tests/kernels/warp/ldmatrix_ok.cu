// The lanes meet before ldmatrix; what it gives is checked.
// weakspot: launch grid=1 block=32
// weakspot: arg in=uint[128] fill=iota
// weakspot: arg out=uint[32]
// expect: none
#include <cassert>
__global__ void fragments(const unsigned* in, unsigned* out) {
  __shared__ unsigned tile[128];
  for (int i = threadIdx.x; i < 128; i += 32) tile[i] = in[i] | in[i] << 16;
  __syncwarp();
  const unsigned row = (unsigned)__cvta_generic_to_shared(tile + threadIdx.x * 4);
  unsigned a, b, c, d, t;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 %0, [%1];" : "=r"(t) : "r"(row));
  assert(a == tile[threadIdx.x] && b == tile[32 + threadIdx.x] && d == tile[96 + threadIdx.x]);
  const int lane = threadIdx.x, first = (lane % 4) * 2 * 4 + lane / 8;  // the word with column lane / 4 of its row
  assert((t & 0xffff) == (tile[first] & 0xffff) && t >> 16 == (tile[first + 4] & 0xffff));
  out[threadIdx.x] = a + b + c + d + t;
}
