// A thread changes a tensor map and copies by it: the copy may go by the old one.
// weakspot: program
// expect: race P1 global maps @write @copy
// expect: race P1 global map @make @copy
#include <assert.h>
#include <cuda.h>
#include <cuda_runtime.h>
#include <stdint.h>
__device__ unsigned address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void fetch(int* tile, const CUtensorMap* map, unsigned long long* full) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 128;" ::"r"(address(full)) : "memory");
  asm volatile("cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2}], [%3];" ::"r"(address(tile)),  // @copy
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
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(address(&full)) : "memory");
    *map = given;  // @make
    asm volatile("tensormap.replace.tile.global_address.global.b1024.b64 [%0], %1;" ::"l"(map), "l"(in) : "memory");  // @write
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
  receive<<<1, 32>>>(make_map(in, 32, 32), maps, in + 32, out);
  cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; ++i) {
    if (got[i] != i + 33) return 1;
  }
  return 0;
}
