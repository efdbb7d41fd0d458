// SPDX-License-Identifier: MIT
// The code that a device would be given for tests.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "codegen/device_program.h"

namespace weakspot::workbench {

struct EmitRequest {
  std::vector<std::string> tests;  // as for_each_test() takes them
  codegen::Target target = codegen::Target::ptx;
  std::string device;                 // an id, instead of the target; empty: none
  std::string environment = "basic";  // as read_environments() takes it
};

struct Emitted {
  std::string test;
  codegen::DeviceProgram program;
};
base::Result<std::vector<Emitted>> emit(const EmitRequest& request);

}  // namespace weakspot::workbench
