// Stream compaction takes the next free slot with a plain increment: two threads get the same slot.
// weakspot: launch grid=2 block=64
// weakspot: arg in=int[128] fill=random:0:9
// weakspot: arg out=int[128]
// weakspot: arg count=int[1]
// expect: race E1 global count @a @a
// allow: race E1 global out @b @b
// allow: race W1 global out @b @b

__global__ void keep_odd(const int* in, int* out, int* count) {
  const int value = in[blockIdx.x * blockDim.x + threadIdx.x];
  if (value % 2 == 1) {
    const int slot = (*count)++;  // @a
    out[slot] = value;            // @b
  }
}
