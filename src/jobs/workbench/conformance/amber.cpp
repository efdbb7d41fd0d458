// SPDX-License-Identifier: MIT
// A test as a script for Amber.
#include <fmt/format.h>

#include "codegen/spirv_text.h"
#include "workbench/conformance/suite_texts.h"

namespace weakspot::workbench {

base::Result<std::string> amber_script(const ProvedTest& test) {
  const codegen::SuiteProgram& program = test.program;
  const base::Result<std::string> shader = codegen::spirv_text(program.program.words);
  if (!shader) return shader.errors();
  const bool device_scope = shader->find("VulkanMemoryModelDeviceScope") != std::string::npos;
  std::string text = "#!amber\n" + proof_comment(test, "#") + "\n";
  text += "DEVICE_EXTENSION VK_KHR_vulkan_memory_model\n";
  text += "DEVICE_FEATURE VulkanMemoryModelFeatures.vulkanMemoryModel\n";
  if (device_scope) text += "DEVICE_FEATURE VulkanMemoryModelFeatures.vulkanMemoryModelDeviceScope\n";
  text += fmt::format("\nSHADER compute kernels SPIRV-ASM TARGET_ENV spv1.5\n{}END\n\n", *shader);
  for (std::size_t i = 0; i < program.buffer_words.size(); ++i) {
    text +=
        fmt::format("BUFFER {} DATA_TYPE uint32 SIZE {} FILL 0\n", program.program.buffers[i], program.buffer_words[i]);
  }
  for (const codegen::Entry& entry : program.program.entries) {
    text += fmt::format("\nPIPELINE compute {}_pipeline\n  ATTACH kernels ENTRY_POINT {}\n", entry.name, entry.name);
    for (const std::uint32_t buffer : entry.buffers) {
      text += fmt::format("  BIND BUFFER {} AS storage DESCRIPTOR_SET 0 BINDING {}\n", program.program.buffers[buffer],
                          buffer);
    }
    text += "END\n";
  }
  text += fmt::format("\nREPEAT {}\n", kSuiteRepeats);
  for (const codegen::Entry& entry : program.program.entries) {
    text += fmt::format("  RUN {}_pipeline {} 1 1\n", entry.name, program.shape.workgroups);
  }
  text += fmt::format(
      "END\n\n# Word 0 counts instances with a forbidden outcome, word 1 all instances.\n"
      "EXPECT counts IDX 0 EQ 0\nEXPECT counts IDX 4 EQ {}\n",
      std::uint64_t{program.instances} * kSuiteRepeats);
  return text;
}

}  // namespace weakspot::workbench
