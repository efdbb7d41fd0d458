// SPDX-License-Identifier: MIT
// The OpenCL functions that we use, from the loader or driver library that is opened at run time.
#pragma once

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#include <CL/cl.h>

#include <string>
#include <vector>

#include "base/result.h"

namespace weakspot::backend::opencl {

// Under the names of the specification, without the prefix.
struct Driver {
  decltype(&clGetPlatformIDs) GetPlatformIDs;
  decltype(&clGetPlatformInfo) GetPlatformInfo;
  decltype(&clGetDeviceIDs) GetDeviceIDs;
  decltype(&clGetDeviceInfo) GetDeviceInfo;
  decltype(&clCreateContext) CreateContext;
  decltype(&clReleaseContext) ReleaseContext;
  decltype(&clCreateCommandQueueWithProperties) CreateCommandQueueWithProperties;
  decltype(&clReleaseCommandQueue) ReleaseCommandQueue;
  decltype(&clCreateProgramWithSource) CreateProgramWithSource;
  decltype(&clCreateProgramWithBinary) CreateProgramWithBinary;
  decltype(&clBuildProgram) BuildProgram;
  decltype(&clGetProgramInfo) GetProgramInfo;
  decltype(&clGetProgramBuildInfo) GetProgramBuildInfo;
  decltype(&clReleaseProgram) ReleaseProgram;
  decltype(&clCreateKernel) CreateKernel;
  decltype(&clReleaseKernel) ReleaseKernel;
  decltype(&clSetKernelArg) SetKernelArg;
  decltype(&clGetKernelWorkGroupInfo) GetKernelWorkGroupInfo;
  decltype(&clCreateBuffer) CreateBuffer;
  decltype(&clReleaseMemObject) ReleaseMemObject;
  decltype(&clSVMAlloc) SVMAlloc;
  decltype(&clSVMFree) SVMFree;
  decltype(&clEnqueueFillBuffer) EnqueueFillBuffer;
  decltype(&clEnqueueWriteBuffer) EnqueueWriteBuffer;
  decltype(&clEnqueueReadBuffer) EnqueueReadBuffer;
  decltype(&clEnqueueNDRangeKernel) EnqueueNDRangeKernel;
  decltype(&clGetEventInfo) GetEventInfo;
  decltype(&clGetEventProfilingInfo) GetEventProfilingInfo;
  decltype(&clReleaseEvent) ReleaseEvent;
  decltype(&clFlush) Flush;
  decltype(&clFinish) Finish;
};

// Opened once per process; the library stays loaded. The error says what is missing.
base::Result<const Driver*> driver();

// "CL_OUT_OF_RESOURCES"
std::string describe(cl_int code);

// Every device of every platform, in the order of the loader.
struct DeviceHandle {
  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
};
// `silent` receives the platforms that do not list devices, with the reason: device numbers after them depend on that.
std::vector<DeviceHandle> all_devices(const Driver& driver, std::vector<std::string>* silent = nullptr);

// A property of a device, or `otherwise` if the driver does not know it.
template <typename T>
T device_value(const Driver& driver, cl_device_id device, cl_device_info what, T otherwise = {}) {
  T value{};
  return driver.GetDeviceInfo(device, what, sizeof value, &value, nullptr) == CL_SUCCESS ? value : otherwise;
}
std::string device_text(const Driver& driver, cl_device_id device, cl_device_info what);
std::string platform_text(const Driver& driver, cl_platform_id platform, cl_platform_info what);

}  // namespace weakspot::backend::opencl
