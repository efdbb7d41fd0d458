// SPDX-License-Identifier: MIT
// The rest of the CUDA runtime's host side that programs call: graphs, occupancy, and functions that are only known by name.
#pragma once

#include "graphs.h"
#include "runtime_types.h"

// The two attributes of a launch that change what it does here.
enum cudaLaunchAttributeID {
  cudaLaunchAttributeIgnore = 0,
  cudaLaunchAttributeAccessPolicyWindow = 1,
  cudaLaunchAttributeCooperative = 2,
  cudaLaunchAttributeSynchronizationPolicy = 3,
  cudaLaunchAttributeClusterDimension = 4,
  cudaLaunchAttributeClusterSchedulingPolicyPreference = 5,
  cudaLaunchAttributeProgrammaticStreamSerialization = 6,
  cudaLaunchAttributeProgrammaticEvent = 7,
  cudaLaunchAttributePriority = 8
};
union cudaLaunchAttributeValue {
  char pad[64];
  int cooperative;
  struct {
    unsigned int x, y, z;
  } clusterDim;
  int programmaticStreamSerializationAllowed;
  int priority;
  cudaAccessPolicyWindow accessPolicyWindow;
  cudaSynchronizationPolicy syncPolicy;
  cudaClusterSchedulingPolicy clusterSchedulingPolicyPreference;
  struct {
    cudaEvent_t event;
    int flags, triggerAtBlockStart;
  } programmaticEvent;
};
typedef cudaLaunchAttributeID cudaStreamAttrID, cudaKernelNodeAttrID;
typedef cudaLaunchAttributeValue cudaStreamAttrValue, cudaKernelNodeAttrValue;
#define cudaStreamAttributeAccessPolicyWindow cudaLaunchAttributeAccessPolicyWindow
#define cudaStreamAttributeSynchronizationPolicy cudaLaunchAttributeSynchronizationPolicy
#define cudaStreamAttributePriority cudaLaunchAttributePriority
struct cudaLaunchAttribute {
  cudaLaunchAttributeID id;
  char pad[8 - sizeof(cudaLaunchAttributeID)];
  cudaLaunchAttributeValue val;
};
struct cudaLaunchConfig_t {
  dim3 gridDim, blockDim;
  size_t dynamicSmemBytes;
  cudaStream_t stream;
  cudaLaunchAttribute* attrs;
  unsigned int numAttrs;
};

extern "C" {

cudaError_t __wsLaunchKernelEx(const void* kernel, dim3 grid, dim3 block, dim3 cluster, void** arguments, size_t shared,
                               cudaStream_t stream, int cooperative);

cudaError_t cudaHostGetFlags(unsigned int* flags, void* host);
cudaError_t cudaMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream = 0);
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags);
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority);
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, size_t size = 0, unsigned int flags = 4);
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream = 0, unsigned int flags = 0);
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* properties);
cudaError_t cudaGetDeviceFlags(unsigned int* flags);
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config);
cudaError_t cudaDeviceDisablePeerAccess(int peer);
cudaError_t cudaDeviceGetPCIBusId(char* id, int length, int device);
cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int device, int peer);
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID attribute, const cudaStreamAttrValue* value);
cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID attribute, cudaStreamAttrValue* value);
cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from);
cudaError_t cudaCtxResetPersistingL2Cache(void);
void __wsDependentLaunch();
void __wsProgrammaticLaunch(const void* kernel);
cudaError_t __wsNotModelled(const char* what, const char* file, int line);
}

