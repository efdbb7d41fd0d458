// SPDX-License-Identifier: MIT
// An opened Vulkan device, and handles that release themselves.
#pragma once

#include <cstdint>
#include <string_view>

#include "backend/driver/owned.h"
#include "backend/vulkan/vulkan_driver.h"
#include "backend/vulkan/vulkan_features.h"
#include "base/result.h"

namespace weakspot::backend::vulkan {

struct Context {
  const Instance* instance = nullptr;
  VkPhysicalDevice physical = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  DeviceFunctions call;
  StatisticFunctions statistics;
  Features features;  // the features in use
  std::uint32_t queue_family = 0;
  VkQueue queue = VK_NULL_HANDLE;
  VkPhysicalDeviceMemoryProperties memory{};
  double nanoseconds_per_tick = 0;  // 0: no timestamps
  // The device no longer answers: its handles are leaked, since releasing them would wait for it.
  bool lost = false;
};

base::Diagnostic failure(std::string_view what, VkResult result);

template <typename Handle>
struct Destroy {
  const Context* context = nullptr;
  void(VKAPI_PTR* function)(VkDevice, Handle, const VkAllocationCallbacks*) = nullptr;

  void operator()(Handle handle) const {
    if (!context->lost) function(context->device, handle, nullptr);
  }
};
template <typename Handle>
using Owned = backend::Owned<Handle, Destroy<Handle>>;

// A buffer with memory of its own.
struct Allocation {
  Owned<VkDeviceMemory> memory;
  Owned<VkBuffer> buffer;  // released before its memory
  std::uint64_t words = 0;
  VkDeviceAddress address = 0;
  std::uint32_t* mapped = nullptr;  // if the host can access it
};

enum class Place : std::uint8_t {
  device,  // as near to the device as possible
  shared,  // the host can access it while the device uses it; near to the device if possible
  host,    // for copies, cached by the host if possible
};

// Fails with VK_ERROR_OUT_OF_DEVICE_MEMORY or the like.
VkResult allocate(const Context& context, std::uint64_t words, Place place, Allocation& made);

}  // namespace weakspot::backend::vulkan
