// SPDX-License-Identifier: MIT
// The few parts of the CUDA driver interface that we use, declared here so that no CUDA header is needed. Values and
// signatures are those of the driver's stable binary interface.
#pragma once

#include <cstddef>
#include <string>

#include "base/result.h"

namespace weakspot::backend::cuda {

using Code = int;  // CUresult
using DeviceNumber = int;
using Context = struct ContextTag*;
using Module = struct ModuleTag*;
using Function = struct FunctionTag*;
using Stream = struct StreamTag*;
using Event = struct EventTag*;
using Library = struct LibraryTag*;
using LinkState = struct LinkStateTag*;
using Pointer = unsigned long long;  // CUdeviceptr
using Texture = unsigned long long;  // CUtexObject

inline constexpr Code kSuccess = 0;
inline constexpr Code kOutOfMemory = 2;
inline constexpr Code kNotReady = 600;
inline constexpr unsigned kStreamNonBlocking = 1;

// CUlaunchAttribute and CUlaunchConfig.
struct LaunchAttribute {
  int id = 0;
  int padding = 0;
  int value[16] = {};
};
inline constexpr int kProgrammaticStreamSerialization = 6;
struct LaunchConfig {
  unsigned grid[3] = {1, 1, 1};
  unsigned block[3] = {1, 1, 1};
  unsigned shared = 0;
  Stream stream = nullptr;
  LaunchAttribute* attributes = nullptr;
  unsigned attribute_count = 0;
};

// CUDA_RESOURCE_DESC of linear memory, and CUDA_TEXTURE_DESC.
struct LinearResource {
  int type = 2;
  int padding = 0;
  Pointer pointer = 0;
  int format = 3;  // unsigned numbers of 32 bits
  unsigned channels = 1;
  std::size_t bytes = 0;
  int reserved[26] = {};
  unsigned flags = 0;
  unsigned end = 0;
};
static_assert(sizeof(LinearResource) == 144);
struct TextureDescription {
  int address_modes[3] = {};
  int filter = 0;
  unsigned flags = 1;  // elements are numbers as they are
  unsigned anisotropy = 0;
  int mipmap_filter = 0;
  float mipmap[3] = {};
  float border[4] = {};
  int reserved[12] = {};
};
static_assert(sizeof(TextureDescription) == 104);

enum Attribute : int {
  kMaxThreadsPerBlock = 1,
  kMaxSharedMemoryPerBlock = 8,
  kWarpSize = 10,
  kMultiprocessorCount = 16,
  kL2CacheSize = 38,
  kComputeCapabilityMajor = 75,
  kComputeCapabilityMinor = 76,
  kCanMapHostMemory = 19,
  kManagedMemory = 83,
  kHostNativeAtomics = 86,
  kConcurrentManagedAccess = 89,
  kMostSharedOnDemand = 97,
  kCooperativeLaunch = 95,
};

inline constexpr unsigned kHostPortable = 1;
inline constexpr unsigned kHostMapped = 2;
inline constexpr unsigned kAttachGlobal = 1;
enum Advice : int { kPreferredLocation = 3, kAccessedBy = 5 };
inline constexpr DeviceNumber kAtHost = -1;

inline constexpr int kRequiredClusterWidth = 11;  // CUfunction_attribute

inline constexpr int kMostDynamicShared = 8;  // another one
inline constexpr int kClusterDimension = 4;   // CUlaunchAttributeID

enum JitOption : int { kErrorLogBuffer = 5, kErrorLogBufferSize = 6, kGenerateLineInfo = 13 };
inline constexpr int kInputPtx = 1;

// The driver's functions, under the names the driver gives them (without version suffix).
struct Driver {
  Code (*Init)(unsigned flags);
  Code (*DriverGetVersion)(int* version);
  Code (*DeviceGetCount)(int* count);
  Code (*DeviceGet)(DeviceNumber* device, int ordinal);
  Code (*DeviceGetName)(char* name, int length, DeviceNumber device);
  Code (*DeviceGetAttribute)(int* value, int attribute, DeviceNumber device);
  Code (*DeviceTotalMem)(std::size_t* bytes, DeviceNumber device);
  Code (*DevicePrimaryCtxRetain)(Context* context, DeviceNumber device);
  Code (*DevicePrimaryCtxRelease)(DeviceNumber device);
  Code (*CtxSetCurrent)(Context context);
  Code (*ModuleLoadDataEx)(Module* module, const void* image, unsigned options, int* names, void** values);
  Code (*ModuleUnload)(Module module);
  Code (*ModuleGetFunction)(Function* function, Module module, const char* name);
  Code (*MemAlloc)(Pointer* pointer, std::size_t bytes);
  Code (*MemFree)(Pointer pointer);
  Code (*MemGetInfo)(std::size_t* free, std::size_t* total);
  Code (*MemsetD32Async)(Pointer target, unsigned value, std::size_t words, Stream stream);
  Code (*MemcpyHtoDAsync)(Pointer target, const void* source, std::size_t bytes, Stream stream);
  Code (*MemcpyDtoHAsync)(void* target, Pointer source, std::size_t bytes, Stream stream);
  Code (*LaunchKernel)(Function function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                       unsigned block_y, unsigned block_z, unsigned shared, Stream stream, void** arguments,
                       void** extra);
  Code (*LaunchCooperativeKernel)(Function function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                  unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared, Stream stream,
                                  void** arguments);
  Code (*StreamCreate)(Stream* stream, unsigned flags);
  Code (*StreamDestroy)(Stream stream);
  Code (*StreamSynchronize)(Stream stream);
  Code (*EventCreate)(Event* event, unsigned flags);
  Code (*EventDestroy)(Event event);
  Code (*EventRecord)(Event event, Stream stream);
  Code (*EventQuery)(Event event);
  Code (*EventElapsedTime)(float* milliseconds, Event start, Event end);
  Code (*OccupancyMaxActiveBlocksPerMultiprocessor)(int* blocks, Function function, int block_size, std::size_t shared);
  Code (*GetErrorName)(Code code, const char** name);
  Code (*GetErrorString)(Code code, const char** text);

