// SPDX-License-Identifier: MIT
#include "backend/vulkan/vulkan_pipeline.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "backend/vulkan/vulkan_code.h"
#include "codegen/spirv_module.h"

namespace weakspot::backend::vulkan {
namespace {

// Fewer words are not worth a dispatch.
constexpr std::uint64_t kClearFrom = std::uint64_t{1} << 16;
// Every device accepts this many workgroups in one dispatch.
constexpr std::uint64_t kClearGroups = 65535;

std::optional<std::uint32_t> registers_of(const Context& context, VkPipeline pipeline) {
  const StatisticFunctions& call = context.statistics;
  if (!call.complete()) return std::nullopt;
  VkPipelineInfoKHR info{VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR};
  info.pipeline = pipeline;
  std::uint32_t executables = 0;
  if (call.vkGetPipelineExecutablePropertiesKHR(context.device, &info, &executables, nullptr) != VK_SUCCESS) {
    return std::nullopt;
  }
  std::optional<std::uint32_t> most;
  for (std::uint32_t i = 0; i < executables; ++i) {
    VkPipelineExecutableInfoKHR executable{VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR};
    executable.pipeline = pipeline;
    executable.executableIndex = i;
    std::uint32_t count = 0;
    if (call.vkGetPipelineExecutableStatisticsKHR(context.device, &executable, &count, nullptr) != VK_SUCCESS) continue;
    VkPipelineExecutableStatisticKHR empty{VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR};
    std::vector<VkPipelineExecutableStatisticKHR> statistics(count, empty);
    if (call.vkGetPipelineExecutableStatisticsKHR(context.device, &executable, &count, statistics.data()) !=
        VK_SUCCESS) {
      continue;
    }
    for (const VkPipelineExecutableStatisticKHR& statistic : statistics) {
      // Drivers choose the names; this is NVIDIA's.
      if (std::string_view(statistic.name) != "Register Count") continue;
      const std::uint64_t value = statistic.format == VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_INT64_KHR
                                      ? static_cast<std::uint64_t>(statistic.value.i64)
                                      : statistic.value.u64;
      most = std::max(most.value_or(0), static_cast<std::uint32_t>(value));
    }
  }
  return most;
}

}  // namespace

VkResult create_layout(const Context& context, std::size_t count, Owned<VkPipelineLayout>& made) {
  const VkPushConstantRange range{VK_SHADER_STAGE_COMPUTE_BIT, 0,
                                  static_cast<std::uint32_t>(count * sizeof(VkDeviceAddress))};
  VkPipelineLayoutCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  info.pushConstantRangeCount = 1;
  info.pPushConstantRanges = &range;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  const VkResult result = context.call.vkCreatePipelineLayout(context.device, &info, nullptr, &layout);
  if (result == VK_SUCCESS) made = Owned<VkPipelineLayout>(layout, {&context, context.call.vkDestroyPipelineLayout});
  return result;
}

VkResult create_module(const Context& context, std::span<const std::uint32_t> words, Owned<VkShaderModule>& made) {
  VkShaderModuleCreateInfo info{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
  info.codeSize = words.size_bytes();
  info.pCode = words.data();
  VkShaderModule module = VK_NULL_HANDLE;
  const VkResult result = context.call.vkCreateShaderModule(context.device, &info, nullptr, &module);
  if (result == VK_SUCCESS) made = Owned<VkShaderModule>(module, {&context, context.call.vkDestroyShaderModule});
  return result;
}

VkResult create_pipeline(const Context& context, VkShaderModule module, VkPipelineLayout layout,
                         const std::string& entry, bool inspected, Pipeline& made) {
  VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  if (context.statistics.complete()) info.flags = VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR;
  if (inspected && context.statistics.complete()) {
    info.flags |= VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR;
  }
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = module;
  info.stage.pName = entry.c_str();
  info.layout = layout;
  VkPipeline pipeline = VK_NULL_HANDLE;
  const VkResult result =
      context.call.vkCreateComputePipelines(context.device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
  if (result != VK_SUCCESS) return result;
  made.handle = Owned<VkPipeline>(pipeline, {&context, context.call.vkDestroyPipeline});
  made.registers = registers_of(context, pipeline);
  if (inspected) made.code = shown_code(context.statistics, context.device, pipeline);
  return VK_SUCCESS;
}

VkResult Clearing::create(const Context& context) {
  VkResult result = create_layout(context, 1, layout_);
  if (result != VK_SUCCESS) return result;
  Owned<VkShaderModule> module;
  const codegen::ClearingModule clearing = codegen::clearing_module();
  words_per_group_ = clearing.words_per_workgroup;
  result = create_module(context, clearing.words, module);
  if (result != VK_SUCCESS) return result;
  return create_pipeline(context, module.get(), layout_.get(), "clear", false, pipeline_);
}

std::uint64_t Clearing::record(const Context& context, VkCommandBuffer commands, VkDeviceAddress address,
                               std::uint64_t words) const {
  if (pipeline_.handle.get() == VK_NULL_HANDLE || words < kClearFrom) return 0;
  context.call.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_.handle.get());
  const std::uint64_t groups = words / words_per_group_;
  for (std::uint64_t done = 0; done < groups; done += kClearGroups) {
    const VkDeviceAddress at = address + done * words_per_group_ * 4;
    context.call.vkCmdPushConstants(commands, layout_.get(), VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof at, &at);
    context.call.vkCmdDispatch(commands, static_cast<std::uint32_t>(std::min(groups - done, kClearGroups)), 1, 1);
  }
  return groups * words_per_group_;
}

}  // namespace weakspot::backend::vulkan
