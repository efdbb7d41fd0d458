// Sizes and strides of a tensor map are uint64_t, its box is uint32_t.
// weakspot: program
// expect: none
#include <assert.h>
#include <cuda.h>
#include <stdint.h>
__global__ void fill(const __grid_constant__ CUtensorMap map, int* out) { out[threadIdx.x] = (int)threadIdx.x; }
int main() {
  static_assert(sizeof(PFN_cuTensorMapEncodeIm2col) == sizeof(PFN_cuTensorMapEncodeTiled), "both are pointers");
  int* data;
  cudaMalloc(&data, 64 * 64 * sizeof(int));
  CUtensorMap map;
  const uint64_t size[2] = {64, 64}, stride[1] = {64 * sizeof(int)};
  const uint32_t box[2] = {16, 16}, step[2] = {1, 1};
  const CUresult made = cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, data, size, stride, box, step,
                                               CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                                               CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  assert(made == CUDA_SUCCESS);
  fill<<<1, 64>>>(map, data);
  return cudaDeviceSynchronize();
}
