// SPDX-License-Identifier: MIT
// The stand-in CUDA runtime: memory, launches, symbols. The compiled program finds these functions by their names.
// Everything happens when it is asked for; streams and events say only what may happen at the same time.
#include <algorithm>
#include <cstring>
#include <utility>

#include "race_jit/host/host_api.h"
#include "race_jit/host/host_device.h"
#include "race_jit/host/registrations.h"

namespace weakspot::race_jit {
namespace {

constexpr std::size_t kPitch = 512;

CallConfiguration configuration(Extent grid, Extent block, std::size_t shared, const void* stream) {
  return {{.grid = grid, .block = block, .shared = shared}, stream_id(stream)};
}

// The place in the source of the allocation that this thread makes next; see runtime_api.h.
struct AllocationCall {
  const char* file = "";
  unsigned line = 0, column = 0;
};
thread_local AllocationCall next_allocation;

cudaError_t give(void** pointer, std::size_t size) {
  const AllocationCall call = std::exchange(next_allocation, {});
  if (pointer == nullptr) return host_device->fail(cudaErrorInvalidValue);
  *pointer = nullptr;
  if (size == 0) return cudaSuccess;
  *pointer = host_device->allocate(size, "", {call.file, call.line, call.column});
  return *pointer == nullptr ? host_device->fail(cudaErrorMemoryAllocation) : cudaSuccess;
}

// Memory that the host may change while a kernel runs.
cudaError_t give_shared(void** pointer, std::size_t size) {
  const cudaError_t error = give(pointer, size);
  if (error == cudaSuccess && *pointer != nullptr) host_device->share_with_host(*pointer);
  return error;
}

cudaError_t take_back(void* pointer) {
  if (pointer == nullptr || host_device->graphs().owns(pointer) || host_device->release(pointer)) return cudaSuccess;
  return host_device->fail(cudaErrorInvalidValue);
}

cudaError_t copy(void* to, const void* from, std::size_t size, cudaMemcpyKind kind, const void* stream, bool waits) {
  if (!waits && host_device->graphs().is_capturing()) {
    host_device->graphs().add(cudaGraphNodeTypeMemcpy,
                              [=](void* where) { return copy(to, from, size, kind, where, false); });
    return cudaSuccess;
  }
  const bool to_device = host_device->is_device(to), from_device = host_device->is_device(from);
  // A host pointer where one of the device is announced is a mistake that a GPU would notice too.
  if ((kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice) && !to_device && size > 0) {
    return host_device->fail(cudaErrorInvalidValue);
  }
  if ((kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice) && !from_device && size > 0) {
    return host_device->fail(cudaErrorInvalidValue);
  }
  if (!host_device->is_accessible(to, size) || !host_device->is_accessible(from, size)) {
    return host_device->fail(cudaErrorInvalidValue);
  }
  const cudaError_t result = host_device->submit(stream, waits);
  if (size > 0) std::memmove(to, from, size);
  return result;
}

cudaError_t copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                      std::size_t height, const void* stream, bool waits) {
  if (!waits && host_device->graphs().is_capturing()) {
    host_device->graphs().add(cudaGraphNodeTypeMemcpy, [=](void* where) {
      return copy_rows(to, to_pitch, from, from_pitch, width, height, where, false);
    });
    return cudaSuccess;
  }
  if (width > to_pitch || width > from_pitch) return host_device->fail(cudaErrorInvalidPitchValue);
  const cudaError_t result = host_device->submit(stream, waits);
  for (std::size_t row = 0; row < height; ++row) {
    char* target = static_cast<char*>(to) + row * to_pitch;
    const char* source = static_cast<const char*>(from) + row * from_pitch;
    if (!host_device->is_accessible(target, width) || !host_device->is_accessible(source, width)) {
      return host_device->fail(cudaErrorInvalidValue);
    }
    if (width > 0) std::memmove(target, source, width);
  }
  return result;
}

cudaError_t set(void* to, int value, std::size_t size, const void* stream) {
  if (host_device->graphs().is_capturing()) {
    host_device->graphs().add(cudaGraphNodeTypeMemset, [=](void* where) { return set(to, value, size, where); });
    return cudaSuccess;
  }
  if ((!host_device->is_device(to) && size > 0) || !host_device->is_accessible(to, size)) {
    return host_device->fail(cudaErrorInvalidValue);
  }
  const cudaError_t result = host_device->submit(stream, false);
  if (size > 0) std::memset(to, value, size);
  return result;
}

// The part of a symbol, or null where it does not reach so far.
char* symbol_part(const void* symbol, std::size_t size, std::size_t offset) {
  char* address = static_cast<char*>(host_device->symbol_address(symbol));
  const std::uint64_t whole = host_device->symbol_size(symbol);
  return address == nullptr || offset > whole || size > whole - offset ? nullptr : address + offset;
}

}  // namespace

