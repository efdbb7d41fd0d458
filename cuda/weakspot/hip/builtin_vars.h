// SPDX-License-Identifier: MIT
// threadIdx and its like.
#pragma once

#define __WS_AXIS(axis, value)                                   \
  __declspec(property(get = __get_##axis)) unsigned int axis;    \
  __attribute__((device)) __attribute__((always_inline)) unsigned int __get_##axis() const { return value; }
#define __WS_BUILTIN(name, vx, vy, vz)                                                                                 \
  struct __ws_##name##_t {                                                                                             \
    __WS_AXIS(x, vx)                                                                                                   \
    __WS_AXIS(y, vy)                                                                                                   \
    __WS_AXIS(z, vz)                                                                                                   \
    __attribute__((device)) __attribute__((always_inline)) operator dim3() const { return {vx, vy, vz}; }              \
    __attribute__((device)) __attribute__((always_inline)) operator uint3() const { return {vx, vy, vz}; }             \
  };                                                                                                                   \
  extern const __attribute__((device)) __attribute__((weak)) __ws_##name##_t name;

__WS_BUILTIN(threadIdx, __builtin_amdgcn_workitem_id_x(), __builtin_amdgcn_workitem_id_y(),
             __builtin_amdgcn_workitem_id_z())
__WS_BUILTIN(blockIdx, __builtin_amdgcn_workgroup_id_x(), __builtin_amdgcn_workgroup_id_y(),
             __builtin_amdgcn_workgroup_id_z())
__WS_BUILTIN(blockDim, __builtin_amdgcn_workgroup_size_x(), __builtin_amdgcn_workgroup_size_y(),
             __builtin_amdgcn_workgroup_size_z())
#define __WS_BLOCKS(axis) (__builtin_amdgcn_grid_size_##axis() / __builtin_amdgcn_workgroup_size_##axis())
__WS_BUILTIN(gridDim, __WS_BLOCKS(x), __WS_BLOCKS(y), __WS_BLOCKS(z))
#undef __WS_BLOCKS
#undef __WS_BUILTIN
#undef __WS_AXIS

#define hipThreadIdx_x threadIdx.x
#define hipThreadIdx_y threadIdx.y
#define hipThreadIdx_z threadIdx.z
#define hipBlockIdx_x blockIdx.x
#define hipBlockIdx_y blockIdx.y
#define hipBlockIdx_z blockIdx.z
#define hipBlockDim_x blockDim.x
#define hipBlockDim_y blockDim.y
#define hipBlockDim_z blockDim.z
#define hipGridDim_x gridDim.x
#define hipGridDim_y gridDim.y
#define hipGridDim_z gridDim.z
