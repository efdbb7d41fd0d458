// SPDX-License-Identifier: MIT
// The driver's interface: launches.
#include <fmt/format.h>

#include <cstring>

#include "race_jit/driver/api.h"
#include "race_jit/driver/modules.h"
#include "race_jit/driver/runtime_calls.h"

namespace weakspot::race_jit::driver {
namespace {

// Words of the list `extra`, which has arguments in one buffer.
enum ExtraWord : std::uintptr_t { kEndOfExtra = 0, kBuffer = 1, kBufferSize = 2 };

// The places of the arguments in the buffer; nothing if it is too short or the list is not one.
std::vector<void*> arguments_in(void** extra, const Kernel& kernel) {
  char* buffer = nullptr;
  std::size_t size = 0;
  for (; reinterpret_cast<std::uintptr_t>(extra[0]) != kEndOfExtra; extra += 2) {
    const auto word = reinterpret_cast<std::uintptr_t>(extra[0]);
    if (word == kBuffer) buffer = static_cast<char*>(extra[1]);
    if (word == kBufferSize) size = *static_cast<const std::size_t*>(extra[1]);
    if (word != kBuffer && word != kBufferSize) return {};
  }
  const std::vector<std::size_t> offsets = parameter_offsets(kernel);
  std::vector<void*> arguments;
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    if (buffer == nullptr || offsets[i] + kernel.parameters[i].size > size) return {};
    arguments.push_back(buffer + offsets[i]);
  }
  return arguments;
}

Result launch(Function* function, const CallConfiguration& call, void** arguments, void** extra) {
  function = known(function);
  if (function == nullptr) return kInvalidHandle;
  if (!function->has_code) {
    host_device->note_unseen(fmt::format("launch of {}, which is there as machine code alone", function->name),
                             race::Effect::memory, true);
    return kSuccess;
  }
  const Kernel* kernel = kernel_of(*function);
  if (kernel == nullptr) return kInvalidHandle;
  std::vector<void*> places;
  if (arguments == nullptr && !kernel->parameters.empty()) {
    if (extra == nullptr) return kInvalidValue;
    places = arguments_in(extra, *kernel);
    if (places.empty()) return kInvalidValue;
    arguments = places.data();
  }
  return result_of(host_device->launch(function, call, arguments));
}

CallConfiguration shape(const Extent& grid, const Extent& block, std::uint64_t shared, const void* stream) {
  return {{.grid = grid, .block = block, .shared = shared}, stream_id(stream)};
}

}  // namespace

std::vector<std::size_t> parameter_offsets(const Kernel& kernel) {
  std::vector<std::size_t> offsets;
  std::size_t at = 0;
  for (const KernelParameter& parameter : kernel.parameters) {
    const std::size_t alignment = parameter.alignment == 0 ? 1 : parameter.alignment;
    at = (at + alignment - 1) / alignment * alignment;
    offsets.push_back(at);
    at += parameter.size;
  }
  return offsets;
}

void use_launch_api() {}

extern "C" {

Result cuLaunchKernel(Function* function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                      unsigned block_y, unsigned block_z, unsigned shared, Stream stream, void** arguments,
                      void** extra) {
  return launch(function, shape({grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared, stream), arguments,
                extra);
}
Result cuLaunchCooperativeKernel(Function* function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                 unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared, Stream stream,
                                 void** arguments) {
  CallConfiguration call = shape({grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared, stream);
  call.cooperative = true;
  return launch(function, call, arguments, nullptr);
}
Result cuLaunchKernelEx(const LaunchConfig* config, Function* function, void** arguments, void** extra) {
  if (config == nullptr || (config->attributes == nullptr && config->attribute_count > 0)) return kInvalidValue;
  CallConfiguration call = shape({config->grid_x, config->grid_y, config->grid_z},
                                 {config->block_x, config->block_y, config->block_z}, config->shared, config->stream);
  for (unsigned i = 0; i < config->attribute_count; ++i) {
    const LaunchAttribute& attribute = config->attributes[i];
    const auto& extent = attribute.value.extent;
    if (attribute.id == LaunchAttribute::cooperative) call.cooperative = attribute.value.number != 0;
    if (attribute.id == LaunchAttribute::cluster_dimension) call.cluster = {extent.x, extent.y, extent.z};
    if (attribute.id == LaunchAttribute::programmatic_serialization && attribute.value.number != 0) {
      __wsDependentLaunch();
    }
    if (attribute.id == LaunchAttribute::programmatic_event) __wsProgrammaticLaunch(function);
  }
  return launch(function, call, arguments, extra);
}
Result cuLaunchHostFunc(Stream stream, void (*function)(void*), void* argument) {
  return function == nullptr ? kInvalidValue : result_of(cudaLaunchHostFunc(stream, function, argument));
}

}  // extern "C"

}  // namespace weakspot::race_jit::driver
