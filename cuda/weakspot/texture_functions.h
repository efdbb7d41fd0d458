// SPDX-License-Identifier: MIT
// Reading textures, reading and writing surfaces. The tool says where a texel lies; reading it is an access like any other.
#pragma once

#include "hook_numbers.h"

// Where the texel at these coordinates lies; null beyond the borders.
extern "C" __device__ const void* __ws_texel(unsigned long long texture, int x, int y, int z);
// The same for a surface, with x in bytes. Null where writes are lost and reads give zeros.
extern "C" __device__ void* __ws_surface(unsigned long long surface, int x, int y, int z, int size);
// A property of the texture, by TextureFact.
extern "C" __device__ int __ws_texture_fact(unsigned long long texture, int fact);

namespace __ws_texture {

using namespace __ws_hook;

template <typename T> struct element { using type = T; static constexpr int count = 1; };
#define __WS_ELEMENT(base, name)                                                           \
  template <> struct element<name##1> { using type = base; static constexpr int count = 1; }; \
  template <> struct element<name##2> { using type = base; static constexpr int count = 2; }; \
  template <> struct element<name##4> { using type = base; static constexpr int count = 4; };
__WS_ELEMENT(signed char, char)
__WS_ELEMENT(unsigned char, uchar)
__WS_ELEMENT(short, short)
__WS_ELEMENT(unsigned short, ushort)
__WS_ELEMENT(int, int)
__WS_ELEMENT(unsigned int, uint)
__WS_ELEMENT(float, float)
#undef __WS_ELEMENT

// One channel of a texel, as the wanted type: numbers of the texture's own kind, or fractions of their range.
template <typename C>
__device__ __forceinline__ C channel(unsigned long long texture, const void* texel, int which) {
  const int bits = __ws_texture_fact(texture, kChannelBits), kind = __ws_texture_fact(texture, kChannelKind);
  const char* at = (const char*)texel + which * (bits / 8);
  const bool fraction = __ws_texture_fact(texture, kNormalizedFloat) != 0;
  if (kind == cudaChannelFormatKindFloat) return bits == 32 ? (C)*(const float*)at : C();
  if (kind == cudaChannelFormatKindUnsigned) {
    const unsigned int value = bits == 8    ? *(const unsigned char*)at
                               : bits == 16 ? *(const unsigned short*)at
                                            : *(const unsigned int*)at;
    return fraction ? (C)((float)value / (bits == 8 ? 255.0f : 65535.0f)) : (C)value;
  }
  const int value = bits == 8 ? *(const signed char*)at : bits == 16 ? *(const short*)at : *(const int*)at;
  return fraction ? (C)((float)value / (bits == 8 ? 127.0f : 32767.0f)) : (C)value;
}

template <typename T>
__device__ __forceinline__ T texel(unsigned long long texture, int x, int y, int z) {
  using C = typename element<T>::type;
  T result{};
  const void* at = __ws_texel(texture, x, y, z);
  if (at == nullptr) return result;
  const int count = __ws_texture_fact(texture, kChannels);
  for (int i = 0; i < element<T>::count && i < count; ++i) ((C*)&result)[i] = channel<C>(texture, at, i);
  return result;
}

// A coordinate within the texture, or -1 beyond its border.
__device__ __forceinline__ int placed(int i, int size, int mode) {
  if (i >= 0 && i < size) return i;
  if (mode == cudaAddressModeClamp) return i < 0 ? 0 : size - 1;
  if (mode == cudaAddressModeBorder) return -1;
  const int period = mode == cudaAddressModeMirror ? 2 * size : size;
  i %= period;
  if (i < 0) i += period;
  return i < size ? i : period - 1 - i;
}

// A layer is a plane of the third axis, which is not filtered.
template <typename T>
__device__ __forceinline__ T sampled(unsigned long long texture, int axes, float x, float y, float z, int layer = 0) {
  using C = typename element<T>::type;
  const int w = __ws_texture_fact(texture, kTextureWidth), h = __ws_texture_fact(texture, kTextureHeight),
            d = __ws_texture_fact(texture, kTextureDepth);
  if (__ws_texture_fact(texture, kNormalizedCoordinates) != 0) {
    x *= (float)w;
    y *= (float)h;
    z *= (float)d;
  }
  const int mx = __ws_texture_fact(texture, kAddressModeX), my = __ws_texture_fact(texture, kAddressModeY),
            mz = __ws_texture_fact(texture, kAddressModeZ);
  auto at = [&](int i, int j, int k) {
    i = placed(i, w, mx);
    j = axes > 1 ? placed(j, h, my) : 0;
    k = axes > 2 ? placed(k, d, mz) : layer;
    return i < 0 || j < 0 || k < 0 ? T{} : texel<T>(texture, i, j, k);
  };
  if (__ws_texture_fact(texture, kLinearFilter) == 0) return at((int)floorf(x), (int)floorf(y), (int)floorf(z));
  const float fx = floorf(x - 0.5f), fy = axes > 1 ? floorf(y - 0.5f) : 0.0f, fz = axes > 2 ? floorf(z - 0.5f) : 0.0f;
  const float a[3] = {x - 0.5f - fx, axes > 1 ? y - 0.5f - fy : 0.0f, axes > 2 ? z - 0.5f - fz : 0.0f};
  T result{};
  for (int corner = 0; corner < 1 << axes; ++corner) {
    const int i = corner & 1, j = corner >> 1 & 1, k = corner >> 2;
    const float weight = (i ? a[0] : 1.0f - a[0]) * (j ? a[1] : 1.0f - a[1]) * (k ? a[2] : 1.0f - a[2]);
    const T part = at((int)fx + i, (int)fy + j, (int)fz + k);
    for (int c = 0; c < element<T>::count; ++c) ((C*)&result)[c] += (C)(((const C*)&part)[c] * weight);
  }
  return result;
}

// Layers are named by whole numbers, and those beyond the last mean the last.
__device__ __forceinline__ int layer_within(unsigned long long texture, int layer, int planes) {
  const int layers = __ws_texture_fact(texture, kTextureDepth) / planes;
  return layer < 0 ? 0 : layer < layers ? layer : layers - 1;
}

// A direction meets the face of its longest part; the other two say where.
template <typename T>
__device__ __forceinline__ T cube(unsigned long long texture, float x, float y, float z, int layer) {
  const float ax = fabsf(x), ay = fabsf(y), az = fabsf(z);
  int face;
  float m, s, t;
  if (ax > ay && ax > az) {
    face = x < 0.0f ? 1 : 0;
    m = ax;
    s = x < 0.0f ? z : -z;
    t = -y;
  } else if (ay > az) {
    face = y < 0.0f ? 3 : 2;
    m = ay;
    s = x;
    t = y < 0.0f ? -z : z;
  } else {
    face = z < 0.0f ? 5 : 4;
    m = az;
    s = z < 0.0f ? -x : x;
    t = -y;
  }
  s = (s / m + 1.0f) * 0.5f;
  t = (t / m + 1.0f) * 0.5f;
  if (__ws_texture_fact(texture, kNormalizedCoordinates) == 0) {
    s *= (float)__ws_texture_fact(texture, kTextureWidth);
    t *= (float)__ws_texture_fact(texture, kTextureHeight);
  }
  return sampled<T>(texture, 2, s, t, 0.0f, 6 * layer_within(texture, layer, 6) + face);
}

}  // namespace __ws_texture

