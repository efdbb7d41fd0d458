// Each thread writes as many items as its input says, from an offset that leaves room for those before it.
// weakspot: launch grid=1 block=32
// weakspot: arg counts=int[32] values=1,1,1,1,1,1,1,1,1,3,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1
// weakspot: arg out=int[64]
// expect: none

__global__ void unpack(const int* counts, int* out) {
  const int t = threadIdx.x;
  int first = 0;
  for (int i = 0; i < t; ++i) {
    first += counts[i];
  }
  for (int i = 0; i < counts[t]; ++i) {
    out[first + i] = 10 * t + i;
  }
}
