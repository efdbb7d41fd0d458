// SPDX-License-Identifier: MIT
#include "backend/vulkan/vulkan_features.h"

#include <spirv/unified1/spirv.hpp11>

#include "codegen/spirv_module.h"

namespace weakspot::backend::vulkan {
namespace {

using spv::Capability;

struct Feature {
  const char* name;
  Capability capability;
  VkBool32* (*field)(Features&);
};

constexpr Feature kFeatures[] = {
    {"shaderInt64", Capability::Int64, [](Features& f) { return &f.core.features.shaderInt64; }},
    {"shaderBufferInt64Atomics", Capability::Int64Atomics, [](Features& f) { return &f.v12.shaderBufferInt64Atomics; }},
    {"bufferDeviceAddress", Capability::PhysicalStorageBufferAddresses,
     [](Features& f) { return &f.v12.bufferDeviceAddress; }},
    {"vulkanMemoryModel", Capability::VulkanMemoryModel, [](Features& f) { return &f.v12.vulkanMemoryModel; }},
    {"vulkanMemoryModelDeviceScope", Capability::VulkanMemoryModelDeviceScope,
     [](Features& f) { return &f.v12.vulkanMemoryModelDeviceScope; }},
    {"shaderInt16", Capability::Int16, [](Features& f) { return &f.core.features.shaderInt16; }},
    {"shaderInt8", Capability::Int8, [](Features& f) { return &f.v12.shaderInt8; }},
    {"storageBuffer16BitAccess", Capability::StorageBuffer16BitAccess,
     [](Features& f) { return &f.v11.storageBuffer16BitAccess; }},
    {"storageBuffer8BitAccess", Capability::StorageBuffer8BitAccess,
     [](Features& f) { return &f.v12.storageBuffer8BitAccess; }},
};
constexpr std::size_t kAlwaysNeeded = 5;  // the first ones: the harness itself uses them

bool has(const Features& features, const Feature& feature) {
  Features copy = features;
  return *feature.field(copy) == VK_TRUE;
}

}  // namespace

Features::Features() {
  core.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  v11.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES;
  v12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
  chain();
}

Features::Features(const Features& other) : core(other.core), v11(other.v11), v12(other.v12) { chain(); }

Features& Features::operator=(const Features& other) {
  core = other.core;
  v11 = other.v11;
  v12 = other.v12;
  chain();
  return *this;
}

void Features::chain() {
  core.pNext = &v11;
  v11.pNext = &v12;
  v12.pNext = nullptr;
}

Features usable(const Features& supported) {
  Features wanted;
  for (const Feature& feature : kFeatures) {
    if (has(supported, feature)) *feature.field(wanted) = VK_TRUE;
  }
  wanted.v12.shaderSharedInt64Atomics = supported.v12.shaderSharedInt64Atomics;
  return wanted;
}

std::vector<std::string> missing_features(const Features& supported) {
  std::vector<std::string> missing;
  for (std::size_t i = 0; i < kAlwaysNeeded; ++i) {
    if (!has(supported, kFeatures[i])) missing.emplace_back(kFeatures[i].name);
  }
  return missing;
}

std::vector<std::string> missing_features(const Features& supported, std::span<const std::uint32_t> module) {
  std::vector<std::string> missing;
  for (const std::uint32_t capability : codegen::spirv_capabilities(module)) {
    for (const Feature& feature : kFeatures) {
      if (static_cast<std::uint32_t>(feature.capability) == capability && !has(supported, feature)) {
        missing.emplace_back(feature.name);
      }
    }
  }
  return missing;
}

}  // namespace weakspot::backend::vulkan
