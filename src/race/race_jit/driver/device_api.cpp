// SPDX-License-Identifier: MIT
// The driver's interface: devices, contexts, versions and errors. There is one device, and all contexts are of it.
#include <algorithm>
#include <cstring>
#include <iterator>
#include <vector>

#include "race_jit/driver/api.h"
#include "race_jit/driver/runtime_calls.h"
#include "race_jit/host/host_device.h"

namespace weakspot::race_jit::driver {

struct ContextState {
  unsigned flags = 0;
  unsigned retained = 0;
};

namespace {

constexpr int kDriverVersion = 13000;
constexpr unsigned long long kGibibyte = 1ull << 30;

struct ResultName {
  int result;
  const char* name;
  const char* text;
};

constexpr ResultName kResults[] = {
    {0, "CUDA_SUCCESS", "no error"},
    {1, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {2, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {3, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {4, "CUDA_ERROR_DEINITIALIZED", "driver shutting down"},
    {34, "CUDA_ERROR_STUB_LIBRARY", "CUDA driver is a stub library"},
    {100, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {101, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {200, "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"},
    {201, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {209, "CUDA_ERROR_NO_BINARY_FOR_GPU", "no kernel image is available for execution on the device"},
    {218, "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"},
    {300, "CUDA_ERROR_INVALID_SOURCE", "device kernel image is invalid"},
    {301, "CUDA_ERROR_FILE_NOT_FOUND", "file not found"},
    {400, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    {500, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {600, "CUDA_ERROR_NOT_READY", "device not ready"},
    {700, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
    {701, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "too many resources requested for launch"},
    {710, "CUDA_ERROR_ASSERT", "device-side assert triggered"},
    {712, "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED", "part or all of the requested memory range is already mapped"},
    {713, "CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED", "pointer does not correspond to a registered memory region"},
    {719, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
    {720, "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE", "too many blocks in cooperative launch"},
    {801, "CUDA_ERROR_NOT_SUPPORTED", "operation not supported"},
    {900, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED", "operation not permitted when stream is capturing"},
    {910, "CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE", "the graph update was not performed"},
    {912, "CUDA_ERROR_INVALID_CLUSTER_SIZE", "invalid cluster size"},
    {999, "CUDA_ERROR_UNKNOWN", "unknown error"}};

const ResultName* result_name(int result) {
  const auto* found = std::find_if(std::begin(kResults), std::end(kResults),
                                   [&](const ResultName& one) { return one.result == result; });
  return found == std::end(kResults) ? nullptr : found;
}

ContextState primary;
thread_local std::vector<Context> context_stack;  // the last one counts

Result check(Device device) { return device == 0 ? kSuccess : kInvalidDevice; }

void make_current(Context context) {
  if (context_stack.empty()) context_stack.push_back(nullptr);
  context_stack.back() = context;
}

Result make_context(Context* context, unsigned flags, Device device) {
  if (context == nullptr) return kInvalidValue;
  if (const Result result = check(device); result != kSuccess) return result;
  *context = new ContextState{flags, 1};  // handles outlive their contexts
  context_stack.push_back(*context);
  return kSuccess;
}

void write_text(char* to, int room, const char* text) {
  if (to == nullptr || room <= 0) return;
  std::strncpy(to, text, static_cast<std::size_t>(room) - 1);
  to[room - 1] = 0;
}

// As the driver lays it out.
struct Properties {
  int threads_per_block, block[3], grid[3], shared_per_block, constant, warp, pitch, registers, clock, alignment;
};

}  // namespace

void use_device_api() {}

void current_context(Context* context) { *context = context_stack.empty() ? nullptr : context_stack.back(); }

Result result_of(cudaError_t error) {
  switch (error) {
    case cudaErrorInvalidConfiguration:
    case cudaErrorInvalidPitchValue:
    case cudaErrorInvalidMemcpyDirection:
    case cudaErrorInvalidHostPointer:
    case cudaErrorInvalidDevicePointer:
      return kInvalidValue;
    case cudaErrorInvalidSymbol:
      return kNotFound;
    case cudaErrorInvalidDeviceFunction:
      return kInvalidHandle;
    default:
      return static_cast<Result>(error);
  }
}

extern "C" {

Result cuInit(unsigned flags) { return flags == 0 ? kSuccess : kInvalidValue; }
Result cuDriverGetVersion(int* version) {
  if (version == nullptr) return kInvalidValue;
  *version = kDriverVersion;
  return kSuccess;
}
Result cuGetErrorName(Result result, const char** text) {
  const ResultName* found = result_name(result);
  *text = found == nullptr ? nullptr : found->name;
  return found == nullptr ? kInvalidValue : kSuccess;
}
Result cuGetErrorString(Result result, const char** text) {
  const ResultName* found = result_name(result);
  *text = found == nullptr ? nullptr : found->text;
  return found == nullptr ? kInvalidValue : kSuccess;
}

Result cuDeviceGet(Device* device, int ordinal) {
  if (device == nullptr) return kInvalidValue;
  *device = ordinal;
  return check(ordinal);
}
Result cuDeviceGetCount(int* count) {
  if (count == nullptr) return kInvalidValue;
  *count = 1;
  return kSuccess;
}
Result cuDeviceGetName(char* name, int room, Device device) {
  write_text(name, room, "weakspot");
  return check(device);
}
Result cuDeviceGetUuid(char* uuid, Device device) {
  std::memcpy(uuid, "weakspot-device-", 16);
  return check(device);
}
Result cuDeviceGetUuid_v2(char* uuid, Device device) { return cuDeviceGetUuid(uuid, device); }
Result cuDeviceTotalMem_v2(std::size_t* bytes, Device device) {
  *bytes = 16 * kGibibyte;
  return check(device);
}
Result cuDeviceGetAttribute(int* value, int attribute, Device device) {
  if (value == nullptr) return kInvalidValue;
  if (const Result result = check(device); result != kSuccess) return result;
  return result_of(cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(attribute), device));
}
Result cuDeviceComputeCapability(int* major, int* minor, Device device) {
  *major = host_device->architecture() / 10;
  *minor = host_device->architecture() % 10;
  return check(device);
}
Result cuDeviceGetProperties(Properties* properties, Device device) {
  *properties = {
      1024, {1024, 1024, 64}, {0x7fffffff, 65535, 65535}, 48 * 1024, 64 * 1024, 32, 0x7fffffff, 65536, 1000000, 512};
  return check(device);
}
Result cuDeviceGetPCIBusId(char* id, int room, Device device) {
  return result_of(cudaDeviceGetPCIBusId(id, room, device));
}
Result cuDeviceGetByPCIBusId(Device* device, const char*) {
  *device = 0;
  return kSuccess;
}
Result cuDeviceCanAccessPeer(int* can, Device, Device) {
  *can = 0;
  return kSuccess;
}
Result cuDeviceGetExecAffinitySupport(int* supported, int, Device) {
  *supported = 0;
  return kSuccess;
}

Result cuDevicePrimaryCtxRetain(Context* context, Device device) {
  if (context == nullptr) return kInvalidValue;
  ++primary.retained;
  *context = &primary;
  return check(device);
}
Result cuDevicePrimaryCtxRelease_v2(Device device) {
  if (primary.retained > 0) --primary.retained;
  return check(device);
}
Result cuDevicePrimaryCtxReset_v2(Device device) {
  primary = {};
  return check(device);
}
Result cuDevicePrimaryCtxSetFlags_v2(Device device, unsigned flags) {
  primary.flags = flags;
  return check(device);
}
Result cuDevicePrimaryCtxGetState(Device device, unsigned* flags, int* active) {
  *flags = primary.flags;
  *active = primary.retained > 0 ? 1 : 0;
  return check(device);
}

Result cuCtxCreate_v2(Context* context, unsigned flags, Device device) { return make_context(context, flags, device); }
Result cuCtxCreate_v3(Context* context, const void*, int, unsigned flags, Device device) {
  return make_context(context, flags, device);
}
Result cuCtxCreate_v4(Context* context, const void*, unsigned flags, Device device) {
  return make_context(context, flags, device);
}
Result cuCtxDestroy_v2(Context context) {
  if (context == nullptr) return kInvalidContext;
  if (!context_stack.empty() && context_stack.back() == context) context_stack.pop_back();
  return kSuccess;
}
Result cuCtxPushCurrent_v2(Context context) {
  if (context == nullptr) return kInvalidContext;
  context_stack.push_back(context);
  return kSuccess;
}
Result cuCtxPopCurrent_v2(Context* context) {
  if (context_stack.empty() || context_stack.back() == nullptr) return kInvalidContext;
  if (context != nullptr) *context = context_stack.back();
  context_stack.pop_back();
  return kSuccess;
}
Result cuCtxSetCurrent(Context context) {
  make_current(context);
  return kSuccess;
}
Result cuCtxGetCurrent(Context* context) {
  if (context == nullptr) return kInvalidValue;
  current_context(context);
  return kSuccess;
}
Result cuCtxGetDevice(Device* device) {
  if (device == nullptr) return kInvalidValue;
  *device = 0;
  Context context = nullptr;
  current_context(&context);
  return context == nullptr ? kInvalidContext : kSuccess;
}
Result cuCtxGetDevice_v2(Device* device, Context) {
  *device = 0;
  return kSuccess;
}
Result cuCtxGetFlags(unsigned* flags) {
  Context context = nullptr;
  current_context(&context);
  *flags = context == nullptr ? 0 : context->flags;
  return kSuccess;
}
Result cuCtxSetFlags(unsigned) { return kSuccess; }
Result cuCtxGetId(Context context, unsigned long long* id) {
  if (context == nullptr) current_context(&context);
  *id = address_of(context);
  return kSuccess;
}
Result cuCtxGetApiVersion(Context, unsigned* version) {
  *version = 3020;
  return kSuccess;
}
Result cuCtxSynchronize() { return result_of(cudaDeviceSynchronize()); }
Result cuCtxSynchronize_v2(Context) { return cuCtxSynchronize(); }
Result cuCtxSetLimit(int, std::size_t) { return kSuccess; }
Result cuCtxGetLimit(std::size_t* value, int) {
  *value = 8 << 20;
  return kSuccess;
}
Result cuCtxGetCacheConfig(int* config) {
  *config = 0;
  return kSuccess;
}
Result cuCtxSetCacheConfig(int) { return kSuccess; }
Result cuCtxGetSharedMemConfig(int* config) {
  *config = 1;
  return kSuccess;
}
Result cuCtxSetSharedMemConfig(int) { return kSuccess; }
Result cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  if (least != nullptr) *least = 0;
  if (greatest != nullptr) *greatest = 0;
  return kSuccess;
}
Result cuCtxResetPersistingL2Cache() { return kSuccess; }
Result cuProfilerStart() { return kSuccess; }
Result cuProfilerStop() { return kSuccess; }

}  // extern "C"

}  // namespace weakspot::race_jit::driver