template <typename T> __device__ __forceinline__ T tex1Dfetch(cudaTextureObject_t texture, int x) {
  return __ws_texture::texel<T>(texture, x, 0, 0);
}
template <typename T> __device__ __forceinline__ T tex1D(cudaTextureObject_t texture, float x) {
  return __ws_texture::sampled<T>(texture, 1, x, 0.0f, 0.0f);
}
template <typename T> __device__ __forceinline__ T tex2D(cudaTextureObject_t texture, float x, float y) {
  return __ws_texture::sampled<T>(texture, 2, x, y, 0.0f);
}
template <typename T> __device__ __forceinline__ T tex3D(cudaTextureObject_t texture, float x, float y, float z) {
  return __ws_texture::sampled<T>(texture, 3, x, y, z);
}
template <typename T> __device__ __forceinline__ T tex1DLod(cudaTextureObject_t texture, float x, float) {
  return tex1D<T>(texture, x);
}
template <typename T> __device__ __forceinline__ T tex2DLod(cudaTextureObject_t texture, float x, float y, float) {
  return tex2D<T>(texture, x, y);
}
template <typename T> __device__ __forceinline__ T tex2DLayered(cudaTextureObject_t texture, float x, float y, int layer) {
  return __ws_texture::sampled<T>(texture, 2, x, y, 0.0f, __ws_texture::layer_within(texture, layer, 1));
}
template <typename T> __device__ __forceinline__ T texCubemap(cudaTextureObject_t texture, float x, float y, float z) {
  return __ws_texture::cube<T>(texture, x, y, z, 0);
}
template <typename T>
__device__ __forceinline__ T texCubemapLayered(cudaTextureObject_t texture, float x, float y, float z, int layer) {
  return __ws_texture::cube<T>(texture, x, y, z, layer);
}
template <typename T> __device__ __forceinline__ void tex1Dfetch(T* to, cudaTextureObject_t texture, int x) {
  *to = tex1Dfetch<T>(texture, x);
}
template <typename T> __device__ __forceinline__ void tex1D(T* to, cudaTextureObject_t texture, float x) {
  *to = tex1D<T>(texture, x);
}
template <typename T> __device__ __forceinline__ void tex2D(T* to, cudaTextureObject_t texture, float x, float y) {
  *to = tex2D<T>(texture, x, y);
}
template <typename T>
__device__ __forceinline__ void tex3D(T* to, cudaTextureObject_t texture, float x, float y, float z) {
  *to = tex3D<T>(texture, x, y, z);
}

