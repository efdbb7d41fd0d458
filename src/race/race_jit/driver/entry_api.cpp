// SPDX-License-Identifier: MIT
// The driver's interface: functions by name, tensor maps, and calls that are known by name only.
#include <dlfcn.h>
#include <fmt/format.h>
#include <weakspot/driver/tensor_map_encode.h>

#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "race_jit/driver/api.h"
#include "race_jit/driver/missing_calls.h"
#include "race_jit/host/host_api.h"
#include "race_jit/host/host_device.h"

namespace weakspot::race_jit::driver {
namespace {

// The symbol that a name stands for from a version of CUDA on, where that is not the one with the suffix _v2.
struct NamedSince {
  std::string_view name;
  int since;
  const char* symbol;
};

constexpr NamedSince kNamedSince[] = {{"cuCtxCreate", 0, "cuCtxCreate_v2"},
                                      {"cuCtxCreate", 12050, "cuCtxCreate_v4"},
                                      {"cuCtxGetDevice", 0, "cuCtxGetDevice"},
                                      {"cuCtxGetDevice", 13000, "cuCtxGetDevice_v2"},
                                      {"cuCtxSynchronize", 0, "cuCtxSynchronize"},
                                      {"cuCtxSynchronize", 13000, "cuCtxSynchronize_v2"},
                                      {"cuGetProcAddress", 0, "cuGetProcAddress"},
                                      {"cuGetProcAddress", 12000, "cuGetProcAddress_v2"},
                                      {"cuGraphAddDependencies", 0, "cuGraphAddDependencies"},
                                      {"cuGraphAddDependencies", 12030, "cuGraphAddDependencies_v2"},
                                      {"cuGraphInstantiate", 0, "cuGraphInstantiate_v2"},
                                      {"cuGraphInstantiate", 11040, "cuGraphInstantiateWithFlags"},
                                      {"cuMemAdvise", 0, "cuMemAdvise"},
                                      {"cuMemAdvise", 12020, "cuMemAdvise_v2"},
                                      {"cuMemPrefetchAsync", 0, "cuMemPrefetchAsync"},
                                      {"cuMemPrefetchAsync", 12020, "cuMemPrefetchAsync_v2"},
                                      {"cuStreamGetCaptureInfo", 0, "cuStreamGetCaptureInfo_v2"},
                                      {"cuStreamGetCaptureInfo", 12030, "cuStreamGetCaptureInfo_v3"}};

// This library, or the program that it is a part of.
void* own_library() {
  static void* const library = [] {
    Dl_info info{};
    if (dladdr(reinterpret_cast<const void*>(&not_modelled), &info) == 0) return RTLD_DEFAULT;
    void* opened = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    return opened == nullptr ? RTLD_DEFAULT : opened;
  }();
  return library;
}

void* function_named(const std::string& name, int version) {
  const char* symbol = nullptr;
  for (const NamedSince& one : kNamedSince) {
    if (one.name == name && one.since <= version) symbol = one.symbol;
  }
  if (symbol != nullptr) return dlsym(own_library(), symbol);
  if (void* later = dlsym(own_library(), (name + "_v2").c_str()); later != nullptr) return later;
  return dlsym(own_library(), name.c_str());
}

Result find(const char* name, void** function, int version) {
  if (name == nullptr || function == nullptr) return kInvalidValue;
  const bool named = std::string_view(name).starts_with("cu");
  *function = named ? function_named(name, version) : nullptr;
  return *function == nullptr ? kNotFound : kSuccess;
}

}  // namespace

void use_entry_api() {}

Result not_modelled(const char* name) {
  static std::mutex mutex;
  static auto* const told = new std::set<std::string>();
  {
    const std::lock_guard lock(mutex);
    if (!told->insert(name).second) return kNotSupported;
  }
  host_device->note_call(name, "", 0);
  fmt::print(stderr, "weakspot: {} is not modelled: it fails with CUDA_ERROR_NOT_SUPPORTED\n", name);
  return kNotSupported;
}

extern "C" {

Result cuGetProcAddress(const char* name, void** function, int version, std::uint64_t) {
  return find(name, function, version);
}
Result cuGetProcAddress_v2(const char* name, void** function, int version, std::uint64_t, int* status) {
  const Result result = find(name, function, version);
  if (status != nullptr) *status = result == kSuccess ? 0 : 1;
  return result;
}

#define WEAKSPOT_MISSING_CALL(name) \
  Result name() { return not_modelled(#name); }
WEAKSPOT_MISSING_CALLS(WEAKSPOT_MISSING_CALL)
#undef WEAKSPOT_MISSING_CALL

}  // extern "C"

// The headers have these as inline functions: their addresses make them functions of the library.
extern const void* const kTensorMapFunctions[];
const void* const kTensorMapFunctions[] = {reinterpret_cast<const void*>(&cuTensorMapEncodeTiled),
                                           reinterpret_cast<const void*>(&cuTensorMapReplaceAddress)};

}  // namespace weakspot::race_jit::driver

namespace weakspot::race_jit {

void use_driver_api() {
  driver::use_module_api();
  driver::use_launch_api();
  driver::use_memory_api();
  driver::use_device_api();
  driver::use_stream_api();
  driver::use_graph_api();
  driver::use_linker_api();
  driver::use_entry_api();
  driver::use_nvrtc_api();
}

}  // namespace weakspot::race_jit
