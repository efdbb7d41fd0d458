// SPDX-License-Identifier: MIT
// What the driver's interface has for tensor maps, and how programs find it.
#pragma once

#include "driver/tensor_map_encode.h"
#include "runtime_types.h"

extern "C" inline CUresult cuInit(unsigned int) { return CUDA_SUCCESS; }
extern "C" inline CUresult cuGetErrorName(CUresult error, const char** text) {
  *text = error == CUDA_SUCCESS ? "CUDA_SUCCESS" : "CUDA_ERROR";
  return CUDA_SUCCESS;
}
extern "C" inline CUresult cuGetErrorString(CUresult error, const char** text) { return cuGetErrorName(error, text); }

// cudaTypedefs.h
typedef CUresult (*PFN_cuTensorMapEncodeTiled_v12000)(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*,
                                                      const cuuint64_t*, const cuuint64_t*, const cuuint32_t*,
                                                      const cuuint32_t*, CUtensorMapInterleave, CUtensorMapSwizzle,
                                                      CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
typedef PFN_cuTensorMapEncodeTiled_v12000 PFN_cuTensorMapEncodeTiled;
typedef CUresult (*PFN_cuTensorMapEncodeIm2col_v12000)(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*,
                                                       const cuuint64_t*, const cuuint64_t*, const int*, const int*,
                                                       cuuint32_t, cuuint32_t, const cuuint32_t*, CUtensorMapInterleave,
                                                       CUtensorMapSwizzle, CUtensorMapL2promotion,
                                                       CUtensorMapFloatOOBfill);
typedef PFN_cuTensorMapEncodeIm2col_v12000 PFN_cuTensorMapEncodeIm2col;

// Of the driver's functions, those above can be found.
enum cudaDriverEntryPointQueryResult {
  cudaDriverEntryPointSuccess = 0,
  cudaDriverEntryPointSymbolNotFound = 1,
  cudaDriverEntryPointVersionNotSufficent = 2
};
enum : unsigned long long { cudaEnableDefault = 0, cudaEnableLegacyStream = 1, cudaEnablePerThreadDefaultStream = 2 };
inline cudaError_t cudaGetDriverEntryPoint(const char* name, void** function, unsigned long long,
                                           cudaDriverEntryPointQueryResult* result = nullptr) {
  *function = strcmp(name, "cuTensorMapEncodeTiled") == 0      ? (void*)&cuTensorMapEncodeTiled
              : strcmp(name, "cuTensorMapReplaceAddress") == 0 ? (void*)&cuTensorMapReplaceAddress
              : strcmp(name, "cuGetErrorString") == 0          ? (void*)&cuGetErrorString
                                                               : nullptr;
  const bool found = *function != nullptr;
  if (result != nullptr) *result = found ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
  return found || result != nullptr ? cudaSuccess : cudaErrorSymbolNotFound;
}
inline cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned int,
                                                    unsigned long long flags,
                                                    cudaDriverEntryPointQueryResult* result = nullptr) {
  return cudaGetDriverEntryPoint(name, function, flags, result);
}