void use_host_api() {}

extern "C" {

// The compilers' form for the device code of an object.
struct FatBinary {
  int mark, version;
  const char* code;
  const void* unused;
};

void** __cudaRegisterFatBinary(const FatBinary* binary) {
  return registrations().handle(registrations().add_code(binary->code));
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
// Called by relocatable code. Compilers give this function a new name in each file; weakspot-nvcc gives it this one.
void __wsRegisterLinkedBinary(void (*register_symbols)(void**), const FatBinary* binary, const char*, void*) {
  register_symbols(__cudaRegisterFatBinary(binary));
}
void __wsRegisterDeviceLibrary(const char* begin, const char* end) { registrations().add_library(begin, end); }
int __cudaRegisterFunction(void** handle, const char* host, char*, const char* symbol, int, void*, void*, void*, void*,
                           int*) {
  registrations().add_kernel(handle, host, symbol);
  return 0;
}
void __cudaRegisterVar(void** handle, char* host, char*, const char* symbol, int, std::size_t size, int, int) {
  registrations().add_variable(handle, host, symbol, size);
}

cudaError_t __cudaPushCallConfiguration(Extent grid, Extent block, std::size_t shared, void* stream) {
  host_device->pending.push_back(configuration(grid, block, shared, stream));
  return cudaSuccess;
}
cudaError_t __cudaPopCallConfiguration(Extent* grid, Extent* block, std::size_t* shared, void** stream) {
  if (host_device->pending.empty()) return host_device->fail(cudaErrorInvalidConfiguration);
  const CallConfiguration call = host_device->pending.back();
  host_device->pending.pop_back();
  *grid = call.grid;
  *block = call.block;
  *shared = call.shared;
  *stream = reinterpret_cast<void*>(call.stream);
  return cudaSuccess;
}
cudaError_t cudaLaunchKernel(const void* kernel, Extent grid, Extent block, void** arguments, std::size_t shared,
                             void* stream) {
  return host_device->launch(kernel, configuration(grid, block, shared, stream), arguments);
}
cudaError_t cudaLaunchCooperativeKernel(const void* kernel, Extent grid, Extent block, void** arguments,
                                        std::size_t shared, void* stream) {
  CallConfiguration call = configuration(grid, block, shared, stream);
  call.cooperative = true;
  return host_device->launch(kernel, call, arguments);
}
cudaError_t __wsLaunchKernelEx(const void* kernel, Extent grid, Extent block, Extent cluster, void** arguments,
                               std::size_t shared, void* stream, int cooperative) {
  CallConfiguration call = configuration(grid, block, shared, stream);
  call.cluster = cluster;
  call.cooperative = cooperative != 0;
  return host_device->launch(kernel, call, arguments);
}
cudaError_t __wsFuncGetAttributes(cudaFuncAttributes* attributes, const void* kernel) {
  const Kernel* found = host_device->kernel(kernel);
  if (found == nullptr) return host_device->fail(cudaErrorInvalidDeviceFunction);
  *attributes = {};
  attributes->sharedSizeBytes = found->static_shared;
  attributes->maxThreadsPerBlock = 1024;
  attributes->numRegs = 32;
  attributes->ptxVersion = attributes->binaryVersion = host_device->architecture();
  attributes->maxDynamicSharedSizeBytes = 48 * 1024;
  return cudaSuccess;
}

void __wsAllocatesAt(const char* file, unsigned line, unsigned column) { next_allocation = {file, line, column}; }
cudaError_t cudaMalloc(void** pointer, std::size_t size) { return give(pointer, size); }
cudaError_t cudaMallocManaged(void** pointer, std::size_t size, unsigned) { return give_shared(pointer, size); }
cudaError_t cudaMallocHost(void** pointer, std::size_t size) { return give_shared(pointer, size); }
cudaError_t cudaHostAlloc(void** pointer, std::size_t size, unsigned) { return give_shared(pointer, size); }
cudaError_t cudaMallocAsync(void** pointer, std::size_t size, void*) {
  const cudaError_t error = give(pointer, size);
  if (error == cudaSuccess && host_device->graphs().is_capturing()) {
    host_device->graphs().own(*pointer, size);
    host_device->graphs().add(cudaGraphNodeTypeMemAlloc, [](void*) { return cudaSuccess; });
  }
  return error;
}
cudaError_t cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width, std::size_t height) {
  *pitch = (width + kPitch - 1) / kPitch * kPitch;
  return give(pointer, *pitch * height);
}
cudaError_t cudaFree(void* pointer) {
  host_device->streams().host_waits_for_all();
  return take_back(pointer);
}
cudaError_t cudaFreeHost(void* pointer) { return take_back(pointer); }
cudaError_t cudaFreeAsync(void* pointer, void*) {
  if (!host_device->graphs().is_capturing()) return take_back(pointer);
  host_device->graphs().add(cudaGraphNodeTypeMemFree, [=](void*) { return take_back(pointer); });
  return cudaSuccess;
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  const bool device = host_device->is_device(pointer);
  *attributes = {device ? cudaMemoryTypeDevice : cudaMemoryTypeUnregistered, 0, const_cast<void*>(pointer),
                 const_cast<void*>(pointer)};
  return cudaSuccess;
}
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  *total = std::size_t{16} << 30;
  *free = *total - std::min<std::size_t>(*total, host_device->bytes_used());
  return cudaSuccess;
}
cudaError_t cudaMemAdvise(const void*, std::size_t, int, int) { return cudaSuccess; }
cudaError_t cudaMemPrefetchAsync(const void*, std::size_t, int, void*) { return cudaSuccess; }

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t size, cudaMemcpyKind kind) {
  return copy(to, from, size, kind, nullptr, true);
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t size, cudaMemcpyKind kind, void* stream) {
  return copy(to, from, size, kind, stream, false);
}
cudaError_t cudaMemcpyPeer(void* to, int, const void* from, int, std::size_t size) {
  return copy(to, from, size, cudaMemcpyDefault, nullptr, true);
}
cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, std::size_t size, void* stream) {
  return copy(to, from, size, cudaMemcpyDefault, stream, false);
}
cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                         std::size_t height, cudaMemcpyKind) {
  return copy_rows(to, to_pitch, from, from_pitch, width, height, nullptr, true);
}
cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                              std::size_t width, std::size_t height, cudaMemcpyKind, void* stream) {
  return copy_rows(to, to_pitch, from, from_pitch, width, height, stream, false);
}
cudaError_t cudaMemset(void* to, int value, std::size_t size) { return set(to, value, size, nullptr); }
cudaError_t cudaMemsetAsync(void* to, int value, std::size_t size, void* stream) {
  return set(to, value, size, stream);
}
cudaError_t cudaMemset2D(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height) {
  for (std::size_t row = 0; row < height; ++row) {
    const cudaError_t result = set(static_cast<char*>(to) + row * pitch, value, width, nullptr);
    if (result != cudaSuccess) return result;
  }
  return cudaSuccess;
}

