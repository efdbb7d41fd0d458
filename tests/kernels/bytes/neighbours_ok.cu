// Every thread writes one byte, bool or short next to those of its neighbours: a word is shared, a byte
// never.
// weakspot: launch grid=2 block=64
// weakspot: arg in=int[128] fill=random
// weakspot: arg low=uchar[128]
// weakspot: arg wide=short[128]
// expect: none

__global__ void narrow(const int* in, unsigned char* low, short* wide) {
  __shared__ bool odd[64];
  const int i = blockIdx.x * 64 + threadIdx.x;
  low[i] = in[i] & 0xff;
  wide[i] = in[i] & 0x7fff;
  odd[threadIdx.x] = in[i] % 2 != 0;
  __syncthreads();
  if (odd[63 - threadIdx.x]) {
    low[i] = 0;
  }
}
