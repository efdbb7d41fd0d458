// A producer warp fetches shuffled tiles of both factors by tensor maps, in two stages, and a warp group multiplies them.
// The consumers hand a stage back while their product may still read it.
// weakspot: program
// expect: race E1 shared left @multiply @fetch_left
// expect: race E1 shared right @multiply @fetch_right
#include <assert.h>
#include <cuda.h>
#include <cuda_runtime.h>
#include <stdint.h>
#include <cuda_fp16.h>
constexpr int kRows = 64, kColumns = 8, kDepth = 64, kSteps = 5, kStages = 2;
__device__ unsigned address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void wait_at(uint64_t* gate, unsigned parity) {
  asm volatile("{\n"
               ".reg .pred P1;\n"
               "LAB_WAIT:\n"
               "mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n"
               "@P1 bra DONE;\n"
               "bra LAB_WAIT;\n"
               "DONE:\n"
               "}" ::"r"(address(gate)), "r"(parity)
               : "memory");
}
__device__ bool elect_one() {
  unsigned chosen = 0;
  asm volatile("{\n.reg .b32 rx;\n.reg .pred px;\nelect.sync rx|px, %1;\n@px mov.s32 %0, 1;\n}" : "+r"(chosen) : "r"(0xffffffff));
  return chosen != 0;
}
__device__ void arrive_at(uint64_t* gate) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address(gate)) : "memory");
}
__device__ unsigned long long describe(const half* matrix) {
  return (address(matrix) & 0x3ffff) >> 4 | 1ull << 16 | 1024ull >> 4 << 32 | 1ull << 62;
}
__device__ void multiply(float (&d)[4], const half* a, const half* b, int add) {
  asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %6, 0;\n"  // @multiply
               "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, p, 1, 1, 0, 0;\n}"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "l"(describe(a)), "l"(describe(b)), "r"(add));
}
__global__ void product(const __grid_constant__ CUtensorMap left_map, const __grid_constant__ CUtensorMap right_map,
                        float* out) {
  __shared__ __align__(1024) half left[kStages][kRows * kDepth], right[kStages][kColumns * kDepth];
  __shared__ uint64_t full[kStages], empty[kStages];
  if (threadIdx.x == 0) {
    for (int i = 0; i < kStages; ++i) {
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(address(&full[i])) : "memory");
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 128;" ::"r"(address(&empty[i])) : "memory");
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  if (threadIdx.x >= 128) {
    if (!elect_one()) return;
    asm volatile("prefetch.tensormap [%0];" ::"l"(&left_map) : "memory");
    for (int step = 0; step < kSteps; ++step) {
      const int stage = step % kStages;
      wait_at(&empty[stage], (step / kStages & 1) ^ 1);
      asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address(&full[stage])),
                   "r"((int)(sizeof left[0] + sizeof right[0]))
                   : "memory");
      asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];"  // @fetch_left
                   ::"r"(address(left[stage])), "l"(&left_map), "r"(address(&full[stage])), "r"(step * kDepth), "r"(0)
                   : "memory");
      asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];"  // @fetch_right
                   ::"r"(address(right[stage])), "l"(&right_map), "r"(address(&full[stage])), "r"(step * kDepth), "r"(0)
                   : "memory");
    }
    return;
  }
  float sums[4] = {};
  for (int step = 0; step < kSteps; ++step) {
    const int stage = step % kStages;
    wait_at(&full[stage], step / kStages & 1);
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    for (int k = 0; k < kDepth; k += 16) multiply(sums, left[stage] + k, right[stage] + k, step + k != 0);
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    arrive_at(&empty[stage]);
  }
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int i = 0; i < 4; ++i) {
    out[(warp * 16 + lane / 4 + i / 2 * 8) * kColumns + lane % 4 * 2 + i % 2] = sums[i];
  }
}
CUtensorMap make_map(half* data, uint64_t rows) {
  CUtensorMap map;
  const cuuint64_t sizes[] = {kSteps * kDepth, rows}, strides[] = {kSteps * kDepth * sizeof(half)};
  const cuuint32_t box[] = {kDepth, (cuuint32_t)rows}, steps[] = {1, 1};
  const CUresult made = cuTensorMapEncodeTiled(
      &map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, data, sizes, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
      CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  assert(made == CUDA_SUCCESS);
  return map;
}
int left_at(int row, int k) { return (row + k) % 5 - 1; }
int right_at(int column, int k) { return (column * 3 + k) % 7 - 3; }
int main() {
  static half a[kRows * kSteps * kDepth], b[kColumns * kSteps * kDepth];
  for (int i = 0; i < kRows * kSteps * kDepth; ++i) a[i] = __float2half(left_at(i / (kSteps * kDepth), i % (kSteps * kDepth)));
  for (int i = 0; i < kColumns * kSteps * kDepth; ++i) b[i] = __float2half(right_at(i / (kSteps * kDepth), i % (kSteps * kDepth)));
  half *left, *right;
  float got[kRows * kColumns], *out;
  cudaMalloc(&left, sizeof a);
  cudaMalloc(&right, sizeof b);
  cudaMalloc(&out, sizeof got);
  cudaMemcpy(left, a, sizeof a, cudaMemcpyHostToDevice);
  cudaMemcpy(right, b, sizeof b, cudaMemcpyHostToDevice);
  product<<<1, 160>>>(make_map(left, kRows), make_map(right, kColumns), out);
  cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
  for (int i = 0; i < kRows * kColumns; ++i) {
    int expected = 0;
    for (int k = 0; k < kSteps * kDepth; ++k) expected += left_at(i / kColumns, k) * right_at(i % kColumns, k);
    if (got[i] != expected) return 1;
  }
  return 0;
}
