// SPDX-License-Identifier: MIT
#include "backend/vulkan/vulkan_context.h"

#include <fmt/format.h>

#include <initializer_list>
#include <optional>

namespace weakspot::backend::vulkan {
namespace {

constexpr VkMemoryPropertyFlags kNear = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
constexpr VkMemoryPropertyFlags kReachable = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
constexpr VkMemoryPropertyFlags kCached = VK_MEMORY_PROPERTY_HOST_CACHED_BIT;

// The first type with all of a choice's flags; choices are in the order of preference.
std::optional<std::uint32_t> memory_type(const Context& context, std::uint32_t allowed,
                                         std::initializer_list<VkMemoryPropertyFlags> choices) {
  for (const VkMemoryPropertyFlags wanted : choices) {
    for (std::uint32_t i = 0; i < context.memory.memoryTypeCount; ++i) {
      const bool fits = (context.memory.memoryTypes[i].propertyFlags & wanted) == wanted;
      if (fits && (allowed >> i & 1) != 0) return i;
    }
  }
  return std::nullopt;
}

}  // namespace

base::Diagnostic failure(std::string_view what, VkResult result) {
  return base::error(fmt::format("vulkan: {}: {}", what, describe(result)));
}

VkResult allocate(const Context& context, std::uint64_t words, Place place, Allocation& made) {
  const DeviceFunctions& call = context.call;
  made = {};
  VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  info.size = words * 4;
  info.usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  if (place != Place::host) {
    info.usage |= VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
  }
  VkBuffer buffer = VK_NULL_HANDLE;
  VkResult result = call.vkCreateBuffer(context.device, &info, nullptr, &buffer);
  if (result != VK_SUCCESS) return result;
  made.buffer = Owned<VkBuffer>(buffer, {&context, call.vkDestroyBuffer});

  VkMemoryRequirements needs{};
  call.vkGetBufferMemoryRequirements(context.device, buffer, &needs);
  std::optional<std::uint32_t> type;
  switch (place) {
    case Place::device:
      type = memory_type(context, needs.memoryTypeBits, {kNear, 0});
      break;
    case Place::shared:
      type = memory_type(context, needs.memoryTypeBits, {kNear | kReachable, kReachable});
      break;
    case Place::host:
      type = memory_type(context, needs.memoryTypeBits, {kReachable | kCached, kReachable});
      break;
  }
  if (!type) return VK_ERROR_FEATURE_NOT_PRESENT;
  VkMemoryAllocateFlagsInfo flags{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO};
  flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
  VkMemoryAllocateInfo request{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  if (place != Place::host) request.pNext = &flags;
  request.allocationSize = needs.size;
  request.memoryTypeIndex = *type;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  result = call.vkAllocateMemory(context.device, &request, nullptr, &memory);
  if (result != VK_SUCCESS) return result;
  made.memory = Owned<VkDeviceMemory>(memory, {&context, call.vkFreeMemory});
  result = call.vkBindBufferMemory(context.device, buffer, memory, 0);
  if (result != VK_SUCCESS) return result;
  if (place != Place::device) {
    void* mapped = nullptr;
    result = call.vkMapMemory(context.device, memory, 0, VK_WHOLE_SIZE, 0, &mapped);
    if (result != VK_SUCCESS) return result;
    made.mapped = static_cast<std::uint32_t*>(mapped);
  }
  if (place != Place::host) {
    VkBufferDeviceAddressInfo which{VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO};
    which.buffer = buffer;
    made.address = call.vkGetBufferDeviceAddress(context.device, &which);
  }
  made.words = words;
  return VK_SUCCESS;
}

}  // namespace weakspot::backend::vulkan
