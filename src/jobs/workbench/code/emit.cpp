// SPDX-License-Identifier: MIT
#include "workbench/emit.h"

#include "codegen/test_program.h"
#include "workbench/devices.h"
#include "workbench/environments.h"
#include "workbench/inputs.h"

namespace weakspot::workbench {
namespace {

// A device that can do everything, for a target without a device.
backend::DeviceInfo able_device(codegen::Target target) {
  backend::DeviceInfo info;
  info.target = target;
  info.limits.ptx_arch = 90;
  info.limits.max_cluster = 8;
  return info;
}

}  // namespace

base::Result<std::vector<Emitted>> emit(const EmitRequest& request) {
  const base::Result<backend::DeviceInfo> info =
      request.device.empty() ? able_device(request.target) : this_machine().describe(request.device);
  if (!info) return info.errors();
  const base::Result<Environments> environments = read_environments(request.environment, *info);
  if (!environments) return environments.errors();
  const TestInputs inputs = load_tests(request.tests);
  if (!inputs.errors.empty()) return inputs.errors;
  std::vector<Emitted> programs;
  for (const TestInput& input : inputs.tests) {
    const auto program = codegen::TestProgram::compile(input.test, environments->front(), info->target, info->limits);
    if (!program) return program.errors();
    programs.push_back({input.test.name, program->program()});
  }
  return programs;
}

}  // namespace weakspot::workbench
