// Each thread writes as many items as its input says, from its own index on: a thread with more than one
// collides with the next.
// weakspot: launch grid=1 block=64
// weakspot: arg codes=int[64] fill=iota
// weakspot: arg out=int[192]
// expect: race E1 global out @a @a

__device__ int length(int code) { return code % 3 + 1; }

__global__ void unpack(const int* codes, int* out) {
  const int t = threadIdx.x;
  const int first = t;
  for (int i = 0; i < length(codes[t]); ++i) {
    out[first + i] = 10 * t + i;  // @a
  }
}
