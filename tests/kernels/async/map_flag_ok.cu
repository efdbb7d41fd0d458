// One block makes a tensor map and hands it to another through a flag, with the fences of tensor maps.
// weakspot: program
// expect: none
#include <assert.h>
#include <cuda.h>
#include <cuda_runtime.h>
#include <stdint.h>
#include <cuda/ptx>
namespace ptx = cuda::ptx;
__device__ unsigned ready;
__device__ unsigned address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void fetch(int* tile, const CUtensorMap* map, unsigned long long* full) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 128;" ::"r"(address(full)) : "memory");
  asm volatile("cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2}], [%3];" ::"r"(address(tile)),
               "l"(map), "r"(0), "r"(address(full))
               : "memory");
}
__device__ void wait(unsigned long long* gate) {
  unsigned done = 0;
  while (!done) {
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                 : "=r"(done) : "r"(address(gate)) : "memory");
  }
}
__global__ void receive(const __grid_constant__ CUtensorMap given, CUtensorMap* map, const int* in, int* out) {
  __shared__ alignas(128) int tile[32];
  __shared__ unsigned long long full;
  if (blockIdx.x == 0) {
    if (threadIdx.x != 0) return;
    *map = given;
    ptx::tensormap_replace_global_address(ptx::space_global, map, in);
    ptx::fence_proxy_tensormap_generic(ptx::sem_release, ptx::scope_gpu);
    asm volatile("st.relaxed.gpu.global.u32 [%0], 1;" ::"l"(&ready) : "memory");
    return;
  }
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(address(&full)) : "memory");
    unsigned seen = 0;
    while (!seen) asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(&ready) : "memory");
    ptx::fence_proxy_tensormap_generic(ptx::sem_acquire, ptx::scope_gpu, map, ptx::n32_t<128>{});
    fetch(tile, map, &full);
  }
  __syncthreads();
  wait(&full);
  out[threadIdx.x] = tile[threadIdx.x];
}
CUtensorMap make_map(void* data, uint64_t size, uint32_t box) {
  CUtensorMap map = {};
  const cuuint64_t sizes[] = {size}, strides[] = {size * sizeof(int)};
  const cuuint32_t boxes[] = {box}, steps[] = {1};
  const CUresult made = cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, 1, data, sizes, strides, boxes, steps,
                                               CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                                               CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  assert(made == CUDA_SUCCESS);
  return map;
}
int main() {
  int numbers[64], got[32], *in, *out;
  for (int i = 0; i < 64; ++i) numbers[i] = i + 1;
  CUtensorMap* maps;
  cudaMalloc(&in, sizeof numbers);
  cudaMalloc(&out, sizeof got);
  cudaMalloc(&maps, sizeof(CUtensorMap));
  cudaMemcpy(in, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  receive<<<2, 32>>>(make_map(in, 32, 32), maps, in + 32, out);
  cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; ++i) {
    if (got[i] != i + 33) return 1;
  }
  return 0;
}
