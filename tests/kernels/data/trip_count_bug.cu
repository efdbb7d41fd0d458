// Each thread pops as many items as its input says; the shared index makes threads with more than one item
// collide.
// weakspot: launch grid=1 block=32
// weakspot: arg counts=int[32] values=1,1,1,1,1,1,1,1,1,3,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1
// weakspot: arg out=int[64]
// expect: race E1 global out @a @a

__global__ void unpack(const int* counts, int* out) {
  const int t = threadIdx.x;
  const int first = t;
  for (int i = 0; i < counts[t]; ++i) {
    out[first + i] = 10 * t + i;  // @a
  }
}
