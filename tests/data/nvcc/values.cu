// SPDX-License-Identifier: MIT
// Roundings of small floats, a product of matrices of bits, and functions of complex numbers that undo each other.
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <mma.h>
#include <thrust/complex.h>

#include <cstdio>

using namespace nvcuda;

__global__ void round(const float* in, unsigned* out, int count) {
  const int i = threadIdx.x;
  if (i >= count) return;
  out[3 * i] = __half_as_ushort(__float2half_rz(in[i]));
  out[3 * i + 1] = __half_as_ushort(__float2half_rd(in[i]));
  out[3 * i + 2] = __half_as_ushort(__float2half_ru(in[i]));
}

__global__ void bits(int* out) {
  wmma::fragment<wmma::matrix_a, 8, 8, 128, wmma::experimental::precision::b1, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 8, 8, 128, wmma::experimental::precision::b1, wmma::col_major> b;
  wmma::fragment<wmma::accumulator, 8, 8, 128, int> c;
  a.x[0] = threadIdx.x / 4;  // each row has its number in four words
  b.x[0] = 1;
  wmma::fill_fragment(c, 100);
  wmma::bmma_sync(c, a, b, c);
  out[2 * threadIdx.x] = c.x[0];
  out[2 * threadIdx.x + 1] = c.x[1];
}

__global__ void turn(thrust::complex<double>* out) {
  const thrust::complex<double> z(0.25, 0.5);
  out[0] = thrust::sin(thrust::asin(z)) - z;
  out[1] = thrust::cos(thrust::acos(z)) - z;
  out[2] = thrust::tan(thrust::atan(z)) - z;
  out[3] = thrust::sinh(thrust::asinh(z)) - z;
  out[4] = thrust::cosh(thrust::acosh(z)) - z;
  out[5] = thrust::tanh(thrust::atanh(z)) - z;
  out[6] = thrust::sin(z) - thrust::complex<double>(0.27898, 0.50490);
  out[7] = thrust::log10(z * 4.0) - thrust::complex<double>(0.34949, 0.48083);
}

int main() {
  const float values[] = {2049, -2049, 65519, 65520, 1e-9f, -1e-9f, 1, 1e30f, -1e30f, 0};
  float* in;
  unsigned* out;
  int* sums;
  thrust::complex<double>* left;
  cudaMallocManaged(&in, sizeof values);
  cudaMallocManaged(&out, 3 * sizeof values);
  cudaMallocManaged(&sums, 256);
  cudaMallocManaged(&left, 8 * sizeof *left);
  for (int i = 0; i < 10; ++i) in[i] = values[i];
  round<<<1, 32>>>(in, out, 10);
  bits<<<1, 32>>>(sums);
  turn<<<1, 1>>>(left);
  cudaDeviceSynchronize();
  for (int i = 0; i < 10; ++i) std::printf("%04x %04x %04x\n", out[3 * i], out[3 * i + 1], out[3 * i + 2]);
  for (int i = 0; i < 8; ++i) std::printf("%d ", sums[8 * i]);
  for (int i = 0; i < 8; ++i) std::printf("%.3f ", thrust::abs(left[i]));
}
