// One thread packs both nibbles of a byte.
// weakspot: launch grid=1 block=64
// weakspot: arg in=uchar[64] fill=random:1:15
// weakspot: arg out=uchar[64]
// expect: none

__global__ void pack(const unsigned char* in, unsigned char* out) {
  const int t = threadIdx.x;
  if (t < 32) {
    out[t] = in[2 * t] | in[2 * t + 1] << 4;
  }
}
