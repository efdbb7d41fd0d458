// SPDX-License-Identifier: MIT
// Vulkan's entry points, found at run time.
//
// Tried in this order: the library named by WEAKSPOT_VULKAN_DRIVER (a loader or a driver) and nothing else; the loader,
// libvulkan.so.1; where that is missing or shows no device, the drivers themselves: those that the loader's manifests
// name (VK_DRIVER_FILES, VK_ICD_FILENAMES, /etc/vulkan/icd.d, /usr/share/vulkan/icd.d), and libraries known to hold
// one.
#pragma once

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan_core.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace weakspot::backend::vulkan {

#define WEAKSPOT_VULKAN_INSTANCE_FUNCTIONS(X) \
  X(vkDestroyInstance)                        \
  X(vkEnumeratePhysicalDevices)               \
  X(vkGetPhysicalDeviceProperties2)           \
  X(vkGetPhysicalDeviceFeatures2)             \
  X(vkGetPhysicalDeviceMemoryProperties2)     \
  X(vkGetPhysicalDeviceQueueFamilyProperties) \
  X(vkEnumerateDeviceExtensionProperties)     \
  X(vkCreateDevice)                           \
  X(vkGetDeviceProcAddr)

#define WEAKSPOT_VULKAN_DEVICE_FUNCTIONS(X) \
  X(vkDestroyDevice)                        \
  X(vkGetDeviceQueue)                       \
  X(vkCreateBuffer)                         \
  X(vkDestroyBuffer)                        \
  X(vkGetBufferMemoryRequirements)          \
  X(vkGetBufferDeviceAddress)               \
  X(vkAllocateMemory)                       \
  X(vkFreeMemory)                           \
  X(vkBindBufferMemory)                     \
  X(vkMapMemory)                            \
  X(vkCreateShaderModule)                   \
  X(vkDestroyShaderModule)                  \
  X(vkCreatePipelineLayout)                 \
  X(vkDestroyPipelineLayout)                \
  X(vkCreateComputePipelines)               \
  X(vkDestroyPipeline)                      \
  X(vkCreateCommandPool)                    \
  X(vkDestroyCommandPool)                   \
  X(vkAllocateCommandBuffers)               \
  X(vkBeginCommandBuffer)                   \
  X(vkEndCommandBuffer)                     \
  X(vkCmdFillBuffer)                        \
  X(vkCmdCopyBuffer)                        \
  X(vkCmdPipelineBarrier)                   \
  X(vkCmdBindPipeline)                      \
  X(vkCmdPushConstants)                     \
  X(vkCmdDispatch)                          \
  X(vkCmdWriteTimestamp)                    \
  X(vkCmdResetQueryPool)                    \
  X(vkCreateQueryPool)                      \
  X(vkDestroyQueryPool)                     \
  X(vkGetQueryPoolResults)                  \
  X(vkCreateFence)                          \
  X(vkDestroyFence)                         \
  X(vkResetFences)                          \
  X(vkWaitForFences)                        \
  X(vkQueueSubmit)                          \
  X(vkDeviceWaitIdle)

struct InstanceFunctions {
#define WEAKSPOT_DECLARE(name) PFN_##name name = nullptr;
  WEAKSPOT_VULKAN_INSTANCE_FUNCTIONS(WEAKSPOT_DECLARE)
};

struct DeviceFunctions {
  WEAKSPOT_VULKAN_DEVICE_FUNCTIONS(WEAKSPOT_DECLARE)
#undef WEAKSPOT_DECLARE
};

// Functions of VK_KHR_pipeline_executable_properties; empty if the device lacks it.
struct StatisticFunctions {
  PFN_vkGetPipelineExecutablePropertiesKHR vkGetPipelineExecutablePropertiesKHR = nullptr;
  PFN_vkGetPipelineExecutableStatisticsKHR vkGetPipelineExecutableStatisticsKHR = nullptr;
  PFN_vkGetPipelineExecutableInternalRepresentationsKHR vkGetPipelineExecutableInternalRepresentationsKHR = nullptr;

  bool complete() const {
    return vkGetPipelineExecutablePropertiesKHR != nullptr && vkGetPipelineExecutableStatisticsKHR != nullptr;
  }
};

// One loader or driver with its instance; never destroyed, as its library stays loaded.
struct Instance {
  std::string library;
  VkInstance handle = VK_NULL_HANDLE;
  InstanceFunctions call;
  std::vector<VkPhysicalDevice> devices;

  base::Result<DeviceFunctions> device_functions(VkDevice device) const;
  StatisticFunctions statistic_functions(VkDevice device) const;
};

// Opened once per process. The error lists what was tried.
base::Result<const std::vector<Instance>*> instances();

// "VK_ERROR_DEVICE_LOST", or the number.
std::string describe(VkResult result);

// The library that a driver's manifest names, as written there; empty if it names none.
std::string manifest_library(const base::Source& manifest);

}  // namespace weakspot::backend::vulkan
