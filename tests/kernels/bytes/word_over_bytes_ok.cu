// The word is cleared before a barrier, and the bytes are written after it.
// weakspot: launch grid=1 block=64
// weakspot: arg in=uchar[64] fill=iota
// weakspot: arg out=uchar[64]
// expect: none

__global__ void copy(const unsigned char* in, unsigned char* out) {
  __shared__ __align__(4) unsigned char text[64];
  const int t = threadIdx.x;
  if (t < 16) {
    reinterpret_cast<int*>(text)[t] = 0;
  }
  __syncthreads();
  if (in[t] != 32) {
    text[t] = in[t];
  }
  __syncthreads();
  out[t] = text[63 - t];
}
