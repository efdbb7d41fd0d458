// SPDX-License-Identifier: MIT
// Tensor maps of the driver's interface: their types, and cuTensorMapEncodeTiled.
#pragma once

#include <stdint.h>
#include <string.h>

#include "../tensor_map_bits.h"

typedef uint32_t cuuint32_t;
typedef uint64_t cuuint64_t;
typedef enum cudaError_enum {
  CUDA_SUCCESS = 0,
  CUDA_ERROR_INVALID_VALUE = 1,
  CUDA_ERROR_OUT_OF_MEMORY = 2,
  CUDA_ERROR_NOT_INITIALIZED = 3,
  CUDA_ERROR_NOT_FOUND = 500,
  CUDA_ERROR_NOT_SUPPORTED = 801,
  CUDA_ERROR_UNKNOWN = 999
} CUresult;

// For structures that hold one: the driver's own launches are not modelled.
typedef struct CUlaunchAttribute_st {
  unsigned int id, padding;
  uint64_t value[8];
} CUlaunchAttribute;

typedef struct CUtensorMap_st {
  __attribute__((aligned(64))) cuuint64_t opaque[16];
} CUtensorMap;
typedef enum CUtensorMapDataType_enum {
  CU_TENSOR_MAP_DATA_TYPE_UINT8,
  CU_TENSOR_MAP_DATA_TYPE_UINT16,
  CU_TENSOR_MAP_DATA_TYPE_UINT32,
  CU_TENSOR_MAP_DATA_TYPE_INT32,
  CU_TENSOR_MAP_DATA_TYPE_UINT64,
  CU_TENSOR_MAP_DATA_TYPE_INT64,
  CU_TENSOR_MAP_DATA_TYPE_FLOAT16,
  CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
  CU_TENSOR_MAP_DATA_TYPE_FLOAT64,
  CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
  CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ,
  CU_TENSOR_MAP_DATA_TYPE_TFLOAT32,
  CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ,
  CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B,
  CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN16B,
  CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B
} CUtensorMapDataType;
typedef enum CUtensorMapInterleave_enum {
  CU_TENSOR_MAP_INTERLEAVE_NONE,
  CU_TENSOR_MAP_INTERLEAVE_16B,
  CU_TENSOR_MAP_INTERLEAVE_32B
} CUtensorMapInterleave;
typedef enum CUtensorMapSwizzle_enum {
  CU_TENSOR_MAP_SWIZZLE_NONE,
  CU_TENSOR_MAP_SWIZZLE_32B,
  CU_TENSOR_MAP_SWIZZLE_64B,
  CU_TENSOR_MAP_SWIZZLE_128B,
  CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B,
  CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B_FLIP_8B,
  CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B
} CUtensorMapSwizzle;
typedef enum CUtensorMapL2promotion_enum {
  CU_TENSOR_MAP_L2_PROMOTION_NONE,
  CU_TENSOR_MAP_L2_PROMOTION_L2_64B,
  CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
  CU_TENSOR_MAP_L2_PROMOTION_L2_256B
} CUtensorMapL2promotion;
typedef enum CUtensorMapFloatOOBfill_enum {
  CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE,
  CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA
} CUtensorMapFloatOOBfill;

namespace __ws_tensor {

inline unsigned int element_size(CUtensorMapDataType type) {
  switch (type) {
    case CU_TENSOR_MAP_DATA_TYPE_UINT8: return 1;
    case CU_TENSOR_MAP_DATA_TYPE_UINT16:
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT16:
    case CU_TENSOR_MAP_DATA_TYPE_BFLOAT16: return 2;
    case CU_TENSOR_MAP_DATA_TYPE_UINT64:
    case CU_TENSOR_MAP_DATA_TYPE_INT64:
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT64: return 8;
    default: return 4;
  }
}
// What the driver refuses.
inline bool is_valid(CUtensorMapDataType type, cuuint32_t rank, const void* address, const cuuint64_t* sizes,
                     const cuuint64_t* strides, const cuuint32_t* box, const cuuint32_t* steps,
                     CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle) {
  // Strides must be given even for one dimension, which has none.
  if (rank < 1 || rank > 5 || (size_t)address % 16 != 0 || sizes == nullptr || strides == nullptr || box == nullptr ||
      steps == nullptr) {
    return false;
  }
  for (cuuint32_t i = 0; i < rank; ++i) {
    if (sizes[i] == 0 || sizes[i] > (1ull << 32) || box[i] == 0 || box[i] > 256 || steps[i] == 0 || steps[i] > 8) {
      return false;
    }
    if (i > 0 && (strides[i - 1] % 16 != 0 || strides[i - 1] >= (1ull << 40))) return false;
  }
  const unsigned int row = box[0] * element_size(type);
  if (interleave != CU_TENSOR_MAP_INTERLEAVE_NONE) return true;
  const unsigned int most = swizzle == CU_TENSOR_MAP_SWIZZLE_NONE   ? ~0u
                            : swizzle == CU_TENSOR_MAP_SWIZZLE_32B ? 32
                            : swizzle == CU_TENSOR_MAP_SWIZZLE_64B ? 64
                                                                   : 128;
  return row % 16 == 0 && row <= most;
}

}  // namespace __ws_tensor

extern "C" inline CUresult cuTensorMapEncodeTiled(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank,
                                                  void* address, const cuuint64_t* sizes, const cuuint64_t* strides,
                                                  const cuuint32_t* box, const cuuint32_t* steps,
                                                  CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                                  CUtensorMapL2promotion, CUtensorMapFloatOOBfill fill) {
  if (map == nullptr || (size_t)map % 64 != 0) return CUDA_ERROR_INVALID_VALUE;
  if (!__ws_tensor::is_valid(type, rank, address, sizes, strides, box, steps, interleave, swizzle)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  __ws_hook::TensorMapBits bits = {};
  bits.mark = __ws_hook::kTensorMapMark;
  bits.address = (unsigned long long)address;
  for (cuuint32_t i = 0; i < rank; ++i) {
    bits.last[i] = (unsigned int)(sizes[i] - 1);
    bits.box[i] = (unsigned short)box[i];
    bits.steps[i] = (unsigned char)steps[i];
    if (i > 0) bits.strides[i - 1] = strides[i - 1];
  }
  bits.rank = (unsigned char)rank;
  bits.type = (unsigned char)type;
  bits.interleave = (unsigned char)interleave;
  bits.swizzle = (unsigned char)swizzle;
  bits.fill = (unsigned char)fill;
  memset(map, 0, sizeof *map);
  memcpy(map, &bits, sizeof bits);
  return CUDA_SUCCESS;
}
extern "C" inline CUresult cuTensorMapReplaceAddress(CUtensorMap* map, void* address) {
  __ws_hook::TensorMapBits bits;
  if (map == nullptr || (size_t)address % 16 != 0) return CUDA_ERROR_INVALID_VALUE;
  memcpy(&bits, map, sizeof bits);
  if (bits.mark != __ws_hook::kTensorMapMark) return CUDA_ERROR_INVALID_VALUE;
  bits.address = (unsigned long long)address;
  memcpy(map, &bits, sizeof bits);
  return CUDA_SUCCESS;
}
