// mma.sync of halves, bytes and tf32, with fragments as PTX spreads them over the lanes.
// weakspot: program
// expect: none
#include <cuda_fp16.h>

#include <cstdio>

__device__ unsigned pair(float a, float b) {
  return (unsigned)__half_as_ushort(__float2half(a)) | (unsigned)__half_as_ushort(__float2half(b)) << 16;
}
__device__ float a_at(int i, int k) { return (float)((i * 5 + k * 3) % 7 - 3); }
__device__ float b_at(int k, int j) { return (float)((k * 2 + j * 7) % 5 - 2); }

// Counts the elements that are not the sum of their products, for three kinds of numbers.
__global__ void products(int* wrong) {
  const int row = threadIdx.x / 4, t = threadIdx.x % 4;
  unsigned a[4], b[2];
  for (int r = 0; r < 4; ++r) a[r] = pair(a_at(row + r % 2 * 8, 2 * t + r / 2 * 8), a_at(row + r % 2 * 8, 2 * t + r / 2 * 8 + 1));
  for (int r = 0; r < 2; ++r) b[r] = pair(b_at(2 * t + 8 * r, row), b_at(2 * t + 8 * r + 1, row));
  float d[4];
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};"
      : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(1.0f), "f"(1.0f), "f"(1.0f), "f"(1.0f));
  for (int i = 0; i < 4; ++i) {
    float sum = 1;
    for (int k = 0; k < 16; ++k) sum += a_at(row + i / 2 * 8, k) * b_at(k, 2 * t + i % 2);
    if (sum != d[i]) atomicAdd(wrong, 1);
  }

  unsigned bytes_a[2] = {}, bytes_b = 0;
  for (int k = 0; k < 4; ++k) {
    for (int r = 0; r < 2; ++r) bytes_a[r] |= ((unsigned)(int)a_at(row + 8 * r, 4 * t + k) & 255) << 8 * k;
    bytes_b |= ((unsigned)(int)b_at(4 * t + k, row) & 255) << 8 * k;
  }
  int e[4];
  asm volatile("mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%7,%7,%7};"
               : "=r"(e[0]), "=r"(e[1]), "=r"(e[2]), "=r"(e[3])
               : "r"(bytes_a[0]), "r"(bytes_a[1]), "r"(bytes_b), "r"(0));
  for (int i = 0; i < 4; ++i) {
    if ((float)e[i] + 1 != d[i]) atomicAdd(wrong, 1);
  }

  float f[4], x[4], y[2];
  for (int r = 0; r < 4; ++r) x[r] = a_at(row + r % 2 * 8, t + r / 2 * 4);
  for (int r = 0; r < 2; ++r) y[r] = b_at(t + 4 * r, row);
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%10,%10,%10};"
      : "=f"(f[0]), "=f"(f[1]), "=f"(f[2]), "=f"(f[3])
      : "f"(x[0]), "f"(x[1]), "f"(x[2]), "f"(x[3]), "f"(y[0]), "f"(y[1]), "f"(0.0f));
  for (int i = 0; i < 4; ++i) {
    float sum = 0;
    for (int k = 0; k < 8; ++k) sum += a_at(row + i / 2 * 8, k) * b_at(k, 2 * t + i % 2);
    if (sum != f[i]) atomicAdd(wrong, 1);
  }
}

int main() {
  int *wrong, count = 0;
  cudaMalloc(&wrong, sizeof(int));
  cudaMemset(wrong, 0, sizeof(int));
  products<<<1, 32>>>(wrong);
  cudaMemcpy(&count, wrong, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d\n", count);
  return count == 0 ? 0 : 1;
}
