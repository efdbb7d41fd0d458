// Which features of a Vulkan device programs need, and whether it has them.
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

// Of what programs may use, all that is there.
Features usable(const Features& supported);

// What every program needs and `supported` does not have, by the names of Vulkan's features.
std::vector<std::string> missing_features(const Features& supported);
// What the module's capabilities need beyond that.
std::vector<std::string> missing_features(const Features& supported, std::span<const std::uint32_t> module);

}  // namespace weakspot::backend::vulkan
