// SPDX-License-Identifier: MIT
// Compute pipelines made from SPIR-V, with their register counts if the driver reports them, and a pipeline of our own
// that clears memory at full speed, which vkCmdFillBuffer does not do on every driver.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "backend/machine_code.h"
#include "backend/vulkan/vulkan_context.h"

namespace weakspot::backend::vulkan {

struct Pipeline {
  Owned<VkPipeline> handle;
  // Per thread; known if the device has VK_KHR_pipeline_executable_properties and the driver counts them.
  std::optional<std::uint32_t> registers;
  std::optional<MachineCode> code;  // if it is to be inspected
};

// A layout whose push constants are `count` addresses.
VkResult create_layout(const Context& context, std::size_t count, Owned<VkPipelineLayout>& made);

VkResult create_module(const Context& context, std::span<const std::uint32_t> words, Owned<VkShaderModule>& made);

VkResult create_pipeline(const Context& context, VkShaderModule module, VkPipelineLayout layout,
                         const std::string& entry, bool inspected, Pipeline& made);

// Clears memory with a kernel.
class Clearing {
 public:
  VkResult create(const Context& context);

  // Records the clearing of `words` words from `address` on, and returns how many it covers, from the first on: the
  // rest, and everything before create(), is up to vkCmdFillBuffer. Leaves its pipeline and push constants bound.
  std::uint64_t record(const Context& context, VkCommandBuffer commands, VkDeviceAddress address,
                       std::uint64_t words) const;

 private:
  Owned<VkPipelineLayout> layout_;
  Pipeline pipeline_;
  std::uint64_t words_per_group_ = 0;
};

}  // namespace weakspot::backend::vulkan
