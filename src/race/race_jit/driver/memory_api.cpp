// SPDX-License-Identifier: MIT
// The driver's interface: memory, copies and fills.
#include <cstring>
#include <set>

#include "race_jit/driver/api.h"
#include "race_jit/driver/runtime_calls.h"
#include "race_jit/host/host_device.h"

namespace weakspot::race_jit::driver {
namespace {

enum PointerAttribute : int {
  kContext = 1,
  kMemoryKind = 2,
  kDevicePointer = 3,
  kHostPointer = 4,
  kSyncMemops = 6,
  kBufferId = 7,
  kIsManaged = 8,
  kOrdinal = 9,
  kRangeBegin = 11,
  kRangeSize = 12,
  kMapped = 13
};

// Memory that the program asked for as managed, or as the host's.
std::set<const void*>& managed() {
  static auto* const all = new std::set<const void*>();
  return *all;
}

template <typename Allocate>
Result give(void** pointer, std::size_t size, const Allocate& allocate) {
  if (pointer == nullptr || size == 0) return kInvalidValue;
  return result_of(allocate(pointer, size));
}
void** as_pointer(DevicePointer* address) { return reinterpret_cast<void**>(address); }

Result copy(void* to, const void* from, std::size_t size, cudaMemcpyKind kind) {
  return result_of(cudaMemcpy(to, from, size, kind));
}
Result copy(void* to, const void* from, std::size_t size, cudaMemcpyKind kind, Stream stream) {
  return result_of(cudaMemcpyAsync(to, from, size, kind, stream));
}

// Rows of elements that all get one value.
template <typename Element>
cudaError_t fill(DevicePointer to, std::size_t pitch, Element value, std::size_t width, std::size_t height,
                 void* stream) {
  if (host_device->graphs().is_capturing()) {
    host_device->graphs().add(cudaGraphNodeTypeMemset,
                              [=](void* where) { return fill(to, pitch, value, width, height, where); });
    return cudaSuccess;
  }
  const cudaError_t result = host_device->submit(stream, false);
  for (std::size_t y = 0; y < height; ++y) {
    char* row = static_cast<char*>(pointer_of(to)) + y * pitch;
    const std::size_t bytes = width * sizeof value;
    if (bytes > 0 && (!host_device->is_device(row) || !host_device->is_accessible(row, bytes))) {
      return host_device->fail(cudaErrorInvalidValue);
    }
    for (std::size_t x = 0; x < width; ++x) std::memcpy(row + x * sizeof value, &value, sizeof value);
  }
  return result;
}

template <typename Element>
Result set_row(DevicePointer to, Element value, std::size_t count, Stream stream) {
  return result_of(fill(to, 0, value, count, 1, stream));
}

// The first byte of a side of a copy; null for arrays.
const char* begin_of(MemoryType type, const void* host, DevicePointer device) {
  if (type == kHostMemory) return static_cast<const char*>(host);
  if (type == kArrayMemory) return nullptr;
  return static_cast<const char*>(pointer_of(device));
}

Result copy_rows(const Copy2D* copy, Stream stream, bool waits) {
  if (copy == nullptr) return kInvalidValue;
  if (copy->from_type == kArrayMemory || copy->to_type == kArrayMemory) return not_modelled("cuMemcpy2D of arrays");
  const std::size_t from_pitch = copy->from_pitch == 0 ? copy->width : copy->from_pitch;
  const std::size_t to_pitch = copy->to_pitch == 0 ? copy->width : copy->to_pitch;
  const char* from =
      begin_of(copy->from_type, copy->from_host, copy->from_device) + copy->from_y * from_pitch + copy->from_x;
  char* to =
      const_cast<char*>(begin_of(copy->to_type, copy->to_host, copy->to_device)) + copy->to_y * to_pitch + copy->to_x;
  return result_of(
      waits ? cudaMemcpy2D(to, to_pitch, from, from_pitch, copy->width, copy->height, cudaMemcpyDefault)
            : cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, copy->width, copy->height, cudaMemcpyDefault, stream));
}

Result copy_planes(const Copy3D* copy, Stream stream, bool waits) {
  if (copy == nullptr) return kInvalidValue;
  if (copy->from_type == kArrayMemory || copy->to_type == kArrayMemory) return not_modelled("cuMemcpy3D of arrays");
  for (std::size_t z = 0; z < copy->depth; ++z) {
    const Copy2D plane{.from_x = copy->from_x,
                       .from_y = copy->from_y + (copy->from_z + z) * copy->from_height,
                       .from_type = copy->from_type,
                       .from_host = copy->from_host,
                       .from_device = copy->from_device,
                       .from_array = nullptr,
                       .from_pitch = copy->from_pitch,
                       .to_x = copy->to_x,
                       .to_y = copy->to_y + (copy->to_z + z) * copy->to_height,
                       .to_type = copy->to_type,
                       .to_host = copy->to_host,
                       .to_device = copy->to_device,
                       .to_array = nullptr,
                       .to_pitch = copy->to_pitch,
                       .width = copy->width,
                       .height = copy->height};
    if (const Result result = copy_rows(&plane, stream, waits); result != kSuccess) return result;
  }
  return kSuccess;
}

Result pointer_attribute(void* value, int attribute, DevicePointer address) {
  const void* pointer = pointer_of(address);
  const bool known = host_device->is_device(pointer) && host_device->bytes_at(pointer) > 0;
  const void* mapped = known ? pointer : host_device->device_of_host(pointer);
  const auto put = [value](auto what) { std::memcpy(value, &what, sizeof what); };
  if (value == nullptr) return kInvalidValue;
  if (attribute == kSyncMemops) return put(unsigned{0}), kSuccess;
  if (mapped == nullptr) return kInvalidValue;
  std::size_t size = 0;
  const char* begin = host_device->allocation_at(mapped, size);
  switch (attribute) {
    case kContext: {
      Context current = nullptr;
      current_context(&current);
      return put(current), kSuccess;
    }
    case kMemoryKind:
      return put(known ? unsigned{kDeviceMemory} : unsigned{kHostMemory}), kSuccess;
    case kDevicePointer:
      return put(mapped), kSuccess;
    case kHostPointer:
      return managed().contains(begin) || !known ? (put(pointer), kSuccess) : kInvalidValue;
    case kBufferId:
      return put(static_cast<unsigned long long>(address_of(begin))), kSuccess;
    case kIsManaged:
      return put(static_cast<int>(managed().contains(begin))), kSuccess;
    case kOrdinal:
      return put(int{0}), kSuccess;
    case kRangeBegin:
      return put(begin), kSuccess;
    case kRangeSize:
      return put(size), kSuccess;
    case kMapped:
      return put(int{1}), kSuccess;
    default:
      return kInvalidValue;
  }
}

// All memory comes from one pool, which needs no settings.
struct Pool {
  char unused;
} the_pool;

Result only_pool(Pool** pool) {
  *pool = &the_pool;
  return kSuccess;
}

}  // namespace

