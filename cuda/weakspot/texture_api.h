// SPDX-License-Identifier: MIT
// Arrays and textures on the host, and the older texture references, which are variables.
#pragma once

#include "texture_types.h"

extern "C" {
cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format, size_t width, size_t height = 0,
                            unsigned int flags = 0);
cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* format, cudaExtent extent,
                              unsigned int flags = 0);
cudaError_t cudaFreeArray(cudaArray_t array);
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent, unsigned int* flags, cudaArray_t array);
cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t size, cudaMemcpyKind kind);
cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t size, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch, size_t width,
                                size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch, size_t width,
                                     size_t height, cudaMemcpyKind kind, cudaStream_t stream = 0);
cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
                                  size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* copy);
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* copy, cudaStream_t stream = 0);
cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent);
cudaError_t cudaMemset3D(cudaPitchedPtr pointer, int value, cudaExtent extent);
cudaError_t cudaMemset3DAsync(cudaPitchedPtr pointer, int value, cudaExtent extent, cudaStream_t stream = 0);
cudaError_t cudaCreateTextureObject(cudaTextureObject_t* texture, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* how, const cudaResourceViewDesc* view);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* surface, const cudaResourceDesc* resource);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface);
cudaError_t __wsBindTexture(const void* reference, cudaTextureObject_t texture);
}

