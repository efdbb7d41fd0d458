// One warp writes a tile that another loads as a matrix, and no barrier stands between.
// weakspot: launch grid=1 block=64
// weakspot: arg b=ushort[256]
// weakspot: arg d=float[256]
// expect: race E1 shared tile @a @b
#include <mma.h>
using namespace nvcuda;
__global__ void product(const unsigned short* b, float* d) {
  __shared__ unsigned short tile[256];
  if (threadIdx.x >= 32) {
    for (int i = 0; i < 8; ++i) tile[threadIdx.x - 32 + 32 * i] = 0x3c00;  // @a
    return;
  }
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  wmma::load_matrix_sync(left, (const half*)tile, 16);  // @b
  wmma::load_matrix_sync(right, (const half*)b, 16);
  wmma::mma_sync(sum, left, right, sum);
  wmma::store_matrix_sync(d, sum, 16, wmma::mem_row_major);
}