void use_memory_api() {}

extern "C" {

Result cuMemAlloc_v2(DevicePointer* address, std::size_t size) { return give(as_pointer(address), size, cudaMalloc); }
Result cuMemAllocPitch_v2(DevicePointer* address, std::size_t* pitch, std::size_t width, std::size_t height, unsigned) {
  if (address == nullptr || pitch == nullptr || width == 0 || height == 0) return kInvalidValue;
  return result_of(cudaMallocPitch(as_pointer(address), pitch, width, height));
}
Result cuMemAllocManaged(DevicePointer* address, std::size_t size, unsigned flags) {
  const Result result = give(as_pointer(address), size,
                             [&](void** to, std::size_t bytes) { return cudaMallocManaged(to, bytes, flags); });
  if (result == kSuccess) managed().insert(pointer_of(*address));
  return result;
}
Result cuMemAllocHost_v2(void** pointer, std::size_t size) {
  const Result result = give(pointer, size, cudaMallocHost);
  if (result == kSuccess) managed().insert(*pointer);
  return result;
}
Result cuMemHostAlloc(void** pointer, std::size_t size, unsigned) { return cuMemAllocHost_v2(pointer, size); }
Result cuMemAllocAsync(DevicePointer* address, std::size_t size, Stream stream) {
  return give(as_pointer(address), size,
              [&](void** to, std::size_t bytes) { return cudaMallocAsync(to, bytes, stream); });
}
Result cuMemAllocFromPoolAsync(DevicePointer* address, std::size_t size, Pool*, Stream stream) {
  return cuMemAllocAsync(address, size, stream);
}
Result cuMemFree_v2(DevicePointer address) { return result_of(cudaFree(pointer_of(address))); }
Result cuMemFreeAsync(DevicePointer address, Stream stream) {
  return result_of(cudaFreeAsync(pointer_of(address), stream));
}
Result cuMemFreeHost(void* pointer) { return result_of(cudaFreeHost(pointer)); }
Result cuMemHostRegister_v2(void* pointer, std::size_t size, unsigned flags) {
  return result_of(cudaHostRegister(pointer, size, flags));
}
Result cuMemHostUnregister(void* pointer) { return result_of(cudaHostUnregister(pointer)); }
Result cuMemHostGetDevicePointer_v2(DevicePointer* address, void* host, unsigned flags) {
  return result_of(cudaHostGetDevicePointer(as_pointer(address), host, flags));
}
Result cuMemHostGetFlags(unsigned* flags, void*) {
  *flags = 2;  // mapped
  return kSuccess;
}
Result cuMemGetInfo_v2(std::size_t* free, std::size_t* total) { return result_of(cudaMemGetInfo(free, total)); }
Result cuMemGetAddressRange_v2(DevicePointer* begin, std::size_t* size, DevicePointer address) {
  std::size_t bytes = 0;
  const char* found = host_device->allocation_at(pointer_of(address), bytes);
  if (found == nullptr) return kNotFound;
  if (begin != nullptr) *begin = address_of(found);
  if (size != nullptr) *size = bytes;
  return kSuccess;
}
Result cuMemAdvise(DevicePointer, std::size_t, int, Device) { return kSuccess; }
struct Location {
  int type, id;
};
Result cuMemAdvise_v2(DevicePointer, std::size_t, int, Location) { return kSuccess; }
Result cuMemPrefetchAsync(DevicePointer, std::size_t, Device, Stream) { return kSuccess; }
Result cuMemPrefetchAsync_v2(DevicePointer, std::size_t, Location, unsigned, Stream) { return kSuccess; }

Result cuPointerGetAttribute(void* value, int attribute, DevicePointer address) {
  return pointer_attribute(value, attribute, address);
}
Result cuPointerGetAttributes(unsigned count, const int* attributes, void** values, DevicePointer address) {
  for (unsigned i = 0; i < count; ++i) {
    // What is not known of a pointer is 0, which is no error here.
    if (pointer_attribute(values[i], attributes[i], address) == kSuccess) continue;
    const bool wide = attributes[i] == kContext || attributes[i] == kDevicePointer || attributes[i] == kHostPointer ||
                      attributes[i] == kBufferId || attributes[i] == kRangeBegin || attributes[i] == kRangeSize;
    std::memset(values[i], 0, wide ? 8 : 4);
    if (attributes[i] == kOrdinal) std::memset(values[i], 0xff, 4);  // -2 in CUDA: no device
  }
  return kSuccess;
}
Result cuPointerSetAttribute(const void*, int, DevicePointer) { return kSuccess; }

Result cuDeviceGetDefaultMemPool(Pool** pool, Device) { return only_pool(pool); }
Result cuDeviceGetMemPool(Pool** pool, Device) { return only_pool(pool); }
Result cuDeviceSetMemPool(Device, Pool*) { return kSuccess; }
Result cuMemPoolCreate(Pool** pool, const void*) { return only_pool(pool); }
Result cuMemPoolDestroy(Pool*) { return kSuccess; }
Result cuMemPoolTrimTo(Pool*, std::size_t) { return kSuccess; }
Result cuMemPoolSetAttribute(Pool*, int, void*) { return kSuccess; }
Result cuMemPoolGetAttribute(Pool*, int attribute, void* value) {
  constexpr int kFirstOfEightBytes = 4;
  std::memset(value, 0, attribute < kFirstOfEightBytes ? 4 : 8);
  return kSuccess;
}
Result cuMemPoolSetAccess(Pool*, const void*, std::size_t) { return kSuccess; }

Result cuMemcpy(DevicePointer to, DevicePointer from, std::size_t size) {
  return copy(pointer_of(to), pointer_of(from), size, cudaMemcpyDefault);
}
Result cuMemcpyAsync(DevicePointer to, DevicePointer from, std::size_t size, Stream stream) {
  return copy(pointer_of(to), pointer_of(from), size, cudaMemcpyDefault, stream);
}
Result cuMemcpyPeer(DevicePointer to, Context, DevicePointer from, Context, std::size_t size) {
  return cuMemcpy(to, from, size);
}
Result cuMemcpyPeerAsync(DevicePointer to, Context, DevicePointer from, Context, std::size_t size, Stream stream) {
  return cuMemcpyAsync(to, from, size, stream);
}
Result cuMemcpyHtoD_v2(DevicePointer to, const void* from, std::size_t size) {
  return copy(pointer_of(to), from, size, cudaMemcpyHostToDevice);
}
Result cuMemcpyDtoH_v2(void* to, DevicePointer from, std::size_t size) {
  return copy(to, pointer_of(from), size, cudaMemcpyDeviceToHost);
}
Result cuMemcpyDtoD_v2(DevicePointer to, DevicePointer from, std::size_t size) {
  return copy(pointer_of(to), pointer_of(from), size, cudaMemcpyDeviceToDevice);
}
Result cuMemcpyHtoDAsync_v2(DevicePointer to, const void* from, std::size_t size, Stream stream) {
  return copy(pointer_of(to), from, size, cudaMemcpyHostToDevice, stream);
}
Result cuMemcpyDtoHAsync_v2(void* to, DevicePointer from, std::size_t size, Stream stream) {
  return copy(to, pointer_of(from), size, cudaMemcpyDeviceToHost, stream);
}
Result cuMemcpyDtoDAsync_v2(DevicePointer to, DevicePointer from, std::size_t size, Stream stream) {
  return copy(pointer_of(to), pointer_of(from), size, cudaMemcpyDeviceToDevice, stream);
}
Result cuMemcpy2D_v2(const Copy2D* copy) { return copy_rows(copy, nullptr, true); }
Result cuMemcpy2DUnaligned_v2(const Copy2D* copy) { return copy_rows(copy, nullptr, true); }
Result cuMemcpy2DAsync_v2(const Copy2D* copy, Stream stream) { return copy_rows(copy, stream, false); }
Result cuMemcpy3D_v2(const Copy3D* copy) { return copy_planes(copy, nullptr, true); }
Result cuMemcpy3DAsync_v2(const Copy3D* copy, Stream stream) { return copy_planes(copy, stream, false); }

Result cuMemsetD8_v2(DevicePointer to, unsigned char value, std::size_t count) {
  return set_row(to, value, count, nullptr);
}
Result cuMemsetD16_v2(DevicePointer to, unsigned short value, std::size_t count) {
  return set_row(to, value, count, nullptr);
}
Result cuMemsetD32_v2(DevicePointer to, unsigned value, std::size_t count) {
  return set_row(to, value, count, nullptr);
}
Result cuMemsetD8Async(DevicePointer to, unsigned char value, std::size_t count, Stream stream) {
  return set_row(to, value, count, stream);
}
Result cuMemsetD16Async(DevicePointer to, unsigned short value, std::size_t count, Stream stream) {
  return set_row(to, value, count, stream);
}
Result cuMemsetD32Async(DevicePointer to, unsigned value, std::size_t count, Stream stream) {
  return set_row(to, value, count, stream);
}
Result cuMemsetD2D8_v2(DevicePointer to, std::size_t pitch, unsigned char value, std::size_t width,
                       std::size_t height) {
  return result_of(fill(to, pitch, value, width, height, nullptr));
}
Result cuMemsetD2D16_v2(DevicePointer to, std::size_t pitch, unsigned short value, std::size_t width,
                        std::size_t height) {
  return result_of(fill(to, pitch, value, width, height, nullptr));
}
Result cuMemsetD2D32_v2(DevicePointer to, std::size_t pitch, unsigned value, std::size_t width, std::size_t height) {
  return result_of(fill(to, pitch, value, width, height, nullptr));
}

}  // extern "C"

}  // namespace weakspot::race_jit::driver
