// SPDX-License-Identifier: MIT
// Kernels as PTX text for NVIDIA's driver.
#pragma once

#include <string>

#include "codegen/device_program.h"
#include "codegen/kernel/kernel.h"

namespace weakspot::codegen {

struct PtxOptions {
  std::string prefix;  // for entry names, so that several modules can share one text
  bool header = true;  // .version, .target, .address_size
};

// The versions for the header: PTX 7.0 and sm_70 unless a kernel needs newer ones.
struct PtxVersion {
  int isa = 70;
  int arch = 70;
  friend bool operator==(const PtxVersion&, const PtxVersion&) = default;
};
PtxVersion ptx_version(const KernelModule& module);
std::string ptx_header(const PtxVersion& version);
// The declaration that kernels with loads from constant memory need: all that a file may have. Part of the header.
std::string ptx_constant_memory();

std::string print_ptx(const KernelModule& module, const PtxOptions& options = {},
                      std::vector<CodeLine>* lines = nullptr);

}  // namespace weakspot::codegen
