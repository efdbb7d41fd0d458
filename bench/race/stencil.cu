// SPDX-License-Identifier: MIT
// 64 steps over five points, each with a barrier before and after its write.
// weakspot: launch grid=256 block=256
// weakspot: arg data=float[65536] fill=one
__global__ void stencil(float* data) {
  __shared__ float cells[256];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  cells[t] = data[i];
  __syncthreads();
  for (int step = 0; step < 64; ++step) {
    const float sum = cells[(t + 254) & 255] + cells[(t + 255) & 255] + cells[t] + cells[(t + 1) & 255] +
                      cells[(t + 2) & 255];
    __syncthreads();
    cells[t] = sum * 0.2f;
    __syncthreads();
  }
  data[i] = cells[t];
}