cudaError_t __wsMemcpyToSymbol(const void* symbol, const void* from, std::size_t size, std::size_t offset, void* stream,
                               int waits) {
  char* address = symbol_part(symbol, size, offset);
  if (address == nullptr) return host_device->fail(cudaErrorInvalidSymbol);
  return copy(address, from, size, cudaMemcpyDefault, stream, waits != 0);
}
cudaError_t __wsMemcpyFromSymbol(void* to, const void* symbol, std::size_t size, std::size_t offset, void* stream,
                                 int waits) {
  const char* address = symbol_part(symbol, size, offset);
  if (address == nullptr) return host_device->fail(cudaErrorInvalidSymbol);
  return copy(to, address, size, cudaMemcpyDefault, stream, waits != 0);
}
cudaError_t __wsGetSymbolAddress(void** pointer, const void* symbol) {
  *pointer = host_device->symbol_address(symbol);
  return *pointer == nullptr ? host_device->fail(cudaErrorInvalidSymbol) : cudaSuccess;
}
cudaError_t __wsGetSymbolSize(std::size_t* size, const void* symbol) {
  *size = host_device->symbol_size(symbol);
  return *size == 0 ? host_device->fail(cudaErrorInvalidSymbol) : cudaSuccess;
}

}  // extern "C"

}  // namespace weakspot::race_jit
