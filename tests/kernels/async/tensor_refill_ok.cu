// Tiles come by a tensor map in turn into one buffer. The next one is fetched when all have read the last.
// weakspot: program
// expect: none
#include <assert.h>
#include <cuda.h>
#include <cuda_runtime.h>
#include <stdint.h>
#include <cuda/barrier>
#include <cuda/ptx>
using barrier = cuda::barrier<cuda::thread_scope_block>;
namespace cde = cuda::device::experimental;
__global__ void sums(const __grid_constant__ CUtensorMap map, int tiles, int* out) {
  __shared__ alignas(128) int tile[4][8][16];
  #pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ barrier full;
  if (threadIdx.x == 0) {
    init(&full, blockDim.x);
    cde::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < tiles; ++i) {
    barrier::arrival_token token;
    if (threadIdx.x == 0) {
      cde::cp_async_bulk_tensor_3d_global_to_shared(&tile, &map, 0, 0, i * 4, full);
      token = cuda::device::barrier_arrive_tx(full, 1, sizeof(tile));
    } else {
      token = full.arrive();
    }
    full.wait(std::move(token));
    for (int z = 0; z < 4; ++z) sum += tile[z][7 - threadIdx.x / 16][threadIdx.x % 16];
    cde::fence_proxy_async_shared_cta();
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
int main() {
  constexpr int kTiles = 3;
  int numbers[kTiles * 4 * 128], got[128], *in, *out;
  for (int i = 0; i < kTiles * 4 * 128; ++i) numbers[i] = i % 128 * 3;
  cudaMalloc(&in, sizeof numbers);
  cudaMalloc(&out, sizeof got);
  cudaMemcpy(in, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  CUtensorMap map;
  const cuuint64_t sizes[] = {16, 8, kTiles * 4}, strides[] = {64, 512};
  const cuuint32_t box[] = {16, 8, 4}, steps[] = {1, 1, 1};
  if (cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, 3, in, sizes, strides, box, steps,
                             CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                             CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS) {
    return 2;
  }
  sums<<<1, 128>>>(map, kTiles, out);
  cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 128; ++i) {
    if (got[i] != kTiles * 4 * ((7 - i / 16) * 16 + i % 16) * 3) return 1;
  }
  return 0;
}
