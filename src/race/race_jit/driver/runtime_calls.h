// SPDX-License-Identifier: MIT
// Functions of the stand-in runtime (host/host_api*.cpp) that the driver's interface hands its calls on to.
#pragma once

#include <weakspot/graph_types.h>

#include <cstddef>

namespace weakspot::race_jit {

extern "C" {

cudaError_t cudaMalloc(void** pointer, std::size_t size);
cudaError_t cudaMallocManaged(void** pointer, std::size_t size, unsigned flags);
cudaError_t cudaMallocHost(void** pointer, std::size_t size);
cudaError_t cudaHostAlloc(void** pointer, std::size_t size, unsigned flags);
cudaError_t cudaMallocAsync(void** pointer, std::size_t size, void* stream);
cudaError_t cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width, std::size_t height);
cudaError_t cudaFree(void* pointer);
cudaError_t cudaFreeHost(void* pointer);
cudaError_t cudaFreeAsync(void* pointer, void* stream);
cudaError_t cudaHostRegister(void* pointer, std::size_t size, unsigned flags);
cudaError_t cudaHostUnregister(void* pointer);
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned flags);
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total);
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t size, cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t size, cudaMemcpyKind kind, void* stream);
cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                         std::size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                              std::size_t width, std::size_t height, cudaMemcpyKind kind, void* stream);

cudaError_t cudaDeviceSynchronize();
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device);
cudaError_t cudaDeviceGetPCIBusId(char* id, int length, int device);

cudaError_t cudaStreamCreateWithFlags(void** stream, unsigned flags);
cudaError_t cudaStreamDestroy(void* stream);
cudaError_t cudaStreamSynchronize(void* stream);
cudaError_t cudaStreamQuery(void* stream);
cudaError_t cudaStreamWaitEvent(void* stream, void* event, unsigned flags);
cudaError_t cudaLaunchHostFunc(void* stream, void (*function)(void*), void* argument);
cudaError_t cudaEventCreateWithFlags(void** event, unsigned flags);
cudaError_t cudaEventDestroy(void* event);
cudaError_t cudaEventRecord(void* event, void* stream);
cudaError_t cudaEventSynchronize(void* event);
cudaError_t cudaEventQuery(void* event);
cudaError_t cudaEventElapsedTime(float* milliseconds, void* start, void* end);

cudaError_t cudaStreamBeginCapture(void* stream, int mode);
cudaError_t cudaStreamEndCapture(void* stream, cudaGraph_t* graph);
cudaError_t cudaStreamIsCapturing(void* stream, int* status);
cudaError_t cudaStreamGetCaptureInfo_v2(void* stream, int* status, unsigned long long* id, cudaGraph_t* graph,
                                        const cudaGraphNode_t** last, std::size_t* count);
cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned flags);
cudaError_t cudaGraphClone(cudaGraph_t* made, cudaGraph_t graph);
cudaError_t cudaGraphDestroy(void* graph);
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                   std::size_t count, const cudaKernelNodeParams* launch);
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                     std::size_t count, void* to, const void* from, std::size_t size,
                                     cudaMemcpyKind kind);
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                   std::size_t count, const cudaMemsetParams* set);
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                 std::size_t count, const cudaHostNodeParams* call);
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                       std::size_t count, cudaGraph_t child);
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                  std::size_t count);
cudaError_t __wsGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                     std::size_t count);
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count);
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count);
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type);
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* launch);
cudaError_t cudaGraphInstantiateWithFlags(void** made, void* graph, unsigned long long flags);
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t graph, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* launch);
cudaError_t __wsGraphExecUpdate(cudaGraphExec_t graph, cudaGraph_t from, cudaGraphExecUpdateResult* result);
cudaError_t cudaGraphLaunch(void* graph, void* stream);
cudaError_t cudaGraphExecDestroy(void* graph);

void __wsDependentLaunch();
void __wsProgrammaticLaunch(const void* kernel);

}  // extern "C"

}  // namespace weakspot::race_jit
