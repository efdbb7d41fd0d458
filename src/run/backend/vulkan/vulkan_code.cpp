// SPDX-License-Identifier: MIT
#include "backend/vulkan/vulkan_code.h"

#include <fmt/format.h>

#include <algorithm>

namespace weakspot::backend::vulkan {
namespace {

// The names of the forms in which the driver shows the code of one executable.
std::vector<std::string> representations(const StatisticFunctions& call, VkDevice device, VkPipeline pipeline,
                                         std::uint32_t index) {
  VkPipelineExecutableInfoKHR executable{VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR};
  executable.pipeline = pipeline;
  executable.executableIndex = index;
  std::uint32_t count = 0;
  auto get = call.vkGetPipelineExecutableInternalRepresentationsKHR;
  if (get(device, &executable, &count, nullptr) != VK_SUCCESS) return {};
  VkPipelineExecutableInternalRepresentationKHR empty{
      VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INTERNAL_REPRESENTATION_KHR};
  std::vector<VkPipelineExecutableInternalRepresentationKHR> all(count, empty);
  // Without room for the data the drivers say how much there is.
  if (get(device, &executable, &count, all.data()) < VK_SUCCESS) return {};
  all.resize(std::min<std::size_t>(count, all.size()));
  std::vector<std::string> names;
  for (const VkPipelineExecutableInternalRepresentationKHR& one : all) {
    if (one.dataSize != 0) names.emplace_back(one.name);
  }
  return names;
}

}  // namespace

MachineCode shown_code(const StatisticFunctions& call, VkDevice device, VkPipeline pipeline) {
  MachineCode code;
  code.reason = "the driver does not have VK_KHR_pipeline_executable_properties";
  if (!call.complete() || call.vkGetPipelineExecutableInternalRepresentationsKHR == nullptr) return code;
  code.reason = "the driver shows no code";
  VkPipelineInfoKHR info{VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR};
  info.pipeline = pipeline;
  std::uint32_t executables = 0;
  if (call.vkGetPipelineExecutablePropertiesKHR(device, &info, &executables, nullptr) != VK_SUCCESS) return code;
  std::string names;
  for (std::uint32_t i = 0; i < executables; ++i) {
    for (const std::string& name : representations(call, device, pipeline, i)) {
      names += fmt::format("{}'{}'", names.empty() ? "" : ", ", name);
    }
  }
  if (!names.empty()) code.reason = fmt::format("the driver shows {}, which optcheck cannot read", names);
  return code;
}

}  // namespace weakspot::backend::vulkan
