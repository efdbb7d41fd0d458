// Each thread writes as many items as its input says, from an offset that leaves room for those before it.
// weakspot: launch grid=1 block=64
// weakspot: arg codes=int[64] fill=iota
// weakspot: arg out=int[192]
// expect: none

__device__ int length(int code) { return code % 3 + 1; }

__global__ void unpack(const int* codes, int* out) {
  const int t = threadIdx.x;
  int first = 0;
  for (int i = 0; i < t; ++i) {
    first += length(codes[i]);
  }
  for (int i = 0; i < length(codes[t]); ++i) {
    out[first + i] = 10 * t + i;
  }
}
