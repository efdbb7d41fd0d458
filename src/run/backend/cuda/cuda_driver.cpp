// SPDX-License-Identifier: MIT
#include "backend/cuda_driver.h"

#include <dlfcn.h>
#include <fmt/format.h>

namespace weakspot::backend::cuda {
namespace {

template <typename FunctionPointer>
bool find(void* library, const char* name, FunctionPointer& function) {
  function = reinterpret_cast<FunctionPointer>(dlsym(library, name));
  return function != nullptr;
}

base::Result<Driver> open_driver() {
  void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return base::error("cuda: no driver: libcuda.so.1 cannot be opened");
  Driver d{};
  const char* missing = nullptr;
  auto need = [&](const char* name, auto& function) {
    if (!find(library, name, function) && missing == nullptr) missing = name;
  };
  need("cuInit", d.Init);
  need("cuDriverGetVersion", d.DriverGetVersion);
  need("cuDeviceGetCount", d.DeviceGetCount);
  need("cuDeviceGet", d.DeviceGet);
  need("cuDeviceGetName", d.DeviceGetName);
  need("cuDeviceGetAttribute", d.DeviceGetAttribute);
  need("cuDeviceTotalMem_v2", d.DeviceTotalMem);
  need("cuDevicePrimaryCtxRetain", d.DevicePrimaryCtxRetain);
  need("cuDevicePrimaryCtxRelease_v2", d.DevicePrimaryCtxRelease);
  need("cuCtxSetCurrent", d.CtxSetCurrent);
  need("cuModuleLoadDataEx", d.ModuleLoadDataEx);
  need("cuModuleUnload", d.ModuleUnload);
  need("cuModuleGetFunction", d.ModuleGetFunction);
  need("cuMemAlloc_v2", d.MemAlloc);
  need("cuMemFree_v2", d.MemFree);
  need("cuMemGetInfo_v2", d.MemGetInfo);
  need("cuMemsetD32Async", d.MemsetD32Async);
  need("cuMemcpyHtoDAsync_v2", d.MemcpyHtoDAsync);
  need("cuMemcpyDtoHAsync_v2", d.MemcpyDtoHAsync);
  need("cuLaunchKernel", d.LaunchKernel);
  need("cuLaunchCooperativeKernel", d.LaunchCooperativeKernel);
  need("cuStreamCreate", d.StreamCreate);
  need("cuStreamDestroy_v2", d.StreamDestroy);
  need("cuStreamSynchronize", d.StreamSynchronize);
  need("cuEventCreate", d.EventCreate);
  need("cuEventDestroy_v2", d.EventDestroy);
  need("cuEventRecord", d.EventRecord);
  need("cuEventQuery", d.EventQuery);
  need("cuEventElapsedTime", d.EventElapsedTime);
  need("cuOccupancyMaxActiveBlocksPerMultiprocessor", d.OccupancyMaxActiveBlocksPerMultiprocessor);
  need("cuGetErrorName", d.GetErrorName);
  need("cuGetErrorString", d.GetErrorString);
  const bool shares =
      find(library, "cuMemHostAlloc", d.MemHostAlloc) && find(library, "cuMemFreeHost", d.MemFreeHost) &&
      find(library, "cuMemHostGetDevicePointer_v2", d.MemHostGetDevicePointer) &&
      find(library, "cuMemAllocManaged", d.MemAllocManaged) && find(library, "cuMemAdvise", d.MemAdvise);
  if (!shares) d.MemHostAlloc = nullptr;
  const bool has_views = find(library, "cuTexObjectCreate", d.TexObjectCreate) &&
                         find(library, "cuTexObjectDestroy", d.TexObjectDestroy) &&
                         find(library, "cuModuleGetGlobal_v2", d.ModuleGetGlobal);
  if (!has_views) d.TexObjectCreate = nullptr;
  const bool has_libraries = find(library, "cuLibraryLoadData", d.LibraryLoadData) &&
                             find(library, "cuLibraryGetModule", d.LibraryGetModule) &&
                             find(library, "cuLibraryUnload", d.LibraryUnload);
  if (!has_libraries) d.LibraryLoadData = nullptr;
  if (!find(library, "cuLaunchKernelEx", d.LaunchKernelEx)) d.LaunchKernelEx = nullptr;
  const bool counts_clusters = find(library, "cuFuncGetAttribute", d.FuncGetAttribute) &&
                               find(library, "cuOccupancyMaxActiveClusters", d.OccupancyMaxActiveClusters);
  if (!counts_clusters) d.OccupancyMaxActiveClusters = nullptr;
  if (!find(library, "cuMemcpyDtoDAsync_v2", d.MemcpyDtoDAsync)) d.MemcpyDtoDAsync = nullptr;
  if (!find(library, "cuFuncSetAttribute", d.FuncSetAttribute)) d.FuncSetAttribute = nullptr;
  const bool links = find(library, "cuLinkCreate_v2", d.LinkCreate) &&
                     find(library, "cuLinkAddData_v2", d.LinkAddData) &&
                     find(library, "cuLinkComplete", d.LinkComplete) && find(library, "cuLinkDestroy", d.LinkDestroy);
  if (!links) d.LinkCreate = nullptr;
  if (missing != nullptr) return base::error(fmt::format("cuda: the driver is too old: it has no {}", missing));
  if (const Code code = d.Init(0); code != kSuccess) {
    return base::error(fmt::format("cuda: the driver does not start: {}", d.describe(code)));
  }
  return d;
}

}  // namespace

std::string Driver::describe(Code code) const {
  const char* name = nullptr;
  const char* text = nullptr;
  if (GetErrorName(code, &name) != kSuccess || name == nullptr) return fmt::format("error {}", code);
  if (GetErrorString(code, &text) != kSuccess || text == nullptr) return name;
  return fmt::format("{}: {}", name, text);
}

base::Result<const Driver*> driver() {
  static const base::Result<Driver> opened = open_driver();
  if (!opened) return opened.errors();
  return &*opened;
}

}  // namespace weakspot::backend::cuda
