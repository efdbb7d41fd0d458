// SPDX-License-Identifier: MIT
// Reads the driver's machine code for a pipeline, through VK_KHR_pipeline_executable_properties.
#pragma once

#include "backend/machine_code.h"
#include "backend/vulkan/vulkan_driver.h"

namespace weakspot::backend::vulkan {

// The pipeline must have been made with its representations captured. No reader knows a form in which drivers show
// code, so the result has no code: its reason says what is lacking.
MachineCode shown_code(const StatisticFunctions& call, VkDevice device, VkPipeline pipeline);

}  // namespace weakspot::backend::vulkan
