// Prefetches, sleeps, register counts, cache policies and empty assembly change nothing that a race depends on.
// weakspot: launch grid=1 block=64
// weakspot: arg in=int[64] fill=iota
// weakspot: arg out=int[64]
// expect: none
__global__ void hints(const int* in, int* out) {
  __shared__ int tile[64];
  unsigned long long policy;
  int value = in[threadIdx.x];
  asm volatile("prefetch.global.L2 [%0];" ::"l"(in));
  asm volatile("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
  asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
  asm volatile("nanosleep.u32 20;");
  asm volatile("" : "+r"(value));
  tile[threadIdx.x] = value;
  asm volatile("// all of the tile is written\nbar.sync 0;" ::: "memory");
  out[tile[63 - threadIdx.x]] = value + (int)policy * 0;
}
