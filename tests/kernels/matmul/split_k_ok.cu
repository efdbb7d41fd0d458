// The inner dimension is split over blocks, and each adds its part of the product atomically.
// weakspot: launch grid=1,1,4 block=8,8
// weakspot: arg a=float[256] fill=random
// weakspot: arg b=float[256] fill=random
// weakspot: arg c=float[64]
// expect: none

__global__ void multiply_split(const float* a, const float* b, float* c) {
  const int row = threadIdx.y, col = threadIdx.x;
  const int first = blockIdx.z * 8;
  float sum = 0.0f;
  for (int k = first; k < first + 8; ++k) {
    sum += a[row * 32 + k] * b[k * 8 + col];
  }
  atomicAdd(&c[row * 8 + col], sum);
}