  // Memory that the host shares; nullptr in drivers without it.
  Code (*MemHostAlloc)(void** pointer, std::size_t bytes, unsigned flags);
  Code (*MemFreeHost)(void* pointer);
  Code (*MemHostGetDevicePointer)(Pointer* pointer, void* host, unsigned flags);
  Code (*MemAllocManaged)(Pointer* pointer, std::size_t bytes, unsigned flags);
  Code (*MemAdvise)(Pointer pointer, std::size_t bytes, int advice, DeviceNumber device);

  // Other ways to memory; nullptr in drivers without them.
  Code (*TexObjectCreate)(Texture* texture, const LinearResource* resource, const TextureDescription* description,
                          const void* view);
  Code (*TexObjectDestroy)(Texture texture);
  Code (*ModuleGetGlobal)(Pointer* pointer, std::size_t* bytes, Module module, const char* name);

  // Since CUDA 12; nullptr before.
  Code (*LibraryLoadData)(Library* library, const void* image, int* names, void** values, unsigned options,
                          int* library_names, void** library_values, unsigned library_options);
  Code (*LibraryGetModule)(Module* module, Library library);
  Code (*LibraryUnload)(Library library);

  // Launches with attributes, since CUDA 11.8; nullptr before.
  Code (*LaunchKernelEx)(const LaunchConfig* config, Function function, void** arguments, void** extra);

  // How many clusters fit, since CUDA 11.8; nullptr before.
  Code (*FuncGetAttribute)(int* value, int attribute, Function function);
  Code (*OccupancyMaxActiveClusters)(int* clusters, Function function, const LaunchConfig* config);

  // Copies on the device, and settings of functions; nullptr in drivers without them.
  Code (*MemcpyDtoDAsync)(Pointer target, Pointer source, std::size_t bytes, Stream stream);
  Code (*FuncSetAttribute)(Function function, int attribute, int value);

  // To get at machine code; nullptr in drivers without them.
  Code (*LinkCreate)(unsigned options, int* names, void** values, LinkState* state);
  Code (*LinkAddData)(LinkState state, int type, void* data, std::size_t bytes, const char* name, unsigned options,
                      int* names, void** values);
  Code (*LinkComplete)(LinkState state, void** image, std::size_t* bytes);
  Code (*LinkDestroy)(LinkState state);

  // "CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access was encountered"
  std::string describe(Code code) const;
};

// Opened and initialised once per process; the library stays loaded. The error says what is missing.
base::Result<const Driver*> driver();

}  // namespace weakspot::backend::cuda
