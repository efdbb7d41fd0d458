// SPDX-License-Identifier: MIT
// The types of CUDA's driver interface, as programs lay them out. Results, attributes and flags have the driver's
// numbers, which are mostly those of the runtime.
#pragma once

#include <weakspot/graph_types.h>

#include <cstddef>
#include <cstdint>

namespace weakspot::race_jit::driver {

enum Result : int {
  kSuccess = 0,
  kInvalidValue = 1,
  kOutOfMemory = 2,
  kNotInitialized = 3,
  kNoDevice = 100,
  kInvalidDevice = 101,
  kInvalidImage = 200,
  kInvalidContext = 201,
  kNoBinaryForGpu = 209,
  kInvalidPtx = 218,
  kInvalidSource = 300,
  kFileNotFound = 301,
  kInvalidHandle = 400,
  kNotFound = 500,
  kNotReady = 600,
  kNotSupported = 801,
  kUnknown = 999
};

using Device = int;
using DevicePointer = std::uint64_t;
using Stream = void*;
using Event = void*;
struct ContextState;
using Context = ContextState*;
struct Module;    // also what the interface calls a library
struct Function;  // also what the interface calls a kernel

struct LaunchAttribute {
  enum Id : unsigned { cooperative = 2, cluster_dimension = 4, programmatic_serialization = 6, programmatic_event = 7 };
  unsigned id, padding;
  union {
    int number;
    struct {
      unsigned x, y, z;
    } extent;
    char bytes[64];
  } value;
};

struct LaunchConfig {
  unsigned grid_x, grid_y, grid_z;
  unsigned block_x, block_y, block_z;
  unsigned shared;
  Stream stream;
  const LaunchAttribute* attributes;
  unsigned attribute_count;
};

enum MemoryType : unsigned { kHostMemory = 1, kDeviceMemory = 2, kArrayMemory = 3, kUnifiedMemory = 4 };

struct Copy2D {
  std::size_t from_x, from_y;
  MemoryType from_type;
  const void* from_host;
  DevicePointer from_device;
  void* from_array;
  std::size_t from_pitch;
  std::size_t to_x, to_y;
  MemoryType to_type;
  void* to_host;
  DevicePointer to_device;
  void* to_array;
  std::size_t to_pitch;
  std::size_t width, height;
};

struct Copy3D {
  std::size_t from_x, from_y, from_z, from_level;
  MemoryType from_type;
  const void* from_host;
  DevicePointer from_device;
  void* from_array;
  void* from_reserved;
  std::size_t from_pitch, from_height;
  std::size_t to_x, to_y, to_z, to_level;
  MemoryType to_type;
  void* to_host;
  DevicePointer to_device;
  void* to_array;
  void* to_reserved;
  std::size_t to_pitch, to_height;
  std::size_t width, height, depth;
};

inline void* pointer_of(DevicePointer address) {
  return reinterpret_cast<void*>(address);  // NOLINT(performance-no-int-to-ptr): how the interface passes it
}
inline DevicePointer address_of(const void* pointer) { return reinterpret_cast<DevicePointer>(pointer); }

// The driver's number for what the runtime answers.
Result result_of(cudaError_t error);

}  // namespace weakspot::race_jit::driver
