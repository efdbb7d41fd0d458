// The lanes of a warp write a tile that it then loads as a matrix: nothing says which lane loads what.
// weakspot: launch grid=1 block=32
// weakspot: arg b=ushort[256] fill=zero
// weakspot: arg d=float[256]
// expect: race E2 shared tile @a @b
// expect(lockstep): none
#include <mma.h>
__global__ void product(const unsigned short* b, float* d) {
  __shared__ unsigned short tile[256];
  for (int i = 0; i < 8; ++i) tile[threadIdx.x + 32 * i] = 0x3c00;  // @a
  nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 16, half, nvcuda::wmma::row_major> left;
  nvcuda::wmma::fragment<nvcuda::wmma::matrix_b, 16, 16, 16, half, nvcuda::wmma::row_major> right;
  nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> sum;
  nvcuda::wmma::fill_fragment(sum, 0.0f);
  nvcuda::wmma::load_matrix_sync(left, (const half*)tile, 16);  // @b
  nvcuda::wmma::load_matrix_sync(right, (const half*)b, 16);
  nvcuda::wmma::mma_sync(sum, left, right, sum);
  nvcuda::wmma::store_matrix_sync(d, sum, 16, nvcuda::wmma::mem_row_major);
}
