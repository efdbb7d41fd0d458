// SPDX-License-Identifier: MIT
#include "backend/opencl/opencl_driver.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <thread>
#include <utility>

namespace weakspot::backend::opencl {
namespace {

constexpr unsigned kLeastThreads = 4;

base::Result<Driver> open_driver() {
  // PoCL has a thread per processor and runs each workgroup to its end on one thread. Tests have up to four threads in
  // different workgroups, which must be able to run at the same time even on smaller machines. No other driver reads
  // this.
  if (std::thread::hardware_concurrency() < kLeastThreads) {
    ::setenv("POCL_MAX_PTHREAD_COUNT", fmt::format("{}", kLeastThreads).c_str(), 0);
  }
  void* library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return base::error("opencl: no driver: libOpenCL.so.1 cannot be opened");
  Driver d{};
  const char* missing = nullptr;
  auto need = [&](const char* name, auto& function) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
    if (function == nullptr && missing == nullptr) missing = name;
  };
  need("clGetPlatformIDs", d.GetPlatformIDs);
  need("clGetPlatformInfo", d.GetPlatformInfo);
  need("clGetDeviceIDs", d.GetDeviceIDs);
  need("clGetDeviceInfo", d.GetDeviceInfo);
  need("clCreateContext", d.CreateContext);
  need("clReleaseContext", d.ReleaseContext);
  need("clCreateCommandQueueWithProperties", d.CreateCommandQueueWithProperties);
  need("clReleaseCommandQueue", d.ReleaseCommandQueue);
  need("clCreateProgramWithSource", d.CreateProgramWithSource);
  need("clCreateProgramWithBinary", d.CreateProgramWithBinary);
  need("clBuildProgram", d.BuildProgram);
  need("clGetProgramInfo", d.GetProgramInfo);
  need("clGetProgramBuildInfo", d.GetProgramBuildInfo);
  need("clReleaseProgram", d.ReleaseProgram);
  need("clCreateKernel", d.CreateKernel);
  need("clReleaseKernel", d.ReleaseKernel);
  need("clSetKernelArg", d.SetKernelArg);
  need("clGetKernelWorkGroupInfo", d.GetKernelWorkGroupInfo);
  need("clCreateBuffer", d.CreateBuffer);
  need("clReleaseMemObject", d.ReleaseMemObject);
  need("clSVMAlloc", d.SVMAlloc);
  need("clSVMFree", d.SVMFree);
  need("clEnqueueFillBuffer", d.EnqueueFillBuffer);
  need("clEnqueueWriteBuffer", d.EnqueueWriteBuffer);
  need("clEnqueueReadBuffer", d.EnqueueReadBuffer);
  need("clEnqueueNDRangeKernel", d.EnqueueNDRangeKernel);
  need("clGetEventInfo", d.GetEventInfo);
  need("clGetEventProfilingInfo", d.GetEventProfilingInfo);
  need("clReleaseEvent", d.ReleaseEvent);
  need("clFlush", d.Flush);
  need("clFinish", d.Finish);
  if (missing != nullptr) return base::error(fmt::format("opencl: the driver is too old: it has no {}", missing));
  return d;
}

constexpr std::pair<cl_int, const char*> kCodes[] = {
    {CL_DEVICE_NOT_FOUND, "CL_DEVICE_NOT_FOUND"},
    {CL_DEVICE_NOT_AVAILABLE, "CL_DEVICE_NOT_AVAILABLE"},
    {CL_COMPILER_NOT_AVAILABLE, "CL_COMPILER_NOT_AVAILABLE"},
    {CL_MEM_OBJECT_ALLOCATION_FAILURE, "CL_MEM_OBJECT_ALLOCATION_FAILURE"},
    {CL_OUT_OF_RESOURCES, "CL_OUT_OF_RESOURCES"},
    {CL_OUT_OF_HOST_MEMORY, "CL_OUT_OF_HOST_MEMORY"},
    {CL_PROFILING_INFO_NOT_AVAILABLE, "CL_PROFILING_INFO_NOT_AVAILABLE"},
    {CL_BUILD_PROGRAM_FAILURE, "CL_BUILD_PROGRAM_FAILURE"},
    {CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST"},
    {CL_INVALID_VALUE, "CL_INVALID_VALUE"},
    {CL_INVALID_CONTEXT, "CL_INVALID_CONTEXT"},
    {CL_INVALID_COMMAND_QUEUE, "CL_INVALID_COMMAND_QUEUE"},
    {CL_INVALID_MEM_OBJECT, "CL_INVALID_MEM_OBJECT"},
    {CL_INVALID_BUILD_OPTIONS, "CL_INVALID_BUILD_OPTIONS"},
    {CL_INVALID_PROGRAM_EXECUTABLE, "CL_INVALID_PROGRAM_EXECUTABLE"},
    {CL_INVALID_KERNEL_NAME, "CL_INVALID_KERNEL_NAME"},
    {CL_INVALID_KERNEL_ARGS, "CL_INVALID_KERNEL_ARGS"},
    {CL_INVALID_WORK_GROUP_SIZE, "CL_INVALID_WORK_GROUP_SIZE"},
    {CL_INVALID_BUFFER_SIZE, "CL_INVALID_BUFFER_SIZE"},
    {CL_INVALID_OPERATION, "CL_INVALID_OPERATION"},
};

template <typename Query>
std::string text_of(Query&& query) {
  std::size_t size = 0;
  if (query(0, nullptr, &size) != CL_SUCCESS || size == 0) return {};
  std::string text(size, '\0');
  if (query(size, text.data(), nullptr) != CL_SUCCESS) return {};
  text.resize(text.find('\0'));
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

}  // namespace

base::Result<const Driver*> driver() {
  static const base::Result<Driver> opened = open_driver();
  if (!opened) return opened.errors();
  return &*opened;
}

std::string describe(cl_int code) {
  for (const auto& [known, name] : kCodes) {
    if (known == code) return name;
  }
  return fmt::format("error {}", code);
}

std::vector<DeviceHandle> all_devices(const Driver& driver, std::vector<std::string>* silent) {
  std::vector<DeviceHandle> handles;
  cl_uint count = 0;
  if (driver.GetPlatformIDs(0, nullptr, &count) != CL_SUCCESS || count == 0) return handles;
  std::vector<cl_platform_id> platforms(count);
  if (driver.GetPlatformIDs(count, platforms.data(), nullptr) != CL_SUCCESS) return handles;
  for (cl_platform_id platform : platforms) {
    cl_uint found = 0;
    cl_int code = driver.GetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &found);
    std::vector<cl_device_id> devices(code == CL_SUCCESS ? found : 0);
    if (!devices.empty()) code = driver.GetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, found, devices.data(), nullptr);
    if (code != CL_SUCCESS || devices.empty()) {
      const std::string reason = code == CL_SUCCESS ? "none" : describe(code);
      if (silent != nullptr) {
        silent->push_back(fmt::format("{}: {}", platform_text(driver, platform, CL_PLATFORM_NAME), reason));
      }
      continue;
    }
    for (cl_device_id device : devices) handles.push_back({platform, device});
  }
  return handles;
}

std::string device_text(const Driver& driver, cl_device_id device, cl_device_info what) {
  return text_of([&](std::size_t room, void* to, std::size_t* size) {
    return driver.GetDeviceInfo(device, what, room, to, size);
  });
}

std::string platform_text(const Driver& driver, cl_platform_id platform, cl_platform_info what) {
  return text_of([&](std::size_t room, void* to, std::size_t* size) {
    return driver.GetPlatformInfo(platform, what, room, to, size);
  });
}

}  // namespace weakspot::backend::opencl
