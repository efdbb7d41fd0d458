// SPDX-License-Identifier: MIT
// The stand-in CUDA runtime: devices, streams, events, errors.
#include <cstring>
#include <map>

#include "race_jit/host/host_api.h"
#include "race_jit/host/host_device.h"

namespace weakspot::race_jit {
namespace {

constexpr int kVersion = 12050;
constexpr int kProcessors = 8;
constexpr int kCache = 4 << 20;

// The part of the cache that can be set aside, which began with sm_80.
int persisting_cache() { return host_device->architecture() >= 80 ? kCache / 4 * 3 : 0; }

struct ErrorName {
  cudaError_t error;
  const char* name;
  const char* text;
};

constexpr ErrorName kErrors[] = {
    {cudaSuccess, "cudaSuccess", "no error"},
    {cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    {cudaErrorInitializationError, "cudaErrorInitializationError", "initialization error"},
    {cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    {cudaErrorInvalidPitchValue, "cudaErrorInvalidPitchValue", "invalid pitch argument"},
    {cudaErrorInvalidSymbol, "cudaErrorInvalidSymbol", "invalid device symbol"},
    {cudaErrorInvalidDevicePointer, "cudaErrorInvalidDevicePointer", "invalid device pointer"},
    {cudaErrorInvalidDeviceFunction, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {cudaErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {cudaErrorNotReady, "cudaErrorNotReady", "device not ready"},
    {cudaErrorIllegalAddress, "cudaErrorIllegalAddress", "an illegal memory access was encountered"},
    {cudaErrorAssert, "cudaErrorAssert", "device-side assert triggered"},
    {cudaErrorHostMemoryAlreadyRegistered, "cudaErrorHostMemoryAlreadyRegistered",
     "part or all of the requested memory range is already mapped"},
    {cudaErrorHostMemoryNotRegistered, "cudaErrorHostMemoryNotRegistered",
     "pointer does not correspond to a registered memory region"},
    {cudaErrorStreamCaptureUnsupported, "cudaErrorStreamCaptureUnsupported",
     "operation not permitted when stream is capturing"},
    {cudaErrorLaunchFailure, "cudaErrorLaunchFailure", "unspecified launch failure"},
    {cudaErrorNotSupported, "cudaErrorNotSupported", "operation not supported"},
};

const ErrorName& error_name(cudaError_t error) {
  static constexpr ErrorName kUnknown = {cudaErrorUnknown, "cudaErrorUnknown", "unknown error"};
  for (const ErrorName& known : kErrors) {
    if (known.error == error) return known;
  }
  return kUnknown;
}

EventId event_id(const void* event) { return reinterpret_cast<EventId>(event); }

bool known(const void* stream, const void* event) {
  StreamOrder& streams = host_device->streams();
  return streams.has_stream(stream_id(stream)) && streams.has_event(event_id(event));
}

cudaError_t check_device(int device) { return device == 0 ? cudaSuccess : host_device->fail(cudaErrorInvalidDevice); }

}  // namespace

void use_host_device_api() {}

extern "C" {

cudaError_t cudaDeviceSynchronize() {
  host_device->streams().host_waits_for_all();
  return host_device->waited();
}
cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
cudaError_t cudaDeviceReset() { return cudaDeviceSynchronize(); }
cudaError_t cudaThreadExit() { return cudaDeviceSynchronize(); }
cudaError_t cudaSetDevice(int device) { return check_device(device); }
cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  if (cudaError_t error = check_device(device); error != cudaSuccess) return error;
  *properties = {};
  std::strncpy(properties->name, "weakspot", sizeof properties->name - 1);
  properties->totalGlobalMem = std::size_t{16} << 30;
  properties->sharedMemPerBlock = 48 * 1024;
  properties->sharedMemPerMultiprocessor = properties->sharedMemPerBlockOptin = 228 * 1024;
  properties->totalConstMem = 64 * 1024;
  properties->memPitch = 0x7fffffff;
  properties->textureAlignment = 512;
  properties->regsPerBlock = properties->regsPerMultiprocessor = 65536;
  properties->warpSize = 32;
  properties->maxThreadsPerBlock = properties->maxThreadsDim[0] = properties->maxThreadsDim[1] = 1024;
  properties->maxThreadsDim[2] = 64;
  properties->maxGridSize[0] = 0x7fffffff;
  properties->maxGridSize[1] = properties->maxGridSize[2] = 65535;
  properties->clockRate = properties->memoryClockRate = 1000000;
  properties->major = host_device->architecture() / 10;
  properties->minor = host_device->architecture() % 10;
  properties->multiProcessorCount = kProcessors;
  properties->maxThreadsPerMultiProcessor = 2048;
  properties->maxBlocksPerMultiProcessor = 32;
  properties->concurrentKernels = properties->cooperativeLaunch = properties->managedMemory = 1;
  properties->concurrentManagedAccess = properties->unifiedAddressing = properties->canMapHostMemory = 1;
  properties->memoryBusWidth = 256;
  properties->l2CacheSize = kCache;
  properties->persistingL2CacheMaxSize = properties->accessPolicyMaxWindowSize = persisting_cache();
  properties->asyncEngineCount = properties->deviceOverlap = 1;
  properties->streamPrioritiesSupported = properties->globalL1CacheSupported = properties->localL1CacheSupported = 1;
  properties->hostRegisterSupported = properties->computePreemptionSupported = properties->memoryPoolsSupported = 1;
  properties->clusterLaunch = host_device->has_clusters() ? 1 : 0;
  properties->singleToDoublePrecisionPerfRatio = 2;
  properties->surfaceAlignment = properties->texturePitchAlignment = 512;
  properties->reservedSharedMemPerBlock = 1024;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  if (cudaError_t error = check_device(device); error != cudaSuccess) return error;
  static const std::map<cudaDeviceAttr, int> kValues = {{cudaDevAttrMaxThreadsPerBlock, 1024},
                                                        {cudaDevAttrMaxBlockDimX, 1024},
                                                        {cudaDevAttrMaxBlockDimY, 1024},
                                                        {cudaDevAttrMaxBlockDimZ, 64},
                                                        {cudaDevAttrMaxGridDimX, 0x7fffffff},
                                                        {cudaDevAttrMaxGridDimY, 65535},
                                                        {cudaDevAttrMaxGridDimZ, 65535},
                                                        {cudaDevAttrMaxSharedMemoryPerBlock, 48 * 1024},
                                                        {cudaDevAttrMaxSharedMemoryPerBlockOptin, 227 * 1024},
                                                        {cudaDevAttrMaxSharedMemoryPerMultiprocessor, 228 * 1024},
                                                        {cudaDevAttrReservedSharedMemoryPerBlock, 1024},
                                                        {cudaDevAttrTotalConstantMemory, 64 * 1024},
                                                        {cudaDevAttrMaxRegistersPerBlock, 65536},
                                                        {cudaDevAttrMaxRegistersPerMultiprocessor, 65536},
                                                        {cudaDevAttrMaxPitch, 0x7fffffff},
                                                        {cudaDevAttrTextureAlignment, 512},
                                                        {cudaDevAttrWarpSize, 32},
                                                        {cudaDevAttrClockRate, 1000000},
                                                        {cudaDevAttrMemoryClockRate, 1000000},
                                                        {cudaDevAttrGlobalMemoryBusWidth, 256},
                                                        {cudaDevAttrL2CacheSize, kCache},
                                                        {cudaDevAttrMultiProcessorCount, kProcessors},
                                                        {cudaDevAttrMaxThreadsPerMultiProcessor, 2048},
                                                        {cudaDevAttrMaxBlocksPerMultiprocessor, 32},
                                                        {cudaDevAttrAsyncEngineCount, 1},
                                                        {cudaDevAttrConcurrentKernels, 1},
                                                        {cudaDevAttrCanMapHostMemory, 1},
                                                        {cudaDevAttrUnifiedAddressing, 1},
                                                        {cudaDevAttrStreamPrioritiesSupported, 1},
                                                        {cudaDevAttrManagedMemory, 1},
                                                        {cudaDevAttrConcurrentManagedAccess, 1},
                                                        {cudaDevAttrCooperativeLaunch, 1},
                                                        {cudaDevAttrMemoryPoolsSupported, 1}};
  const auto found = kValues.find(attribute);
  *value = attribute == cudaDevAttrComputeCapabilityMajor   ? host_device->architecture() / 10
           : attribute == cudaDevAttrComputeCapabilityMinor ? host_device->architecture() % 10
           : attribute == cudaDevAttrMaxPersistingL2CacheSize || attribute == cudaDevAttrMaxAccessPolicyWindowSize
               ? persisting_cache()
           : attribute == cudaDevAttrClusterLaunch ? (host_device->has_clusters() ? 1 : 0)
           : found == kValues.end()                ? 0
                                                   : found->second;
  return cudaSuccess;
}
cudaError_t cudaDeviceSetLimit(cudaLimit, std::size_t) { return cudaSuccess; }
cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit) {
  *value = 8 << 20;
  return cudaSuccess;
}
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
cudaError_t cudaDeviceSetSharedMemConfig(int) { return cudaSuccess; }
cudaError_t cudaSetDeviceFlags(unsigned) { return cudaSuccess; }
cudaError_t cudaDeviceCanAccessPeer(int* can, int, int) {
  *can = 0;
  return cudaSuccess;
}
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) { return host_device->fail(cudaErrorInvalidDevice); }
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  *least = *greatest = 0;
  return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* version) {
  *version = kVersion;
  return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) { return cudaDriverGetVersion(version); }
cudaError_t cudaProfilerStart() { return cudaSuccess; }
cudaError_t cudaProfilerStop() { return cudaSuccess; }

cudaError_t cudaGetLastError() {
  const cudaError_t error = host_device->last_error();
  host_device->clear_error();
  return error;
}
cudaError_t cudaPeekAtLastError() { return host_device->last_error(); }
const char* cudaGetErrorString(cudaError_t error) { return error_name(error).text; }
const char* cudaGetErrorName(cudaError_t error) { return error_name(error).name; }

cudaError_t cudaStreamCreateWithFlags(void** stream, unsigned flags) {
  *stream = reinterpret_cast<void*>(host_device->streams().create_stream((flags & cudaStreamNonBlocking) == 0));
  return cudaSuccess;
}
cudaError_t cudaStreamCreate(void** stream) { return cudaStreamCreateWithFlags(stream, 0); }
cudaError_t cudaStreamCreateWithPriority(void** stream, unsigned flags, int) {
  return cudaStreamCreateWithFlags(stream, flags);
}
cudaError_t cudaStreamDestroy(void* stream) {
  if (!host_device->streams().has_stream(stream_id(stream))) return host_device->fail(cudaErrorInvalidResourceHandle);
  host_device->streams().destroy_stream(stream_id(stream));
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(void* stream) {
  if (!host_device->streams().has_stream(stream_id(stream))) return host_device->fail(cudaErrorInvalidResourceHandle);
  host_device->streams().host_waits_for_stream(stream_id(stream));
  return host_device->waited();
}
// Whoever sees that work is over may rely on it.
cudaError_t cudaStreamQuery(void* stream) { return cudaStreamSynchronize(stream); }
cudaError_t cudaStreamWaitEvent(void* stream, void* event, unsigned) {
  if (!known(stream, event)) return host_device->fail(cudaErrorInvalidResourceHandle);
  host_device->streams().stream_waits(stream_id(stream), event_id(event));
  return cudaSuccess;
}
cudaError_t cudaLaunchHostFunc(void*, void (*function)(void*), void* argument) {
  const HostGraphs::Work call = [=](void*) {
    function(argument);
    return cudaSuccess;
  };
  if (!host_device->graphs().is_capturing()) return call(nullptr);
  host_device->graphs().add(cudaGraphNodeTypeHost, call);
  return cudaSuccess;
}
cudaError_t cudaStreamAddCallback(void* stream, void (*function)(void*, cudaError_t, void*), void* argument, unsigned) {
  function(stream, cudaSuccess, argument);
  return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(void** event, unsigned) {
  *event = reinterpret_cast<void*>(host_device->streams().create_event());
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(void* event) {
  if (!known(nullptr, event)) return host_device->fail(cudaErrorInvalidResourceHandle);
  host_device->streams().destroy_event(event_id(event));
  return cudaSuccess;
}
cudaError_t cudaEventRecord(void* event, void* stream) {
  if (!known(stream, event)) return host_device->fail(cudaErrorInvalidResourceHandle);
  host_device->streams().record(event_id(event), stream_id(stream));
  return cudaSuccess;
}
cudaError_t cudaEventSynchronize(void* event) {
  if (!known(nullptr, event)) return host_device->fail(cudaErrorInvalidResourceHandle);
  host_device->streams().host_waits_for_event(event_id(event));
  return host_device->waited();
}
cudaError_t cudaEventQuery(void* event) { return cudaEventSynchronize(event); }
// Time does not pass on this device, and the same run prints the same.
cudaError_t cudaEventElapsedTime(float* milliseconds, void* start, void* end) {
  if (!known(nullptr, start) || !known(nullptr, end)) return host_device->fail(cudaErrorInvalidResourceHandle);
  *milliseconds = 1.0f;
  return cudaSuccess;
}

}  // extern "C"

}  // namespace weakspot::race_jit
