// Products of matrices by a wave, a rotation, registers that assembly hands on, and minima of floats have their values.
// weakspot: launch grid=1 block=64
// weakspot: arg out=float[64]
// weakspot: arg most=float[2]
// expect: none
#include <assert.h>
#include <hip/hip_runtime.h>

using Four = __attribute__((ext_vector_type(4))) float;
using FourHalves = __attribute__((ext_vector_type(4))) _Float16;
using Sixteen = __attribute__((ext_vector_type(16))) float;

__global__ void products(float* out, float* most) {
  const int lane = threadIdx.x;
  FourHalves a, b;
  for (int i = 0; i < 4; ++i) {
    a[i] = (_Float16)(lane % 16);
    b[i] = (_Float16)1;
  }
  const Four sums = __builtin_amdgcn_mfma_f32_16x16x16f16(a, b, Four{1, 2, 3, 4}, 0, 0, 0);
  for (int r = 0; r < 4; ++r) assert(sums[r] == r + 1 + 16 * (4 * (lane / 16) + r));
  const Four columns = __builtin_amdgcn_mfma_f32_16x16x4f32(lane / 16 == 0, lane % 16, Four{}, 0, 0, 0);
  for (int r = 0; r < 4; ++r) assert(columns[r] == lane % 16);
  for (int i = 0; i < 4; ++i) a[i] = (_Float16)(lane % 32);
  const Sixteen rows = __builtin_amdgcn_mfma_f32_32x32x8f16(a, b, Sixteen{}, 0, 0, 0);
  for (int r = 0; r < 16; ++r) assert(rows[r] == 8 * (8 * (r / 4) + 4 * (lane / 32) + r % 4));

  assert(__builtin_amdgcn_ds_swizzle(lane, 0xc020) == (lane & 32) + (lane + 1) % 32);
  int one = 1, two = 2;
  asm volatile("" : "+v"(one));
  asm volatile("; nothing" : "+v"(one), "+v"(two));
  assert(one == 1 && two == 2);

  atomicMax(&most[0], float(lane));
  atomicMin(&most[1], -float(lane));
  __syncthreads();
  if (lane == 0) assert(most[0] == 63 && most[1] == -63);
  out[lane] = sums[0] + columns[1] + rows[2];
}
