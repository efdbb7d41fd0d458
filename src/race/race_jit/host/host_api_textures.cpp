// SPDX-License-Identifier: MIT
// The stand-in CUDA runtime: arrays, copies with three axes, textures and surfaces.
#include <algorithm>
#include <cstring>
#include <map>
#include <memory>

#include "race_jit/host/host_api.h"
#include "race_jit/host/host_device.h"
#include "race_jit/host/registrations.h"

// The object behind a program's pointer to an array.
struct cudaArray {
  weakspot::race_jit::Surface surface;
  cudaExtent extent{};
  unsigned flags = 0;
};

namespace weakspot::race_jit {
namespace {

// A box of elements in device memory or in an array.
struct Box {
  char* data = nullptr;
  std::uint64_t pitch = 0, rows = 0, element = 1;

  char* row(std::uint64_t x, std::uint64_t y, std::uint64_t z) const {
    return data + (z * rows + y) * pitch + x * element;
  }
};

Box box_of(const cudaArray* array) {
  const Surface& surface = array->surface;
  return {surface.data, surface.pitch, surface.height, surface.texel_bytes()};
}

std::map<cudaArray*, std::unique_ptr<cudaArray>>& arrays() {
  static std::map<cudaArray*, std::unique_ptr<cudaArray>> all;
  return all;
}
bool is_array(const cudaArray* array) { return arrays().contains(const_cast<cudaArray*>(array)); }

cudaError_t make_array(cudaArray** array, const cudaChannelFormatDesc* format, cudaExtent extent, unsigned flags) {
  if (array == nullptr || format == nullptr || extent.width == 0) return host_device->fail(cudaErrorInvalidValue);
  auto made = std::make_unique<cudaArray>();
  made->extent = extent;
  made->flags = flags;
  Surface& surface = made->surface;
  surface.format = *format;
  surface.width = extent.width;
  surface.height = std::max<std::size_t>(extent.height, 1);
  surface.depth = std::max<std::size_t>(extent.depth, 1);
  surface.pitch = extent.width * surface.texel_bytes();
  const std::uint64_t size = surface.pitch * surface.height * surface.depth;
  surface.data = size == 0 ? nullptr : static_cast<char*>(host_device->allocate(size, "array"));
  if (surface.data == nullptr) return host_device->fail(cudaErrorMemoryAllocation);
  *array = made.get();
  arrays()[*array] = std::move(made);
  return cudaSuccess;
}

// `x` in elements of its box, `width` in bytes.
cudaError_t copy_box(const Box& to, cudaPos to_at, const Box& from, cudaPos from_at, std::uint64_t width,
                     std::uint64_t height, std::uint64_t depth, const void* stream, bool waits) {
  const cudaError_t result = host_device->submit(stream, waits);
  for (std::uint64_t z = 0; z < depth; ++z) {
    for (std::uint64_t y = 0; y < height; ++y) {
      char* target = to.row(to_at.x, to_at.y + y, to_at.z + z);
      const char* source = from.row(from_at.x, from_at.y + y, from_at.z + z);
      if (!host_device->is_accessible(target, width) || !host_device->is_accessible(source, width)) {
        return host_device->fail(cudaErrorInvalidValue);
      }
      if (width > 0) std::memmove(target, source, width);
    }
  }
  return result;
}

cudaError_t copy_parameters(const cudaMemcpy3DParms* copy, const void* stream, bool waits) {
  if (copy == nullptr || (copy->srcArray != nullptr && !is_array(copy->srcArray)) ||
      (copy->dstArray != nullptr && !is_array(copy->dstArray))) {
    return host_device->fail(cudaErrorInvalidValue);
  }
  auto side = [](cudaArray* array, const cudaPitchedPtr& pointer) {
    return array != nullptr ? box_of(array) : Box{static_cast<char*>(pointer.ptr), pointer.pitch, pointer.ysize, 1};
  };
  const Box from = side(copy->srcArray, copy->srcPtr), to = side(copy->dstArray, copy->dstPtr);
  // With an array, the width counts its elements; else bytes.
  const std::uint64_t element = copy->srcArray != nullptr ? from.element : copy->dstArray != nullptr ? to.element : 1;
  return copy_box(to, copy->dstPos, from, copy->srcPos, copy->extent.width * element, copy->extent.height,
                  copy->extent.depth, stream, waits);
}

bool surface_of(const cudaResourceDesc& resource, Surface& surface) {
  switch (resource.resType) {
    case cudaResourceTypeArray:
      if (!is_array(resource.res.array.array)) return false;
      surface = resource.res.array.array->surface;
      return true;
    case cudaResourceTypeLinear: {
      surface.data = static_cast<char*>(resource.res.linear.devPtr);
      surface.format = resource.res.linear.desc;
      const std::uint64_t size =
          std::min<std::uint64_t>(resource.res.linear.sizeInBytes, host_device->bytes_at(surface.data));
      if (surface.texel_bytes() == 0) return false;
      surface.width = size / surface.texel_bytes();
      surface.pitch = size;
      return host_device->is_device(surface.data);
    }
    case cudaResourceTypePitch2D:
      surface.data = static_cast<char*>(resource.res.pitch2D.devPtr);
      surface.format = resource.res.pitch2D.desc;
      surface.width = resource.res.pitch2D.width;
      surface.height = resource.res.pitch2D.height;
      surface.pitch = resource.res.pitch2D.pitchInBytes;
      return host_device->is_device(surface.data) && surface.texel_bytes() > 0;
    default:
      return false;
  }
}

cudaError_t make_texture(std::uint64_t* handle, const cudaResourceDesc* resource, const cudaTextureDesc* how) {
  Texture texture;
  if (handle == nullptr || resource == nullptr || !surface_of(*resource, texture.surface)) {
    return host_device->fail(cudaErrorInvalidValue);
  }
  if (how != nullptr) texture.how = *how;
  *handle = host_device->add_texture(texture);
  return *handle != 0 ? cudaSuccess : host_device->fail(cudaErrorInvalidValue);
}

cudaError_t drop_texture(std::uint64_t handle) {
  return host_device->remove_texture(handle) ? cudaSuccess : host_device->fail(cudaErrorInvalidValue);
}

}  // namespace

void use_host_texture_api() {}

extern "C" {

cudaError_t cudaMallocArray(cudaArray** array, const cudaChannelFormatDesc* format, std::size_t width,
                            std::size_t height, unsigned flags) {
  return make_array(array, format, {width, height, 0}, flags);
}
cudaError_t cudaMalloc3DArray(cudaArray** array, const cudaChannelFormatDesc* format, cudaExtent extent,
                              unsigned flags) {
  return make_array(array, format, extent, flags);
}
cudaError_t cudaFreeArray(cudaArray* array) {
  if (array == nullptr) return cudaSuccess;
  if (!is_array(array)) return host_device->fail(cudaErrorInvalidValue);
  host_device->streams().host_waits_for_all();
  host_device->release(array->surface.data);
  arrays().erase(array);
  return cudaSuccess;
}
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent, unsigned* flags, cudaArray* array) {
  if (!is_array(array)) return host_device->fail(cudaErrorInvalidValue);
  if (format != nullptr) *format = array->surface.format;
  if (extent != nullptr) *extent = array->extent;
  if (flags != nullptr) *flags = array->flags;
  return cudaSuccess;
}
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray* to, std::size_t x, std::size_t y, const void* from, std::size_t pitch,
                                     std::size_t width, std::size_t height, cudaMemcpyKind, void* stream) {
  if (!is_array(to)) return host_device->fail(cudaErrorInvalidValue);
  const Box source{static_cast<char*>(const_cast<void*>(from)), pitch, height, 1};
  Box target = box_of(to);
  target.element = 1;  // offsets and widths of these are in bytes
  return copy_box(target, {x, y, 0}, source, {0, 0, 0}, width, height, 1, stream, false);
}
cudaError_t cudaMemcpy2DToArray(cudaArray* to, std::size_t x, std::size_t y, const void* from, std::size_t pitch,
                                std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  const cudaError_t result = cudaMemcpy2DToArrayAsync(to, x, y, from, pitch, width, height, kind, nullptr);
  return result != cudaSuccess ? result : host_device->submit(nullptr, true);
}
cudaError_t cudaMemcpy2DFromArray(void* to, std::size_t pitch, const cudaArray* from, std::size_t x, std::size_t y,
                                  std::size_t width, std::size_t height, cudaMemcpyKind) {
  if (!is_array(from)) return host_device->fail(cudaErrorInvalidValue);
  Box source = box_of(from);
  source.element = 1;
  return copy_box({static_cast<char*>(to), pitch, height, 1}, {0, 0, 0}, source, {x, y, 0}, width, height, 1, nullptr,
                  true);
}
cudaError_t cudaMemcpyToArray(cudaArray* to, std::size_t x, std::size_t y, const void* from, std::size_t size,
                              cudaMemcpyKind) {
  if (!is_array(to)) return host_device->fail(cudaErrorInvalidValue);
  Box target = box_of(to);
  target.element = 1;
  return copy_box(target, {x, y, 0}, {static_cast<char*>(const_cast<void*>(from)), size, 1, 1}, {0, 0, 0}, size, 1, 1,
                  nullptr, true);
}
cudaError_t cudaMemcpyFromArray(void* to, const cudaArray* from, std::size_t x, std::size_t y, std::size_t size,
                                cudaMemcpyKind) {
  if (!is_array(from)) return host_device->fail(cudaErrorInvalidValue);
  Box source = box_of(from);
  source.element = 1;
  return copy_box({static_cast<char*>(to), size, 1, 1}, {0, 0, 0}, source, {x, y, 0}, size, 1, 1, nullptr, true);
}
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* copy) { return copy_parameters(copy, nullptr, true); }
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* copy, void* stream) {
  return copy_parameters(copy, stream, false);
}
cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent) {
  constexpr std::size_t kRow = 512;
  const std::size_t pitch = (extent.width + kRow - 1) / kRow * kRow;
  void* memory = host_device->allocate(pitch * extent.height * extent.depth, "");
  if (memory == nullptr) return host_device->fail(cudaErrorMemoryAllocation);
  *pointer = {memory, pitch, extent.width, extent.height};
  return cudaSuccess;
}
cudaError_t cudaMemset3DAsync(cudaPitchedPtr pointer, int value, cudaExtent extent, void* stream) {
  const Box box{static_cast<char*>(pointer.ptr), pointer.pitch, pointer.ysize, 1};
  const cudaError_t result = host_device->submit(stream, false);
  for (std::size_t z = 0; z < extent.depth; ++z) {
    for (std::size_t y = 0; y < extent.height; ++y) {
      char* row = box.row(0, y, z);
      if (extent.width == 0) continue;
      if (!host_device->is_device(row) || !host_device->is_accessible(row, extent.width)) {
        return host_device->fail(cudaErrorInvalidValue);
      }
      std::memset(row, value, extent.width);
    }
  }
  return result;
}
cudaError_t cudaMemset3D(cudaPitchedPtr pointer, int value, cudaExtent extent) {
  return cudaMemset3DAsync(pointer, value, extent, nullptr);
}

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}
cudaError_t cudaCreateTextureObject(cudaTextureObject_t* texture, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* how, const void*) {
  std::uint64_t handle = 0;
  const cudaError_t result = make_texture(&handle, resource, how);
  *texture = handle;
  return result;
}
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture) { return drop_texture(texture); }
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* surface, const cudaResourceDesc* resource) {
  std::uint64_t handle = 0;
  const cudaError_t result = make_texture(&handle, resource, nullptr);
  *surface = handle;
  return result;
}
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface) { return drop_texture(surface); }

// References to textures are variables of the device that hold what is bound to them.
void __cudaRegisterTexture(void** handle, const void* host, const void**, const char* symbol, int, int, int) {
  registrations().add_variable(handle, host, symbol, sizeof(cudaTextureObject_t));
}
void __cudaRegisterSurface(void** handle, const void* host, const void**, const char* symbol, int, int) {
  registrations().add_variable(handle, host, symbol, sizeof(cudaSurfaceObject_t));
}
cudaError_t __wsBindTexture(const void* reference, cudaTextureObject_t texture) {
  void* variable = host_device->symbol_address(reference);
  if (variable == nullptr) return host_device->fail(cudaErrorInvalidSymbol);
  std::memcpy(variable, &texture, sizeof texture);
  return cudaSuccess;
}

}  // extern "C"

}  // namespace weakspot::race_jit
