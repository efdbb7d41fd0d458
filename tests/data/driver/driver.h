/* SPDX-License-Identifier: MIT
   The parts of CUDA's driver interface that the programs of this folder call, for machines without its header. */
#pragma once

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

typedef int CUresult;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st* CUcontext;
typedef struct CUmod_st* CUmodule;
typedef struct CUfunc_st* CUfunction;
typedef struct CUlib_st* CUlibrary;
typedef struct CUkern_st* CUkernel;
typedef struct CUstream_st* CUstream;
typedef struct CUevent_st* CUevent;
typedef struct CUgraph_st* CUgraph;
typedef struct CUgraphExec_st* CUgraphExec;
typedef struct CUlinkState_st* CUlinkState;

typedef struct {
  unsigned id;
  char padding[4];
  union {
    char bytes[64];
    int number;
    struct {
      unsigned x, y, z;
    } extent;
  } value;
} CUlaunchAttribute;
typedef struct {
  unsigned grid_x, grid_y, grid_z, block_x, block_y, block_z, shared;
  CUstream stream;
  CUlaunchAttribute* attributes;
  unsigned attribute_count;
} CUlaunchConfig;

CUresult cuInit(unsigned flags);
CUresult cuDriverGetVersion(int* version);
CUresult cuGetErrorName(CUresult result, const char** text);
CUresult cuDeviceGet(CUdevice* device, int ordinal);
CUresult cuDeviceGetAttribute(int* value, int attribute, CUdevice device);
CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device);
CUresult cuCtxSetCurrent(CUcontext context);
CUresult cuCtxSynchronize(void);
CUresult cuModuleLoad(CUmodule* module, const char* path);
CUresult cuModuleLoadData(CUmodule* module, const void* image);
CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned count, int* options, void** values);
CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name);
CUresult cuModuleGetGlobal_v2(CUdeviceptr* address, size_t* size, CUmodule module, const char* name);
CUresult cuModuleUnload(CUmodule module);
CUresult cuLibraryLoadData(CUlibrary* library, const void* image, int* options, void** values, unsigned count,
                           int* library_options, void** library_values, unsigned library_count);
CUresult cuLibraryGetKernel(CUkernel* kernel, CUlibrary library, const char* name);
CUresult cuKernelGetFunction(CUfunction* function, CUkernel kernel);
CUresult cuFuncGetAttribute(int* value, int attribute, CUfunction function);
CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                        unsigned block_y, unsigned block_z, unsigned shared, CUstream stream, void** arguments,
                        void** extra);
CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** arguments, void** extra);
CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                                   CUstream stream, void** arguments);
CUresult cuMemAlloc_v2(CUdeviceptr* address, size_t size);
CUresult cuMemAllocManaged(CUdeviceptr* address, size_t size, unsigned flags);
CUresult cuMemAllocAsync(CUdeviceptr* address, size_t size, CUstream stream);
CUresult cuMemFree_v2(CUdeviceptr address);
CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream);
CUresult cuMemHostRegister_v2(void* memory, size_t size, unsigned flags);
CUresult cuMemHostUnregister(void* memory);
CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void* from, size_t size);
CUresult cuMemcpyDtoH_v2(void* to, CUdeviceptr from, size_t size);
CUresult cuMemcpyDtoHAsync_v2(void* to, CUdeviceptr from, size_t size, CUstream stream);
CUresult cuMemsetD32_v2(CUdeviceptr to, unsigned value, size_t count);
CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, size_t count, CUstream stream);
CUresult cuPointerGetAttribute(void* value, int attribute, CUdeviceptr address);
CUresult cuStreamCreate(CUstream* stream, unsigned flags);
CUresult cuStreamSynchronize(CUstream stream);
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags);
CUresult cuStreamBeginCapture_v2(CUstream stream, int mode);
CUresult cuStreamEndCapture(CUstream stream, CUgraph* graph);
CUresult cuEventCreate(CUevent* event, unsigned flags);
CUresult cuEventRecord(CUevent event, CUstream stream);
CUresult cuGraphInstantiateWithFlags(CUgraphExec* made, CUgraph graph, unsigned long long flags);
CUresult cuGraphLaunch(CUgraphExec graph, CUstream stream);
CUresult cuGetProcAddress_v2(const char* name, void** function, int version, unsigned long long flags, int* status);
CUresult cuLinkCreate_v2(unsigned count, int* options, void** values, CUlinkState* state);
CUresult cuLinkAddData_v2(CUlinkState state, int type, void* data, size_t size, const char* name, unsigned count,
                          int* options, void** values);
CUresult cuLinkComplete(CUlinkState state, void** image, size_t* size);
CUresult cuMemCreate(unsigned long long* handle, size_t size, const void* properties, unsigned long long flags);

/* Ends the program with the line and the name of the error. */
#define CHECK(call)                                                       \
  do {                                                                    \
    const CUresult result_ = (call);                                      \
    const char* name_ = "?";                                              \
    if (result_ == 0) break;                                              \
    cuGetErrorName(result_, &name_);                                      \
    fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, name_); \
    exit(4);                                                              \
  } while (0)

static inline void start_device(void) {
  CUdevice device;
  CUcontext context;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));
}
