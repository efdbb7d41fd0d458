// SPDX-License-Identifier: MIT
// The stand-in CUDA runtime: registered host memory, and functions under the names that the headers of a toolkit call
// where ours have inline ones.
#include <cstring>

#include "race_jit/host/host_api.h"
#include "race_jit/host/host_device.h"

namespace weakspot::race_jit {

void use_host_more_api() {}

extern "C" {

cudaError_t __wsMemcpyToSymbol(const void*, const void*, std::size_t, std::size_t, void*, int);
cudaError_t __wsMemcpyFromSymbol(void*, const void*, std::size_t, std::size_t, void*, int);
cudaError_t __wsGetSymbolAddress(void**, const void*);
cudaError_t __wsGetSymbolSize(std::size_t*, const void*);
cudaError_t __wsFuncGetAttributes(cudaFuncAttributes*, const void*);
cudaError_t cudaMemset2D(void*, std::size_t, int, std::size_t, std::size_t);
cudaError_t cudaEventRecord(void*, void*);

cudaError_t cudaHostRegister(void* pointer, std::size_t size, unsigned) {
  return host_device->register_host(pointer, size) ? cudaSuccess
                                                   : host_device->fail(cudaErrorHostMemoryAlreadyRegistered);
}
cudaError_t cudaHostUnregister(void* pointer) {
  return host_device->unregister_host(pointer) ? cudaSuccess : host_device->fail(cudaErrorHostMemoryNotRegistered);
}
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned) {
  *device = host_device->is_device(host) ? host : host_device->device_of_host(host);
  return *device != nullptr ? cudaSuccess : host_device->fail(cudaErrorInvalidValue);
}
cudaError_t cudaHostGetFlags(unsigned* flags, void*) {
  *flags = cudaHostAllocMapped;
  return cudaSuccess;
}

cudaError_t cudaMemset2DAsync(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height, void*) {
  return cudaMemset2D(to, pitch, value, width, height);
}
cudaError_t cudaStreamGetFlags(void*, unsigned* flags) {
  *flags = 0;
  return cudaSuccess;
}
cudaError_t cudaStreamGetPriority(void*, int* priority) {
  *priority = 0;
  return cudaSuccess;
}
// Attributes of a stream are about caches and waiting, which change no result.
cudaError_t cudaStreamSetAttribute(void*, int, const void*) { return cudaSuccess; }
cudaError_t cudaStreamGetAttribute(void*, int, void* value) {
  constexpr std::size_t kSize = 64;  // of the union, in all versions of CUDA
  std::memset(value, 0, kSize);
  return cudaSuccess;
}
cudaError_t cudaStreamCopyAttributes(void*, void*) { return cudaSuccess; }
cudaError_t cudaCtxResetPersistingL2Cache() { return cudaSuccess; }
cudaError_t cudaStreamAttachMemAsync(void*, void*, std::size_t, unsigned) { return cudaSuccess; }
cudaError_t cudaEventRecordWithFlags(void* event, void* stream, unsigned) { return cudaEventRecord(event, stream); }
cudaError_t cudaChooseDevice(int* device, const void*) {
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceFlags(unsigned* flags) {
  *flags = 0;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetCacheConfig(int* config) {
  *config = 0;
  return cudaSuccess;
}
cudaError_t cudaDeviceDisablePeerAccess(int) { return host_device->fail(cudaErrorInvalidDevice); }
cudaError_t cudaDeviceGetP2PAttribute(int*, int, int, int) { return host_device->fail(cudaErrorInvalidDevice); }
cudaError_t cudaDeviceGetPCIBusId(char* id, int length, int) {
  const std::string text = "0000:00:00.0";
  if (length <= static_cast<int>(text.size())) return host_device->fail(cudaErrorInvalidValue);
  std::memcpy(id, text.c_str(), text.size() + 1);
  return cudaSuccess;
}

void __wsDependentLaunch() { host_device->next_overlaps(); }
void __wsProgrammaticLaunch(const void* kernel) { host_device->note_overlap(kernel); }
cudaError_t __wsNotModelled(const char* what, const char* file, int line) {
  host_device->note_call(what, file, static_cast<unsigned>(line));
  return host_device->fail(cudaErrorNotSupported);
}

// By the names of the toolkit's C functions.
cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, std::size_t size, std::size_t offset, int) {
  return __wsMemcpyToSymbol(symbol, from, size, offset, nullptr, 1);
}
cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, std::size_t size, std::size_t offset, int,
                                    void* stream) {
  return __wsMemcpyToSymbol(symbol, from, size, offset, stream, 0);
}
cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, std::size_t size, std::size_t offset, int) {
  return __wsMemcpyFromSymbol(to, symbol, size, offset, nullptr, 1);
}
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, std::size_t size, std::size_t offset, int,
                                      void* stream) {
  return __wsMemcpyFromSymbol(to, symbol, size, offset, stream, 0);
}
cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) { return __wsGetSymbolAddress(pointer, symbol); }
cudaError_t cudaGetSymbolSize(std::size_t* size, const void* symbol) { return __wsGetSymbolSize(size, symbol); }
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* kernel) {
  return __wsFuncGetAttributes(attributes, kernel);
}
cudaError_t cudaFuncSetAttribute(const void*, int, int) { return cudaSuccess; }
cudaError_t cudaFuncSetCacheConfig(const void*, int) { return cudaSuccess; }
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void*, int threads, std::size_t,
                                                                   unsigned) {
  *blocks = threads > 0 && threads <= 1024 ? 2048 / threads : 0;
  return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* kernel, int threads,
                                                          std::size_t shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, kernel, threads, shared, 0);
}
cudaError_t cudaEventCreate(void** event) {
  *event = reinterpret_cast<void*>(host_device->streams().create_event());
  return cudaSuccess;
}

}  // extern "C"

}  // namespace weakspot::race_jit
