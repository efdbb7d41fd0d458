// SPDX-License-Identifier: MIT
// A million threads, a block after the other.
// weakspot: launch grid=4096 block=256
// weakspot: arg in=float[1048576] fill=one
// weakspot: arg out=float[1048576]
__global__ void reverse_blocks(const float* in, float* out) {
  __shared__ float tile[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  tile[threadIdx.x] = in[i];
  __syncthreads();
  out[i] = tile[255 - threadIdx.x];
}
