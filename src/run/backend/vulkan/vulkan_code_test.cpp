// SPDX-License-Identifier: MIT
// Drivers that pretend: with the names of representations that Mesa's drivers for AMD and Intel have.
#include "backend/vulkan/vulkan_code.h"

#include <gtest/gtest.h>

#include <cstring>

namespace weakspot::backend::vulkan {
namespace {

std::vector<std::pair<const char*, std::size_t>> shown;

VkResult properties(VkDevice, const VkPipelineInfoKHR*, std::uint32_t* count, VkPipelineExecutablePropertiesKHR*) {
  *count = 1;
  return VK_SUCCESS;
}
VkResult statistics(VkDevice, const VkPipelineExecutableInfoKHR*, std::uint32_t* count,
                    VkPipelineExecutableStatisticKHR*) {
  *count = 0;
  return VK_SUCCESS;
}
VkResult internals(VkDevice, const VkPipelineExecutableInfoKHR*, std::uint32_t* count,
                   VkPipelineExecutableInternalRepresentationKHR* all) {
  *count = static_cast<std::uint32_t>(shown.size());
  for (std::size_t i = 0; all != nullptr && i < shown.size(); ++i) {
    std::strcpy(all[i].name, shown[i].first);
    all[i].dataSize = shown[i].second;
  }
  return VK_SUCCESS;
}

std::string reason_of(std::vector<std::pair<const char*, std::size_t>> representations) {
  shown = std::move(representations);
  StatisticFunctions call;
  call.vkGetPipelineExecutablePropertiesKHR = properties;
  call.vkGetPipelineExecutableStatisticsKHR = statistics;
  call.vkGetPipelineExecutableInternalRepresentationsKHR = internals;
  const MachineCode code = shown_code(call, VK_NULL_HANDLE, VK_NULL_HANDLE);
  EXPECT_TRUE(code.form == CodeForm::none);
  return code.reason;
}

TEST(VulkanCode, SaysWhyThereIsNone) {
  EXPECT_EQ("the driver does not have VK_KHR_pipeline_executable_properties",
            shown_code({}, VK_NULL_HANDLE, VK_NULL_HANDLE).reason);
  // NVIDIA's driver has statistics alone.
  EXPECT_EQ("the driver shows no code", reason_of({}));
  EXPECT_EQ("the driver shows no code", reason_of({{"Assembly", 0}}));
  EXPECT_EQ("the driver shows 'NIR Shader(s)', 'ACO IR', 'Assembly', which optcheck cannot read",
            reason_of({{"NIR Shader(s)", 4000}, {"ACO IR", 3000}, {"Assembly", 2000}}));
}

}  // namespace
}  // namespace weakspot::backend::vulkan
