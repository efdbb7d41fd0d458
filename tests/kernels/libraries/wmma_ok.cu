// Matrices in shared memory, multiplied by a warp.
// weakspot: program
// expect: none
#include <mma.h>
using namespace nvcuda;

template <typename Layout> __global__ void product(const half* a, const half* b, float* d) {
  __shared__ half tile[16 * 16];
  for (int i = threadIdx.x; i < 256; i += 32) tile[i] = a[i];
  __syncwarp();
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, Layout> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 1.0f);
  wmma::load_matrix_sync(left, tile, 16);
  wmma::load_matrix_sync(right, b, 16);
  wmma::mma_sync(sum, left, right, sum);
  for (int i = 0; i < sum.num_elements; ++i) sum.x[i] *= 2;
  wmma::store_matrix_sync(d, sum, 16, wmma::mem_row_major);
}
__global__ void tall(const half* a, const half* b, half* d) {
  wmma::fragment<wmma::matrix_a, 32, 8, 16, half, wmma::col_major> left;
  wmma::fragment<wmma::matrix_b, 32, 8, 16, half, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, 32, 8, 16, half> sum;
  wmma::fill_fragment(sum, 0.0f);
  wmma::load_matrix_sync(left, a, 32);
  wmma::load_matrix_sync(right, b, 16);
  wmma::mma_sync(sum, left, right, sum);
  wmma::store_matrix_sync(d, sum, 32, wmma::mem_col_major);
}

half *a, *b;
half host_a[512], host_b[256];

template <typename Layout> int check(bool transposed) {
  float *d, got[256];
  cudaMalloc(&d, sizeof got);
  product<Layout><<<1, 32>>>(a, b, d);
  cudaMemcpy(got, d, sizeof got, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 16; ++i) {
    for (int j = 0; j < 16; ++j) {
      float sum = 1;
      for (int k = 0; k < 16; ++k) {
        sum += (float)host_a[i * 16 + k] * (float)host_b[transposed ? j * 16 + k : k * 16 + j];
      }
      if (got[i * 16 + j] != 2 * sum) return 1;
    }
  }
  return 0;
}

int main() {
  for (int i = 0; i < 512; ++i) host_a[i] = (float)(i % 7 - 3);
  for (int i = 0; i < 256; ++i) host_b[i] = (float)(i % 5 - 2);
  cudaMalloc(&a, sizeof host_a);
  cudaMalloc(&b, sizeof host_b);
  cudaMemcpy(a, host_a, sizeof host_a, cudaMemcpyHostToDevice);
  cudaMemcpy(b, host_b, sizeof host_b, cudaMemcpyHostToDevice);
  if (check<wmma::row_major>(false) != 0 || check<wmma::col_major>(true) != 0) return 1;
  half *d, got[256];
  cudaMalloc(&d, sizeof got);
  tall<<<1, 32>>>(a, b, d);
  cudaMemcpy(got, d, sizeof got, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; ++i) {
    for (int j = 0; j < 8; ++j) {
      float sum = 0;
      for (int k = 0; k < 16; ++k) sum += (float)host_a[k * 32 + i] * (float)host_b[j * 16 + k];
      if ((float)got[j * 32 + i] != sum) return 2;
    }
  }
  return 0;
}
