// SPDX-License-Identifier: MIT
#include "workbench/model_choice.h"

#include "model/library.h"

namespace weakspot::workbench {

std::string judging_model(const litmus::LitmusTest& test, const backend::DeviceInfo* /*device*/,
                          const std::string& asked) {
  return asked.empty() ? model::default_model(test.arch) : asked;
}

std::optional<std::string> hardware_model(const backend::DeviceInfo& device) {
  if (device.target != codegen::Target::cpu) return std::nullopt;
  return device.limits.cpu.isa == codegen::CpuIsa::aarch64 ? "aarch64" : "tso";
}

std::string mutant_model(const litmus::LitmusTest& mutant) {
  return mutant.arch == litmus::Arch::generic ? "ptx" : model::default_model(mutant.arch);
}

}  // namespace weakspot::workbench
