// Two threads pack their nibbles into one byte of global memory, each with a plain update.
// weakspot: launch grid=1 block=64
// weakspot: arg in=uchar[64] fill=random:1:15
// weakspot: arg out=uchar[64]
// expect: race E1 global out @a @a

__global__ void pack(const unsigned char* in, unsigned char* out) {
  const int t = threadIdx.x;
  out[t / 2] |= in[t] << (t % 2 * 4);  // @a
}
