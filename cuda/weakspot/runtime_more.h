// The rest of the CUDA runtime's host side that programs call: graphs, occupancy, and what is known by name only.
#pragma once

#include "runtime_types.h"

typedef struct CUgraph_st* cudaGraph_t;
typedef struct CUgraphExec_st* cudaGraphExec_t;
typedef struct CUgraphNode_st* cudaGraphNode_t;
enum cudaStreamCaptureMode { cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeRelaxed };
enum cudaStreamCaptureStatus { cudaStreamCaptureStatusNone, cudaStreamCaptureStatusActive,
                               cudaStreamCaptureStatusInvalidated };

extern "C" {
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph);
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status);
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* made, cudaGraph_t graph, unsigned long long flags = 0);
cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream);
cudaError_t cudaGraphUpload(cudaGraphExec_t graph, cudaStream_t stream);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph);

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
cudaError_t __wsNotModelled(const char* what, const char* file, int line);
}

inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t* made, cudaGraph_t graph, unsigned long long flags = 0) {
  return cudaGraphInstantiateWithFlags(made, graph, flags);
}
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t* made, cudaGraph_t graph, cudaGraphNode_t*, char*, size_t) {
  return cudaGraphInstantiateWithFlags(made, graph, 0);
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

// Calls of these say where they stand, and fail.
#define __WS_NOT_MODELLED(name) __wsNotModelled(name, __FILE__, __LINE__)
#define cudaGraphCreate(...) __WS_NOT_MODELLED("cudaGraphCreate")
#define cudaGraphAddKernelNode(...) __WS_NOT_MODELLED("cudaGraphAddKernelNode")
#define cudaGraphAddMemcpyNode(...) __WS_NOT_MODELLED("cudaGraphAddMemcpyNode")
#define cudaGraphAddMemcpyNode1D(...) __WS_NOT_MODELLED("cudaGraphAddMemcpyNode1D")
#define cudaGraphAddMemsetNode(...) __WS_NOT_MODELLED("cudaGraphAddMemsetNode")
#define cudaGraphAddHostNode(...) __WS_NOT_MODELLED("cudaGraphAddHostNode")
#define cudaGraphAddDependencies(...) __WS_NOT_MODELLED("cudaGraphAddDependencies")
#define cudaGraphGetNodes(...) __WS_NOT_MODELLED("cudaGraphGetNodes")
#define cudaGraphExecUpdate(...) __WS_NOT_MODELLED("cudaGraphExecUpdate")
#define cudaGraphExecKernelNodeSetParams(...) __WS_NOT_MODELLED("cudaGraphExecKernelNodeSetParams")
#define cudaMallocMipmappedArray(...) __WS_NOT_MODELLED("cudaMallocMipmappedArray")
#define cudaGetMipmappedArrayLevel(...) __WS_NOT_MODELLED("cudaGetMipmappedArrayLevel")
#define cudaIpcGetMemHandle(...) __WS_NOT_MODELLED("cudaIpcGetMemHandle")
#define cudaIpcOpenMemHandle(...) __WS_NOT_MODELLED("cudaIpcOpenMemHandle")
#define cudaMemPoolCreate(...) __WS_NOT_MODELLED("cudaMemPoolCreate")
#define cudaMallocFromPoolAsync(...) __WS_NOT_MODELLED("cudaMallocFromPoolAsync")
#define cudaDeviceGetDefaultMemPool(...) __WS_NOT_MODELLED("cudaDeviceGetDefaultMemPool")
#define cudaLaunchKernelEx(...) __WS_NOT_MODELLED("cudaLaunchKernelEx")
#define cudaLaunchKernelExC(...) __WS_NOT_MODELLED("cudaLaunchKernelExC")
#define cudaLaunchCooperativeKernelMultiDevice(...) __WS_NOT_MODELLED("cudaLaunchCooperativeKernelMultiDevice")
#define cudaGraphicsGLRegisterBuffer(...) __WS_NOT_MODELLED("cudaGraphicsGLRegisterBuffer")
#define cudaGraphicsMapResources(...) __WS_NOT_MODELLED("cudaGraphicsMapResources")
#define cudaGraphicsUnmapResources(...) __WS_NOT_MODELLED("cudaGraphicsUnmapResources")
#define cudaGraphicsResourceGetMappedPointer(...) __WS_NOT_MODELLED("cudaGraphicsResourceGetMappedPointer")
#define cudaImportExternalMemory(...) __WS_NOT_MODELLED("cudaImportExternalMemory")
