// Blocks add their tiles to a matrix by a tensor map. The copies may come in any order.
// weakspot: program
// expect: none
#include <assert.h>
#include <cuda.h>
#include <cuda_runtime.h>
#include <stdint.h>
#include <cuda/ptx>
namespace ptx = cuda::ptx;
__global__ void add(const __grid_constant__ CUtensorMap map, int* out, int* copy) {
  __shared__ alignas(128) int tile[4][32];
  tile[threadIdx.x / 32][threadIdx.x % 32] = threadIdx.x;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    const int32_t at[] = {0, 0};
    ptx::cp_reduce_async_bulk_tensor(ptx::space_global, ptx::space_shared, ptx::op_add, &map, at, &tile);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>{});
  }
}
CUtensorMap make_map(void* data, uint64_t width, uint64_t height, uint32_t box_width, uint32_t box_height) {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult result;
  cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &found, cudaEnableDefault, &result);
  const auto encode = (decltype(&cuTensorMapEncodeTiled))found;
  CUtensorMap map = {};
  const cuuint64_t sizes[] = {width, height}, strides[] = {width * sizeof(int)};
  const cuuint32_t box[] = {box_width, box_height}, steps[] = {1, 1};
  const CUresult made = encode(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, data, sizes, strides, box, steps,
                               CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                               CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  assert(made == CUDA_SUCCESS);
  return map;
}
int main() {
  int got[128], *out, *copy;
  cudaMalloc(&out, sizeof got);
  cudaMalloc(&copy, sizeof got);
  cudaMemset(out, 0, sizeof got);
  add<<<3, 128>>>(make_map(out, 32, 4, 32, 4), out, copy);
  cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 128; ++i) {
    if (got[i] != 3 * i) return 1;
  }
  return 0;
}
