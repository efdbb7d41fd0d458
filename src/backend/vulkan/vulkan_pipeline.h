// Compute pipelines: made from SPIR-V, with the registers each takes where the driver tells, and one of our own that
// clears memory at the speed of the memory, which vkCmdFillBuffer does not on every driver.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "backend/vulkan/vulkan_context.h"

namespace weakspot::backend::vulkan {

struct Pipeline {
  Owned<VkPipeline> handle;
  // Per thread; known where the device has VK_KHR_pipeline_executable_properties and the driver counts them.
  std::optional<std::uint32_t> registers;
};

// A layout whose push constants are `count` addresses.
VkResult create_layout(const Context& context, std::size_t count, Owned<VkPipelineLayout>& made);

VkResult create_module(const Context& context, std::span<const std::uint32_t> words, Owned<VkShaderModule>& made);

VkResult create_pipeline(const Context& context, VkShaderModule module, VkPipelineLayout layout,
                         const std::string& entry, Pipeline& made);

// Clears memory by a kernel.
class Clearing {
 public:
  VkResult create(const Context& context);

  // Records the clearing of `words` words from `address` on, and returns how many of the first it covers: the rest, and
  // everything before create(), is up to vkCmdFillBuffer. Leaves a pipeline and push constants of its own bound.
  std::uint64_t record(const Context& context, VkCommandBuffer commands, VkDeviceAddress address,
                       std::uint64_t words) const;

 private:
  Owned<VkPipelineLayout> layout_;
  Pipeline pipeline_;
};

}  // namespace weakspot::backend::vulkan