inline cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel, void** arguments) {
  if (config == nullptr) return cudaErrorInvalidValue;
  dim3 cluster(1, 1, 1);
  int cooperative = 0;
  for (unsigned int i = 0; i < config->numAttrs; ++i) {
    const cudaLaunchAttribute& attribute = config->attrs[i];
    if (attribute.id == cudaLaunchAttributeCooperative) cooperative = attribute.val.cooperative;
    if (attribute.id == cudaLaunchAttributeProgrammaticStreamSerialization &&
        attribute.val.programmaticStreamSerializationAllowed != 0) {
      __wsDependentLaunch();
    }
    if (attribute.id == cudaLaunchAttributeProgrammaticEvent) __wsProgrammaticLaunch(kernel);
    if (attribute.id != cudaLaunchAttributeClusterDimension) continue;
    cluster = dim3(attribute.val.clusterDim.x, attribute.val.clusterDim.y, attribute.val.clusterDim.z);
  }
  return __wsLaunchKernelEx(kernel, config->gridDim, config->blockDim, cluster, arguments, config->dynamicSmemBytes,
                            config->stream, cooperative);
}
template <typename... Parameters, typename... Arguments>
inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...),
                                      Arguments&&... arguments) {
  auto launch = [&](Parameters... values) {
    void* pointers[] = {(void*)&values..., nullptr};
    return cudaLaunchKernelExC(config, (const void*)kernel, pointers);
  };
  return launch((Arguments&&)arguments...);
}
template <typename F> inline cudaError_t cudaOccupancyMaxPotentialClusterSize(int* blocks, F*, const cudaLaunchConfig_t*) {
  *blocks = 8;
  return cudaSuccess;
}
template <typename F>
inline cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, F*, const cudaLaunchConfig_t*) {
  *clusters = 8;
  return cudaSuccess;
}
template <typename F>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, F, int threads, size_t,
                                                                          unsigned int) {
  *blocks = threads > 0 && threads <= 1024 ? 2048 / threads : 0;
  return cudaSuccess;
}
template <typename F, typename S>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* grid, int* block, F, S, int limit = 0) {
  *block = limit > 0 && limit < 256 ? limit : 256;
  *grid = 8;
  return cudaSuccess;
}
template <typename F>
inline cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* size, F, int, int) {
  *size = 48 * 1024;
  return cudaSuccess;
}

// CUDA 13 names places instead of devices.
inline cudaError_t cudaMemAdvise(const void* memory, size_t size, cudaMemoryAdvise advice, cudaMemLocation at) {
  return cudaMemAdvise(memory, size, advice, at.id);
}
inline cudaError_t cudaMemPrefetchAsync(const void* memory, size_t size, cudaMemLocation to, unsigned int,
                                        cudaStream_t stream = 0) {
  return cudaMemPrefetchAsync(memory, size, to.id, stream);
}

// There is one pool of memory, which grows as it must.
inline cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int) {
  *pool = (cudaMemPool_t)1;
  return cudaSuccess;
}
inline cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return cudaDeviceGetDefaultMemPool(pool, device);
}
inline cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps*) {
  return cudaDeviceGetDefaultMemPool(pool, 0);
}
inline cudaError_t cudaDeviceSetMemPool(int, cudaMemPool_t) { return cudaSuccess; }
inline cudaError_t cudaMemPoolDestroy(cudaMemPool_t) { return cudaSuccess; }
inline cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, size_t) { return cudaSuccess; }
inline cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void*) { return cudaSuccess; }
inline cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t, cudaMemPoolAttr, void* value) {
  *(unsigned long long*)value = 0;
  return cudaSuccess;
}
inline cudaError_t cudaMemPoolSetAccess(cudaMemPool_t, const cudaMemAccessDesc*, size_t) { return cudaSuccess; }
inline cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t, cudaMemLocation*) {
  *flags = cudaMemAccessFlagsProtReadWrite;
  return cudaSuccess;
}
inline cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t size, cudaMemPool_t, cudaStream_t stream) {
  return __wsMallocAsync(pointer, size, stream);
}

// Calls of these report their place, and fail.
#define __WS_NOT_MODELLED(name) __wsNotModelled(name, __FILE__, __LINE__)
#define cudaGraphMemAllocNodeGetParams(...) __WS_NOT_MODELLED("cudaGraphMemAllocNodeGetParams")
#define cudaGraphKernelNodeGetParams(...) __WS_NOT_MODELLED("cudaGraphKernelNodeGetParams")
#define cudaMallocMipmappedArray(...) __WS_NOT_MODELLED("cudaMallocMipmappedArray")
#define cudaGetMipmappedArrayLevel(...) __WS_NOT_MODELLED("cudaGetMipmappedArrayLevel")
#define cudaIpcGetMemHandle(...) __WS_NOT_MODELLED("cudaIpcGetMemHandle")
#define cudaIpcOpenMemHandle(...) __WS_NOT_MODELLED("cudaIpcOpenMemHandle")
#define cudaLaunchCooperativeKernelMultiDevice(...) __WS_NOT_MODELLED("cudaLaunchCooperativeKernelMultiDevice")
#define cudaGraphicsGLRegisterBuffer(...) __WS_NOT_MODELLED("cudaGraphicsGLRegisterBuffer")
#define cudaGraphicsMapResources(...) __WS_NOT_MODELLED("cudaGraphicsMapResources")
#define cudaGraphicsUnmapResources(...) __WS_NOT_MODELLED("cudaGraphicsUnmapResources")
#define cudaGraphicsResourceGetMappedPointer(...) __WS_NOT_MODELLED("cudaGraphicsResourceGetMappedPointer")
#define cudaImportExternalMemory(...) __WS_NOT_MODELLED("cudaImportExternalMemory")
