// SPDX-License-Identifier: MIT
// Characters: a byte for each thread, neighbours in one word.
// weakspot: launch grid=256 block=256
// weakspot: arg in=char[16777216] fill=zero
// weakspot: arg out=char[16777216]
// weakspot: arg n=16777216
__global__ void upper(const char* in, char* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const char c = in[i];
    out[i] = c >= 'a' && c <= 'z' ? c - 32 : c;
  }
}
