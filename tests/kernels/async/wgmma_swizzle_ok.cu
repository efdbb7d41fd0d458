// Matrices with shuffled rows of 128 bytes are multiplied in four steps, and the result is compared.
// weakspot: launch grid=1 block=128
// weakspot: arg out=float[1024]
// expect: none
#include <assert.h>
#include <cuda_fp16.h>
__device__ unsigned address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
// Rows of 64 halves, of which pieces of 16 bytes change places.
__device__ int shuffled(int row, int k) { return row * 64 + ((k / 8) ^ (row % 8)) * 8 + k % 8; }
__device__ unsigned long long describe(const half* matrix) {
  unsigned long long bits = 0;
  bits |= (unsigned long long)((address(matrix) & 0x3ffff) >> 4);
  bits |= (unsigned long long)1 << 16;           // not used with this shuffling
  bits |= (unsigned long long)(1024 >> 4) << 32;  // eight rows
  bits |= 1ull << 62;
  return bits;
}
__device__ void arrive() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ void commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int N>
__device__ void wait() { asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(N) : "memory"); }
__device__ void multiply(float (&d)[8], unsigned long long a, unsigned long long b, int add) {
  asm volatile("{\n"
               ".reg .pred p;\n"
               "setp.ne.b32 p, %10, 0;\n"
               "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, %8, %9, p, 1, 1, 0, 0;\n"
               "}\n"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7])
               : "l"(a), "l"(b), "r"(add));
}
__device__ int left_at(int row, int k) { return (row + k) % 5; }
__device__ int right_at(int column, int k) { return (column * 3 + k) % 7 - 3; }
__global__ void product(float* out) {
  __shared__ __align__(1024) half left[64 * 64], right[16 * 64];
  for (int i = threadIdx.x; i < 64 * 64; i += 128) left[shuffled(i / 64, i % 64)] = __int2half_rn(left_at(i / 64, i % 64));
  for (int i = threadIdx.x; i < 16 * 64; i += 128) right[shuffled(i / 64, i % 64)] = __int2half_rn(right_at(i / 64, i % 64));
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  float sums[8];
  arrive();
  for (int step = 0; step < 4; ++step) {
    multiply(sums, describe(left + step * 16), describe(right + step * 16), step != 0);
    commit();
  }
  wait<0>();
  __syncthreads();
  right[threadIdx.x * 8] = __int2half_rn(0);
  wait<0>();
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int i = 0; i < 8; ++i) {
    const int row = warp * 16 + lane / 4 + i / 2 % 2 * 8, column = i / 4 * 8 + lane % 4 * 2 + i % 2;
    int expected = 0;
    for (int k = 0; k < 64; ++k) expected += left_at(row, k) * right_at(column, k);
    assert(sums[i] == expected);
    out[row * 16 + column] = sums[i];
  }
}
