// The maximum is found with a plain comparison and a plain write: a smaller value may overwrite a larger
// one.
// weakspot: launch grid=2 block=64
// weakspot: arg in=int[128] fill=iota
// weakspot: arg best=int[1] values=-1
// expect: race E1 global best @a @b
// allow: race E1 global best @b @b

__global__ void find_max(const int* in, int* best) {
  const int value = in[blockIdx.x * blockDim.x + threadIdx.x];
  if (value > *best) {  // @a
    *best = value;      // @b
  }
}
