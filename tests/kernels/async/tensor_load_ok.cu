// A tile of a matrix is fetched by a tensor map, and all threads wait for it. Beyond the edge it has zeros.
// weakspot: program
// expect: none
#include <assert.h>
#include <cuda.h>
#include <cuda_runtime.h>
#include <stdint.h>
__device__ unsigned address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__global__ void fetch(const __grid_constant__ CUtensorMap map, int* out) {
  __shared__ __align__(128) int tile[8][16];
  __shared__ __align__(8) uint64_t full;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(address(&full)) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address(&full)), "r"(512) : "memory");
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
                 ::"r"(address(tile)), "l"((uint64_t)&map), "r"(blockIdx.x * 16), "r"(blockIdx.y * 8), "r"(address(&full))
                 : "memory");
  }
  asm volatile("{\n.reg .pred p;\nWAIT:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0;\n@p bra DONE;\nbra WAIT;\nDONE:\n}"
               ::"r"(address(&full))
               : "memory");
  const int x = threadIdx.x % 16, y = threadIdx.x / 16;
  const int column = blockIdx.x * 16 + x, row = blockIdx.y * 8 + y;
  const int value = tile[y][x];
  assert(value == (column < 40 && row < 20 ? row * 40 + column : 0));
  if (column < 40 && row < 20) out[row * 40 + column] = value;
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
  int numbers[20 * 40], *in, *out;
  for (int i = 0; i < 20 * 40; ++i) numbers[i] = i;
  cudaMalloc(&in, sizeof numbers);
  cudaMalloc(&out, sizeof numbers);
  cudaMemcpy(in, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  fetch<<<dim3(3, 3), 128>>>(make_map(in, 40, 20, 16, 8), out);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