inline cudaPitchedPtr make_cudaPitchedPtr(void* pointer, size_t pitch, size_t width, size_t height) {
  return {pointer, pitch, width, height};
}
inline cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) { return {width, height, depth}; }
inline cudaPos make_cudaPos(size_t x, size_t y, size_t z) { return {x, y, z}; }
inline cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}
namespace __ws_texture {
template <typename T> struct format_of;
#define __WS_FORMAT_OF(T, bits, n, kind) \
  template <> struct format_of<T> { static constexpr int b = bits, count = n; static constexpr cudaChannelFormatKind k = kind; };
#define __WS_FORMATS_OF(base, name, bits, kind) \
  __WS_FORMAT_OF(base, bits, 1, kind)           \
  __WS_FORMAT_OF(name##1, bits, 1, kind)        \
  __WS_FORMAT_OF(name##2, bits, 2, kind)        \
  __WS_FORMAT_OF(name##4, bits, 4, kind)
__WS_FORMATS_OF(signed char, char, 8, cudaChannelFormatKindSigned)
__WS_FORMAT_OF(char, 8, 1, cudaChannelFormatKindSigned)
__WS_FORMATS_OF(unsigned char, uchar, 8, cudaChannelFormatKindUnsigned)
__WS_FORMATS_OF(short, short, 16, cudaChannelFormatKindSigned)
__WS_FORMATS_OF(unsigned short, ushort, 16, cudaChannelFormatKindUnsigned)
__WS_FORMATS_OF(int, int, 32, cudaChannelFormatKindSigned)
__WS_FORMATS_OF(unsigned int, uint, 32, cudaChannelFormatKindUnsigned)
__WS_FORMATS_OF(float, float, 32, cudaChannelFormatKindFloat)
#undef __WS_FORMATS_OF
#undef __WS_FORMAT_OF
}  // namespace __ws_texture
template <typename T> inline cudaChannelFormatDesc cudaCreateChannelDesc() {
  using F = __ws_texture::format_of<T>;
  return {F::b, F::count > 1 ? F::b : 0, F::count > 2 ? F::b : 0, F::count > 3 ? F::b : 0, F::k};
}

// Texture references exist on both sides; the device's holds the handle of what is bound.
struct textureReference {
  int normalized;
  cudaTextureFilterMode filterMode;
  cudaTextureAddressMode addressMode[3];
  cudaChannelFormatDesc channelDesc;
};
template <typename T, int Axes = 1, cudaTextureReadMode Mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : textureReference {};

#if defined(__CUDA_ARCH__)
#define __WS_REFERENCE(name, axes, parameters, ...)                                                         \
  template <typename T, cudaTextureReadMode M>                                                              \
  __device__ __forceinline__ T name(texture<T, axes, M> t, parameters) {                                    \
    cudaTextureObject_t object;                                                                             \
    __builtin_memcpy(&object, &t, sizeof object);                                                           \
    return name<T>(object, __VA_ARGS__);                                                                    \
  }
#define __WS_COMMA ,
__WS_REFERENCE(tex1Dfetch, 1, int x, x)
__WS_REFERENCE(tex1D, 1, float x, x)
__WS_REFERENCE(tex2D, 2, float x __WS_COMMA float y, x, y)
__WS_REFERENCE(tex3D, 3, float x __WS_COMMA float y __WS_COMMA float z, x, y, z)
#undef __WS_COMMA
#undef __WS_REFERENCE
#else
// The host compiles only the names of kernels.
template <typename T, int A, cudaTextureReadMode M, typename... X>
__device__ T tex1Dfetch(texture<T, A, M>, X...);
template <typename T, int A, cudaTextureReadMode M, typename... X>
__device__ T tex1D(texture<T, A, M>, X...);
template <typename T, int A, cudaTextureReadMode M, typename... X>
__device__ T tex2D(texture<T, A, M>, X...);
template <typename T, int A, cudaTextureReadMode M, typename... X>
__device__ T tex3D(texture<T, A, M>, X...);
#endif

namespace __ws_texture {
template <typename T, int A, cudaTextureReadMode M>
inline cudaError_t bind(const texture<T, A, M>& reference, const cudaResourceDesc& resource) {
  cudaTextureDesc how = {};
  for (int i = 0; i < 3; ++i) how.addressMode[i] = reference.addressMode[i];
  how.filterMode = reference.filterMode;
  how.readMode = M;
  how.normalizedCoords = reference.normalized;
  cudaTextureObject_t object = 0;
  const cudaError_t made = cudaCreateTextureObject(&object, &resource, &how, nullptr);
  return made != cudaSuccess ? made : __wsBindTexture(&reference, object);
}
}  // namespace __ws_texture
template <typename T, int A, cudaTextureReadMode M>
inline cudaError_t cudaBindTexture(size_t* offset, const texture<T, A, M>& reference, const void* pointer,
                                   const cudaChannelFormatDesc& format, size_t size = ~size_t(0)) {
  if (offset != nullptr) *offset = 0;
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = (void*)pointer;
  resource.res.linear.desc = format;
  resource.res.linear.sizeInBytes = size;
  return __ws_texture::bind(reference, resource);
}
template <typename T, int A, cudaTextureReadMode M>
inline cudaError_t cudaBindTexture(size_t* offset, const texture<T, A, M>& reference, const void* pointer,
                                   size_t size = ~size_t(0)) {
  return cudaBindTexture(offset, reference, pointer, cudaCreateChannelDesc<T>(), size);
}
template <typename T, int A, cudaTextureReadMode M>
inline cudaError_t cudaBindTexture2D(size_t* offset, const texture<T, A, M>& reference, const void* pointer,
                                     const cudaChannelFormatDesc& format, size_t width, size_t height, size_t pitch) {
  if (offset != nullptr) *offset = 0;
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = (void*)pointer;
  resource.res.pitch2D.desc = format;
  resource.res.pitch2D.width = width;
  resource.res.pitch2D.height = height;
  resource.res.pitch2D.pitchInBytes = pitch;
  return __ws_texture::bind(reference, resource);
}
template <typename T, int A, cudaTextureReadMode M>
inline cudaError_t cudaBindTextureToArray(const texture<T, A, M>& reference, cudaArray_const_t array,
                                          const cudaChannelFormatDesc& = {}) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = (cudaArray_t)array;
  return __ws_texture::bind(reference, resource);
}
template <typename T, int A, cudaTextureReadMode M>
inline cudaError_t cudaUnbindTexture(const texture<T, A, M>& reference) { return __wsBindTexture(&reference, 0); }
