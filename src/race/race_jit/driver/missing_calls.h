// SPDX-License-Identifier: MIT
// Functions of the driver's interface that are known by name only: a call fails, and the report names it.
#pragma once

// clang-format off
#define WEAKSPOT_MISSING_CALLS(X) \
  X(cuArray3DCreate) X(cuArray3DCreate_v2) X(cuArray3DGetDescriptor) X(cuArray3DGetDescriptor_v2) X(cuArrayCreate) \
  X(cuArrayCreate_v2) X(cuArrayDestroy) X(cuArrayGetDescriptor) X(cuArrayGetDescriptor_v2) \
  X(cuArrayGetMemoryRequirements) X(cuArrayGetPlane) X(cuArrayGetSparseProperties) \
  X(cuCheckpointProcessCheckpoint) X(cuCheckpointProcessGetRestoreThreadId) X(cuCheckpointProcessGetState) \
  X(cuCheckpointProcessLock) X(cuCheckpointProcessRestore) X(cuCheckpointProcessUnlock) X(cuCoredumpGetAttribute) \
  X(cuCoredumpGetAttributeGlobal) X(cuCoredumpSetAttribute) X(cuCoredumpSetAttributeGlobal) X(cuCtxAttach) \
  X(cuCtxCreate) X(cuCtxDestroy) X(cuCtxDetach) X(cuCtxDisablePeerAccess) X(cuCtxEnablePeerAccess) \
  X(cuCtxFromGreenCtx) X(cuCtxGetDevResource) X(cuCtxGetExecAffinity) X(cuCtxPopCurrent) X(cuCtxPushCurrent) \
  X(cuCtxRecordEvent) X(cuCtxWaitEvent) X(cuDestroyExternalMemory) X(cuDestroyExternalSemaphore) \
  X(cuDevResourceGenerateDesc) X(cuDevSmResourceSplitByCount) X(cuDeviceGetDevResource) \
  X(cuDeviceGetGraphMemAttribute) X(cuDeviceGetHostAtomicCapabilities) X(cuDeviceGetLuid) \
  X(cuDeviceGetNvSciSyncAttributes) X(cuDeviceGetP2PAtomicCapabilities) X(cuDeviceGetP2PAttribute) \
  X(cuDeviceGetTexture1DLinearMaxWidth) X(cuDeviceGraphMemTrim) X(cuDevicePrimaryCtxRelease) \
  X(cuDevicePrimaryCtxReset) X(cuDevicePrimaryCtxSetFlags) X(cuDeviceRegisterAsyncNotification) \
  X(cuDeviceSetGraphMemAttribute) X(cuDeviceTotalMem) X(cuDeviceUnregisterAsyncNotification) X(cuEventDestroy) \
  X(cuExternalMemoryGetMappedBuffer) X(cuExternalMemoryGetMappedMipmappedArray) X(cuFlushGPUDirectRDMAWrites) \
  X(cuFuncSetBlockShape) X(cuFuncSetSharedSize) X(cuGetExportTable) X(cuGraphAddBatchMemOpNode) \
  X(cuGraphAddEventRecordNode) X(cuGraphAddEventWaitNode) X(cuGraphAddExternalSemaphoresSignalNode) \
  X(cuGraphAddExternalSemaphoresWaitNode) X(cuGraphAddMemAllocNode) X(cuGraphAddMemFreeNode) X(cuGraphAddNode) \
  X(cuGraphAddNode_v2) X(cuGraphBatchMemOpNodeGetParams) X(cuGraphBatchMemOpNodeSetParams) \
  X(cuGraphChildGraphNodeGetGraph) X(cuGraphConditionalHandleCreate) X(cuGraphDebugDotPrint) X(cuGraphDestroyNode) \
  X(cuGraphEventRecordNodeGetEvent) X(cuGraphEventRecordNodeSetEvent) X(cuGraphEventWaitNodeGetEvent) \
  X(cuGraphEventWaitNodeSetEvent) X(cuGraphExecBatchMemOpNodeSetParams) X(cuGraphExecChildGraphNodeSetParams) \
  X(cuGraphExecEventRecordNodeSetEvent) X(cuGraphExecEventWaitNodeSetEvent) \
  X(cuGraphExecExternalSemaphoresSignalNodeSetParams) X(cuGraphExecExternalSemaphoresWaitNodeSetParams) \
  X(cuGraphExecGetFlags) X(cuGraphExecHostNodeSetParams) X(cuGraphExecKernelNodeSetParams) \
  X(cuGraphExecMemcpyNodeSetParams) X(cuGraphExecMemsetNodeSetParams) X(cuGraphExecNodeSetParams) \
  X(cuGraphExecUpdate) X(cuGraphExternalSemaphoresSignalNodeGetParams) \
  X(cuGraphExternalSemaphoresSignalNodeSetParams) X(cuGraphExternalSemaphoresWaitNodeGetParams) \
  X(cuGraphExternalSemaphoresWaitNodeSetParams) X(cuGraphGetEdges) X(cuGraphGetEdges_v2) \
  X(cuGraphHostNodeGetParams) X(cuGraphHostNodeSetParams) X(cuGraphInstantiate) X(cuGraphInstantiateWithParams) \
  X(cuGraphKernelNodeCopyAttributes) X(cuGraphKernelNodeGetAttribute) X(cuGraphKernelNodeGetParams) \
  X(cuGraphKernelNodeGetParams_v2) X(cuGraphKernelNodeSetAttribute) X(cuGraphKernelNodeSetParams) \
  X(cuGraphMemAllocNodeGetParams) X(cuGraphMemFreeNodeGetParams) X(cuGraphMemcpyNodeGetParams) \
  X(cuGraphMemcpyNodeSetParams) X(cuGraphMemsetNodeGetParams) X(cuGraphMemsetNodeSetParams) \
  X(cuGraphNodeFindInClone) X(cuGraphNodeGetDependencies) X(cuGraphNodeGetDependencies_v2) \
  X(cuGraphNodeGetDependentNodes) X(cuGraphNodeGetDependentNodes_v2) X(cuGraphNodeGetEnabled) \
  X(cuGraphNodeSetEnabled) X(cuGraphNodeSetParams) X(cuGraphReleaseUserObject) X(cuGraphRemoveDependencies) \
  X(cuGraphRemoveDependencies_v2) X(cuGraphRetainUserObject) X(cuGraphicsMapResources) \
  X(cuGraphicsResourceGetMappedMipmappedArray) X(cuGraphicsResourceGetMappedPointer) \
  X(cuGraphicsResourceGetMappedPointer_v2) X(cuGraphicsResourceSetMapFlags) X(cuGraphicsResourceSetMapFlags_v2) \
  X(cuGraphicsSubResourceGetMappedArray) X(cuGraphicsUnmapResources) X(cuGraphicsUnregisterResource) \
  X(cuGreenCtxCreate) X(cuGreenCtxDestroy) X(cuGreenCtxGetDevResource) X(cuGreenCtxGetId) X(cuGreenCtxRecordEvent) \
  X(cuGreenCtxStreamCreate) X(cuGreenCtxWaitEvent) X(cuImportExternalMemory) X(cuImportExternalSemaphore) \
  X(cuIpcCloseMemHandle) X(cuIpcGetEventHandle) X(cuIpcGetMemHandle) X(cuIpcOpenEventHandle) X(cuIpcOpenMemHandle) \
  X(cuIpcOpenMemHandle_v2) X(cuLaunch) X(cuLaunchCooperativeKernelMultiDevice) X(cuLaunchGrid) \
  X(cuLaunchGridAsync) X(cuLibraryGetUnifiedFunction) X(cuLinkAddData) X(cuLinkAddFile) X(cuLinkCreate) \
  X(cuLogsCurrent) X(cuLogsDumpToFile) X(cuLogsDumpToMemory) X(cuLogsRegisterCallback) X(cuLogsUnregisterCallback) \
  X(cuMemAddressFree) X(cuMemAddressReserve) X(cuMemAlloc) X(cuMemAllocHost) X(cuMemAllocPitch) \
  X(cuMemBatchDecompressAsync) X(cuMemCreate) X(cuMemDiscardAndPrefetchBatchAsync) X(cuMemDiscardBatchAsync) \
  X(cuMemExportToShareableHandle) X(cuMemFree) X(cuMemGetAccess) X(cuMemGetAddressRange) \
  X(cuMemGetAllocationGranularity) X(cuMemGetAllocationPropertiesFromHandle) X(cuMemGetDefaultMemPool) \
  X(cuMemGetHandleForAddressRange) X(cuMemGetInfo) X(cuMemGetMemPool) X(cuMemHostGetDevicePointer) \
  X(cuMemHostRegister) X(cuMemImportFromShareableHandle) X(cuMemMap) X(cuMemMapArrayAsync) \
  X(cuMemPoolExportPointer) X(cuMemPoolExportToShareableHandle) X(cuMemPoolGetAccess) \
  X(cuMemPoolImportFromShareableHandle) X(cuMemPoolImportPointer) X(cuMemPrefetchBatchAsync) \
  X(cuMemRangeGetAttribute) X(cuMemRangeGetAttributes) X(cuMemRelease) X(cuMemRetainAllocationHandle) \
  X(cuMemSetAccess) X(cuMemSetMemPool) X(cuMemUnmap) X(cuMemcpy2D) X(cuMemcpy2DAsync) X(cuMemcpy2DUnaligned) \
  X(cuMemcpy3D) X(cuMemcpy3DAsync) X(cuMemcpy3DBatchAsync) X(cuMemcpy3DBatchAsync_v2) X(cuMemcpy3DPeer) \
  X(cuMemcpy3DPeerAsync) X(cuMemcpyAtoA) X(cuMemcpyAtoA_v2) X(cuMemcpyAtoD) X(cuMemcpyAtoD_v2) X(cuMemcpyAtoH) \
  X(cuMemcpyAtoHAsync) X(cuMemcpyAtoHAsync_v2) X(cuMemcpyAtoH_v2) X(cuMemcpyBatchAsync) X(cuMemcpyBatchAsync_v2) \
  X(cuMemcpyDtoA) X(cuMemcpyDtoA_v2) X(cuMemcpyDtoD) X(cuMemcpyDtoDAsync) X(cuMemcpyDtoH) X(cuMemcpyDtoHAsync) \
  X(cuMemcpyHtoA) X(cuMemcpyHtoAAsync) X(cuMemcpyHtoAAsync_v2) X(cuMemcpyHtoA_v2) X(cuMemcpyHtoD) \
  X(cuMemcpyHtoDAsync) X(cuMemsetD16) X(cuMemsetD2D16) X(cuMemsetD2D16Async) X(cuMemsetD2D32) \
  X(cuMemsetD2D32Async) X(cuMemsetD2D8) X(cuMemsetD2D8Async) X(cuMemsetD32) X(cuMemsetD8) \
  X(cuMipmappedArrayCreate) X(cuMipmappedArrayDestroy) X(cuMipmappedArrayGetLevel) \
  X(cuMipmappedArrayGetMemoryRequirements) X(cuMipmappedArrayGetSparseProperties) X(cuModuleGetGlobal) \
  X(cuModuleGetSurfRef) X(cuModuleGetTexRef) X(cuMulticastAddDevice) X(cuMulticastBindAddr) X(cuMulticastBindMem) \
  X(cuMulticastCreate) X(cuMulticastGetGranularity) X(cuMulticastUnbind) X(cuParamSetSize) X(cuParamSetTexRef) \
  X(cuParamSetf) X(cuParamSeti) X(cuParamSetv) X(cuSignalExternalSemaphoresAsync) X(cuStreamBatchMemOp) \
  X(cuStreamBatchMemOp_v2) X(cuStreamBeginCapture) X(cuStreamBeginCaptureToGraph) X(cuStreamDestroy) \
  X(cuStreamGetCaptureInfo) X(cuStreamGetCtx_v2) X(cuStreamGetGreenCtx) X(cuStreamUpdateCaptureDependencies) \
  X(cuStreamUpdateCaptureDependencies_v2) X(cuStreamWaitValue32) X(cuStreamWaitValue32_v2) X(cuStreamWaitValue64) \
  X(cuStreamWaitValue64_v2) X(cuStreamWriteValue32) X(cuStreamWriteValue64) X(cuSurfObjectCreate) \
  X(cuSurfObjectDestroy) X(cuSurfObjectGetResourceDesc) X(cuSurfRefGetArray) X(cuSurfRefSetArray) \
  X(cuTensorMapEncodeIm2col) X(cuTensorMapEncodeIm2colWide) X(cuTexObjectCreate) X(cuTexObjectDestroy) \
  X(cuTexObjectGetResourceDesc) X(cuTexObjectGetResourceViewDesc) X(cuTexObjectGetTextureDesc) X(cuTexRefCreate) \
  X(cuTexRefDestroy) X(cuTexRefGetAddress) X(cuTexRefGetAddressMode) X(cuTexRefGetAddress_v2) X(cuTexRefGetArray) \
  X(cuTexRefGetBorderColor) X(cuTexRefGetFilterMode) X(cuTexRefGetFlags) X(cuTexRefGetFormat) \
  X(cuTexRefGetMaxAnisotropy) X(cuTexRefGetMipmapFilterMode) X(cuTexRefGetMipmapLevelBias) \
  X(cuTexRefGetMipmapLevelClamp) X(cuTexRefGetMipmappedArray) X(cuTexRefSetAddress) X(cuTexRefSetAddress2D) \
  X(cuTexRefSetAddress2D_v2) X(cuTexRefSetAddress2D_v3) X(cuTexRefSetAddressMode) X(cuTexRefSetAddress_v2) \
  X(cuTexRefSetArray) X(cuTexRefSetBorderColor) X(cuTexRefSetFilterMode) X(cuTexRefSetFlags) X(cuTexRefSetFormat) \
  X(cuTexRefSetMaxAnisotropy) X(cuTexRefSetMipmapFilterMode) X(cuTexRefSetMipmapLevelBias) \
  X(cuTexRefSetMipmapLevelClamp) X(cuTexRefSetMipmappedArray) X(cuUserObjectCreate) X(cuUserObjectRelease) \
  X(cuUserObjectRetain) X(cuWaitExternalSemaphoresAsync)
// clang-format on
