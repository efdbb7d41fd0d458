// SPDX-License-Identifier: MIT
// The driver's interface: modules, libraries, kernels and what they say of themselves.
#include <algorithm>
#include <cstring>

#include "race_jit/driver/api.h"
#include "race_jit/driver/modules.h"

namespace weakspot::race_jit::driver {
namespace {

enum JitOption : int { kErrorLog = 5, kErrorLogSize = 6, kInfoLog = 3, kInfoLogSize = 4 };

enum FunctionAttribute : int {
  kMostThreads,
  kSharedSize,
  kConstantSize,
  kLocalSize,
  kRegisters,
  kPtxVersion,
  kBinaryVersion,
  kCacheMode,
  kMostDynamicShared,
  kCarveout,
  kClusterMustBeSet,
  kClusterWidth,
  kClusterHeight,
  kClusterDepth,
  kNonPortableClusters,
  kClusterPolicy
};

// Writes the message where the program asked for a log of errors, and says that there is nothing else to tell.
void write_logs(unsigned count, const int* options, void** values, const std::string& problem) {
  char* log = nullptr;
  std::size_t* sizes[2] = {};
  for (unsigned i = 0; options != nullptr && values != nullptr && i < count; ++i) {
    if (options[i] == kErrorLog) log = static_cast<char*>(values[i]);
    if (options[i] == kErrorLogSize) sizes[0] = reinterpret_cast<std::size_t*>(&values[i]);
    if (options[i] == kInfoLogSize) sizes[1] = reinterpret_cast<std::size_t*>(&values[i]);
  }
  if (sizes[1] != nullptr) *sizes[1] = 0;
  if (sizes[0] == nullptr) return;
  const auto room = static_cast<unsigned>(*sizes[0]);  // a number of 32 bits in the place of a pointer
  const std::size_t size = log == nullptr || room == 0 ? 0 : std::min<std::size_t>(problem.size(), room - 1);
  if (log != nullptr && room > 0) {
    std::memcpy(log, problem.data(), size);
    log[size] = 0;
  }
  *sizes[0] = size;
}

Result give(Module** module, const Loaded& loaded) {
  if (module == nullptr) return kInvalidValue;
  *module = loaded.module;
  return loaded.result;
}

Result give_function(Function** function, Module* module, const char* name) {
  if (function == nullptr || name == nullptr) return kInvalidValue;
  if (!is_module(module)) return kInvalidHandle;
  *function = module->find(name);
  return *function == nullptr ? kNotFound : kSuccess;
}

Result give_variable(DevicePointer* address, std::size_t* size, Module* module, const char* name) {
  if (name == nullptr) return kInvalidValue;
  if (!is_module(module)) return kInvalidHandle;
  const auto found = module->variables.find(name);
  if (found == module->variables.end()) return kNotFound;
  if (address != nullptr) *address = address_of(found->second.address);
  if (size != nullptr) *size = found->second.size;
  return kSuccess;
}

Result unload_known(Module* module) {
  if (!is_module(module)) return kInvalidHandle;
  unload(module);
  return kSuccess;
}

Result count_functions(unsigned* count, const Module* module) {
  if (count == nullptr) return kInvalidValue;
  if (!is_module(module)) return kInvalidHandle;
  *count = static_cast<unsigned>(module->functions.size());
  return kSuccess;
}

Result list_functions(Function** functions, unsigned count, Module* module) {
  if (!is_module(module)) return kInvalidHandle;
  for (unsigned i = 0; i < count && i < module->functions.size(); ++i) functions[i] = &module->functions[i];
  return kSuccess;
}

Result attribute_of(int* value, int attribute, Function* function) {
  if (value == nullptr) return kInvalidValue;
  function = known(function);
  if (function == nullptr) return kInvalidHandle;
  const Kernel* kernel = function->has_code ? kernel_of(*function) : nullptr;
  const int architecture = host_device->architecture();
  switch (attribute) {
    case kMostThreads:
      *value = kernel == nullptr ? 1024 : static_cast<int>(kernel->most_threads);
      return kSuccess;
    case kSharedSize:
      *value = kernel == nullptr ? 0 : static_cast<int>(kernel->static_shared);
      return kSuccess;
    case kRegisters:
      *value = 32;
      return kSuccess;
    case kPtxVersion:
    case kBinaryVersion:
      *value = architecture;
      return kSuccess;
    case kMostDynamicShared:
      *value = function->dynamic_shared;
      return kSuccess;
    case kCarveout:
      *value = function->carveout;
      return kSuccess;
    case kClusterWidth:
    case kClusterHeight:
    case kClusterDepth: {
      const bool set = kernel != nullptr && kernel->cluster.count() > 1;
      *value = set ? static_cast<int>(kernel->cluster[static_cast<unsigned>(attribute - kClusterWidth)]) : 0;
      return kSuccess;
    }
    case kNonPortableClusters:
      *value = function->non_portable_clusters;
      return kSuccess;
    case kConstantSize:
    case kLocalSize:
    case kCacheMode:
    case kClusterMustBeSet:
    case kClusterPolicy:
      *value = 0;
      return kSuccess;
    default:
      return kInvalidValue;
  }
}

Result set_attribute(Function* function, int attribute, int value) {
  function = known(function);
  if (function == nullptr) return kInvalidHandle;
  if (attribute == kMostDynamicShared) {
    if (value < 0 || value > 227 * 1024) return kInvalidValue;
    function->dynamic_shared = value;
  }
  if (attribute == kCarveout) function->carveout = value;
  if (attribute == kNonPortableClusters) function->non_portable_clusters = value;
  return attribute < kMostDynamicShared || attribute > kClusterPolicy ? kInvalidValue : kSuccess;
}

Result name_of(const char** name, Function* function) {
  if (name == nullptr) return kInvalidValue;
  function = known(function);
  if (function == nullptr) return kInvalidHandle;
  *name = function->name.c_str();
  return kSuccess;
}

Result parameter_of(Function* function, std::size_t number, std::size_t* offset, std::size_t* size) {
  function = known(function);
  if (function == nullptr || !function->has_code) return kInvalidHandle;
  const Kernel* kernel = kernel_of(*function);
  if (kernel == nullptr || number >= kernel->parameters.size()) return kInvalidValue;
  const std::vector<std::size_t> offsets = parameter_offsets(*kernel);
  if (offset != nullptr) *offset = offsets[number];
  if (size != nullptr) *size = kernel->parameters[number].size;
  return kSuccess;
}

Result occupancy(int* blocks, Function* function, int threads, std::size_t shared) {
  if (blocks == nullptr || known(function) == nullptr) return kInvalidValue;
  const std::size_t most = 228 * 1024;
  const int by_shared = shared == 0 ? 32 : static_cast<int>(most / (shared + 1024));
  *blocks = threads > 0 && threads <= 1024 ? std::min(2048 / threads, by_shared) : 0;
  return kSuccess;
}

}  // namespace

void use_module_api() {}

extern "C" {

Result cuModuleLoad(Module** module, const char* path) {
  return path == nullptr ? kInvalidValue : give(module, load_file(path));
}
Result cuModuleLoadData(Module** module, const void* image) { return give(module, load_image(image, "")); }
Result cuModuleLoadDataEx(Module** module, const void* image, unsigned count, const int* options, void** values) {
  const Loaded loaded = load_image(image, "");
  write_logs(count, options, values, loaded.problem);
  return give(module, loaded);
}
Result cuModuleLoadFatBinary(Module** module, const void* image) { return give(module, load_image(image, "")); }
Result cuModuleUnload(Module* module) { return unload_known(module); }
Result cuModuleGetFunction(Function** function, Module* module, const char* name) {
  return give_function(function, module, name);
}
Result cuModuleGetFunctionCount(unsigned* count, Module* module) { return count_functions(count, module); }
Result cuModuleEnumerateFunctions(Function** functions, unsigned count, Module* module) {
  return list_functions(functions, count, module);
}
Result cuModuleGetGlobal_v2(DevicePointer* address, std::size_t* size, Module* module, const char* name) {
  return give_variable(address, size, module, name);
}
Result cuModuleGetLoadingMode(int* mode) {
  *mode = 1;  // at once
  return kSuccess;
}

Result cuLibraryLoadData(Module** library, const void* image, const int* jit_options, void** jit_values,
                         unsigned jit_count, const int*, void**, unsigned) {
  const Loaded loaded = load_image(image, "");
  write_logs(jit_count, jit_options, jit_values, loaded.problem);
  return give(library, loaded);
}
Result cuLibraryLoadFromFile(Module** library, const char* path, const int* jit_options, void** jit_values,
                             unsigned jit_count, const int*, void**, unsigned) {
  if (path == nullptr) return kInvalidValue;
  const Loaded loaded = load_file(path);
  write_logs(jit_count, jit_options, jit_values, loaded.problem);
  return give(library, loaded);
}
Result cuLibraryUnload(Module* library) { return unload_known(library); }
Result cuLibraryGetKernel(Function** kernel, Module* library, const char* name) {
  return give_function(kernel, library, name);
}
Result cuLibraryGetKernelCount(unsigned* count, Module* library) { return count_functions(count, library); }
Result cuLibraryEnumerateKernels(Function** kernels, unsigned count, Module* library) {
  return list_functions(kernels, count, library);
}
Result cuLibraryGetModule(Module** module, Module* library) {
  *module = library;
  return is_module(library) ? kSuccess : kInvalidHandle;
}
Result cuLibraryGetGlobal(DevicePointer* address, std::size_t* size, Module* library, const char* name) {
  return give_variable(address, size, library, name);
}
Result cuLibraryGetManaged(DevicePointer* address, std::size_t* size, Module* library, const char* name) {
  return give_variable(address, size, library, name);
}
Result cuKernelGetFunction(Function** function, Function* kernel) {
  *function = kernel;
  return known(kernel) == nullptr ? kInvalidHandle : kSuccess;
}
Result cuKernelGetLibrary(Module** library, Function* kernel) {
  if (known(kernel) == nullptr) return kInvalidHandle;
  *library = kernel->module;
  return kSuccess;
}
Result cuKernelGetName(const char** name, Function* kernel) { return name_of(name, kernel); }
Result cuKernelGetAttribute(int* value, int attribute, Function* kernel, Device) {
  return attribute_of(value, attribute, kernel);
}
Result cuKernelSetAttribute(int attribute, int value, Function* kernel, Device) {
  return set_attribute(kernel, attribute, value);
}
Result cuKernelSetCacheConfig(Function* kernel, int, Device) {
  return known(kernel) == nullptr ? kInvalidHandle : kSuccess;
}
Result cuKernelGetParamInfo(Function* kernel, std::size_t number, std::size_t* offset, std::size_t* size) {
  return parameter_of(kernel, number, offset, size);
}

Result cuFuncGetAttribute(int* value, int attribute, Function* function) {
  return attribute_of(value, attribute, function);
}
Result cuFuncSetAttribute(Function* function, int attribute, int value) {
  return set_attribute(function, attribute, value);
}
Result cuFuncSetCacheConfig(Function* function, int) { return known(function) == nullptr ? kInvalidHandle : kSuccess; }
Result cuFuncSetSharedMemConfig(Function* function, int) {
  return known(function) == nullptr ? kInvalidHandle : kSuccess;
}
Result cuFuncGetModule(Module** module, Function* function) { return cuKernelGetLibrary(module, function); }
Result cuFuncGetName(const char** name, Function* function) { return name_of(name, function); }
Result cuFuncGetParamInfo(Function* function, std::size_t number, std::size_t* offset, std::size_t* size) {
  return parameter_of(function, number, offset, size);
}
Result cuFuncLoad(Function* function) { return known(function) == nullptr ? kInvalidHandle : kSuccess; }
Result cuFuncIsLoaded(int* state, Function* function) {
  *state = 1;
  return cuFuncLoad(function);
}

Result cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Function* function, int threads, std::size_t shared) {
  return occupancy(blocks, function, threads, shared);
}
Result cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, Function* function, int threads,
                                                            std::size_t shared, unsigned) {
  return occupancy(blocks, function, threads, shared);
}
Result cuOccupancyMaxPotentialBlockSize(int* grid, int* block, Function* function, std::size_t (*)(int), std::size_t,
                                        int limit) {
  if (known(function) == nullptr) return kInvalidHandle;
  const Kernel* kernel = function->has_code ? kernel_of(*function) : nullptr;
  const int most = kernel == nullptr ? 1024 : static_cast<int>(kernel->most_threads);
  *block = std::min({256, most, limit > 0 ? limit : most});
  *grid = 8 * (2048 / *block);
  return kSuccess;
}
Result cuOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, Function* function, std::size_t (*shared)(int),
                                                 std::size_t fixed, int limit, unsigned) {
  return cuOccupancyMaxPotentialBlockSize(grid, block, function, shared, fixed, limit);
}
Result cuOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, Function* function, int blocks, int) {
  if (known(function) == nullptr || blocks < 1) return kInvalidValue;
  *bytes = 227 * 1024 / static_cast<std::size_t>(blocks);
  return kSuccess;
}
Result cuOccupancyMaxActiveClusters(int* clusters, Function* function, const LaunchConfig*) {
  *clusters = 8;
  return known(function) == nullptr ? kInvalidHandle : kSuccess;
}
Result cuOccupancyMaxPotentialClusterSize(int* size, Function* function, const LaunchConfig*) {
  *size = 8;
  return known(function) == nullptr ? kInvalidHandle : kSuccess;
}

}  // extern "C"

}  // namespace weakspot::race_jit::driver
