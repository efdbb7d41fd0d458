// SPDX-License-Identifier: MIT
// The functions that clang's HIP mode calls by their names: those of CUDA with others. All else of HIP's runtime is
// renamed where it is declared, in cuda/weakspot/hip/names.h.
#include "race_jit/host/host_api.h"
#include "race_jit/host/host_device.h"
#include "race_jit/host/registrations.h"

namespace weakspot::race_jit {

void use_host_hip_api() {}

extern "C" {

struct FatBinary;
void** __cudaRegisterFatBinary(const FatBinary* binary);
int __cudaRegisterFunction(void** handle, const char* host, char*, const char* symbol, int, void*, void*, void*, void*,
                           int*);
void __cudaRegisterVar(void** handle, char* host, char*, const char* symbol, int, std::size_t size, int, int);
cudaError_t __cudaPushCallConfiguration(Extent grid, Extent block, std::size_t shared, void* stream);
cudaError_t __cudaPopCallConfiguration(Extent* grid, Extent* block, std::size_t* shared, void** stream);
cudaError_t cudaLaunchKernel(const void* kernel, Extent grid, Extent block, void** arguments, std::size_t shared,
                             void* stream);

void** __hipRegisterFatBinary(const FatBinary* binary) { return __cudaRegisterFatBinary(binary); }
void __hipUnregisterFatBinary(void**) {}
int __hipRegisterFunction(void** handle, const char* host, char* name, const char* symbol, int limit, void* thread,
                          void* block, void* block_size, void* grid_size, int* wave) {
  return __cudaRegisterFunction(handle, host, name, symbol, limit, thread, block, block_size, grid_size, wave);
}
void __hipRegisterVar(void** handle, char* host, char* name, const char* symbol, int external, std::size_t size,
                      int constant, int global) {
  __cudaRegisterVar(handle, host, name, symbol, external, size, constant, global);
}
cudaError_t __hipPushCallConfiguration(Extent grid, Extent block, std::size_t shared, void* stream) {
  return __cudaPushCallConfiguration(grid, block, shared, stream);
}
cudaError_t __hipPopCallConfiguration(Extent* grid, Extent* block, std::size_t* shared, void** stream) {
  return __cudaPopCallConfiguration(grid, block, shared, stream);
}
cudaError_t hipLaunchKernel(const void* kernel, Extent grid, Extent block, void** arguments, std::size_t shared,
                            void* stream) {
  return cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
}

}  // extern "C"

}  // namespace weakspot::race_jit
