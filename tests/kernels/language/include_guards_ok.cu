// Public headers, such as helper_cuda.h of cuda-samples, ask for the include guards of NVIDIA's headers.
// weakspot: program
// expect: none
#if !defined(__DRIVER_TYPES_H__) || !defined(__CUDA_RUNTIME_API_H__) || !defined(__CUDA_RUNTIME_H__)
#error the runtime is there without any include
#endif
#if !defined(__VECTOR_TYPES_H__) || !defined(__VECTOR_FUNCTIONS_H__) || !defined(__HOST_DEFINES_H__)
#error vectors and the words of the language are there without any include
#endif
#if defined(CUBLAS_V2_H_) || defined(CUBLAS_API_H_) || defined(_CUFFT_H_) || defined(CUSPARSEAPI) || defined(CURAND_H_)
#error libraries are not there before they are included
#endif
#if defined(__CUDA_FP16_H__) || defined(__CUDA_BF16_H__)
#error numbers of sixteen bits are not there before they are included
#endif
#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cufft.h>
#include <curand.h>
#include <cusparse.h>

#ifdef __DRIVER_TYPES_H__
const char* name_of(cudaError_t error) { return cudaGetErrorName(error); }
#endif
#if defined(CUBLAS_API_H_) && defined(CUBLAS_V2_H_)
const char* name_of(cublasStatus_t error) { return error == CUBLAS_STATUS_SUCCESS ? "fine" : "blas"; }
#endif
#ifdef _CUFFT_H_
const char* name_of(cufftResult error) {
  return error == CUFFT_SUCCESS ? "fine" : error == CUFFT_NOT_SUPPORTED || error == CUFFT_NO_WORKSPACE ? "rare" : "fft";
}
#endif
#if defined(CUSPARSEAPI) && defined(CUSPARSE_H_)
const char* name_of(cusparseStatus_t error) { return error == CUSPARSE_STATUS_SUCCESS ? "fine" : "sparse"; }
#endif
#ifdef CURAND_H_
const char* name_of(curandStatus_t error) {
  return error == CURAND_STATUS_SUCCESS ? "fine" : error == CURAND_STATUS_ARCH_MISMATCH ? "old" : "random";
}
#endif

__global__ void fill(int* out) { out[threadIdx.x] = 1; }

int main() {
  int* out;
  if (name_of(cudaMalloc(&out, 64 * sizeof(int)))[0] != 'c') return 1;
  fill<<<1, 64>>>(out);
  if (name_of(CUBLAS_STATUS_SUCCESS)[0] != 'f' || name_of(CUFFT_NOT_SUPPORTED)[0] != 'r') return 2;
  if (name_of(CUSPARSE_STATUS_SUCCESS)[0] != 'f' || name_of(CURAND_STATUS_ARCH_MISMATCH)[0] != 'o') return 3;
#if !defined(__CUDA_FP16_H__) || !defined(__CUDA_BF16_H__)
  return 4;
#endif
  return cudaDeviceSynchronize();
}