template <typename T>
__device__ __forceinline__ void tex2DLayered(T* to, cudaTextureObject_t texture, float x, float y, int layer) {
  *to = tex2DLayered<T>(texture, x, y, layer);
}
template <typename T>
__device__ __forceinline__ void texCubemap(T* to, cudaTextureObject_t texture, float x, float y, float z) {
  *to = texCubemap<T>(texture, x, y, z);
}

// x of surfaces counts bytes.
#define __WS_SURFACE(name, axes, coordinates)                                                                          \
  template <typename T>                                                                                                \
  __device__ __forceinline__ T surf##name##read(cudaSurfaceObject_t surface, axes,                                     \
                                                cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) {                      \
    const void* at = __ws_surface(surface, coordinates, (int)sizeof(T));                                               \
    return at == nullptr ? T{} : *(const T*)at;                                                                        \
  }                                                                                                                    \
  template <typename T>                                                                                                \
  __device__ __forceinline__ void surf##name##read(T* to, cudaSurfaceObject_t surface, axes,                           \
                                                   cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) {                   \
    const void* at = __ws_surface(surface, coordinates, (int)sizeof(T));                                               \
    *to = at == nullptr ? T{} : *(const T*)at;                                                                         \
  }                                                                                                                    \
  template <typename T>                                                                                                \
  __device__ __forceinline__ void surf##name##write(T value, cudaSurfaceObject_t surface, axes,                        \
                                                    cudaSurfaceBoundaryMode = cudaBoundaryModeTrap) {                  \
    void* at = __ws_surface(surface, coordinates, (int)sizeof(T));                                                     \
    if (at != nullptr) *(T*)at = value;                                                                                \
  }
#define __WS_COMMA ,
__WS_SURFACE(1D, int x, x __WS_COMMA 0 __WS_COMMA 0)
__WS_SURFACE(2D, int x __WS_COMMA int y, x __WS_COMMA y __WS_COMMA 0)
__WS_SURFACE(3D, int x __WS_COMMA int y __WS_COMMA int z, x __WS_COMMA y __WS_COMMA z)
__WS_SURFACE(2DLayered, int x __WS_COMMA int y __WS_COMMA int layer, x __WS_COMMA y __WS_COMMA layer)
#undef __WS_COMMA
#undef __WS_SURFACE
