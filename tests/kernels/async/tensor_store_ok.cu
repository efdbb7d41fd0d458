// A tile is sent by a tensor map, as a function of cuda::ptx. The threads fence the proxy before they meet.
// weakspot: program
// expect: none
#include <assert.h>
#include <cuda.h>
#include <cuda_runtime.h>
#include <stdint.h>
#include <cuda/ptx>
namespace ptx = cuda::ptx;
__global__ void send(const __grid_constant__ CUtensorMap map, const int* in) {
  __shared__ alignas(128) int tile[8][16];
  tile[threadIdx.x / 16][threadIdx.x % 16] = in[threadIdx.x] * 2;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    const int32_t at[] = {(int)blockIdx.x * 16, 2};
    ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, &map, at, &tile);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>{});
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
  int numbers[128], got[12 * 40], *in, *out;
  for (int i = 0; i < 128; ++i) numbers[i] = i + 1;
  cudaMalloc(&in, sizeof numbers);
  cudaMalloc(&out, sizeof got);
  cudaMemcpy(in, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  cudaMemset(out, 0, sizeof got);
  send<<<3, 128>>>(make_map(out, 40, 12, 16, 8), in);
  cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 12 * 40; ++i) {
    const int x = i % 40, y = i / 40 - 2;
    if (got[i] != (y >= 0 && y < 8 ? (y * 16 + x % 16 + 1) * 2 : 0)) return 1;
  }
  return 0;
}
