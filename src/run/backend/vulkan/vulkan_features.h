// SPDX-License-Identifier: MIT
// The features of a Vulkan device that programs need, and whether it has them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "backend/vulkan/vulkan_driver.h"

namespace weakspot::backend::vulkan {

// Vulkan's feature structures, chained for a query or for the creation of a device.
struct Features {
  Features();
  Features(const Features& other);
  Features& operator=(const Features& other);

  VkPhysicalDeviceFeatures2 core{};
  VkPhysicalDeviceVulkan11Features v11{};
  VkPhysicalDeviceVulkan12Features v12{};

 private:
  void chain();
};

// All supported features that programs may use.
Features usable(const Features& supported);

// The features that every program needs and `supported` lacks, by their names in Vulkan.
std::vector<std::string> missing_features(const Features& supported);
// The missing features that the module's capabilities need.
std::vector<std::string> missing_features(const Features& supported, std::span<const std::uint32_t> module);

}  // namespace weakspot::backend::vulkan
