// ldmatrix reads rows that other lanes wrote, with no barrier of the warp between.
// weakspot: launch grid=1 block=32
// weakspot: arg in=uint[128] fill=iota
// weakspot: arg out=uint[32]
// expect: race E2 shared tile @write @read
// expect(lockstep): none
__global__ void fragments(const unsigned* in, unsigned* out) {
  __shared__ unsigned tile[128];
  for (int i = threadIdx.x; i < 128; i += 32) tile[i] = in[i];  // @write
  const unsigned row = (unsigned)__cvta_generic_to_shared(tile + threadIdx.x * 4);
  unsigned a, b, c, d;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(row));  // @read
  out[threadIdx.x] = a + b + c + d;
}
