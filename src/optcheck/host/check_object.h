// SPDX-License-Identifier: MIT
// The object code that PoCL made of a kernel, against its OpenCL C, and the OpenCL C against the test.
#pragma once

#include <string_view>

#include "litmus/test.h"
#include "optcheck/elf.h"
#include "optcheck/verdict.h"

namespace weakspot::optcheck {

struct KernelObject {
  Bytes image;  // an ELF file with line information
  std::string_view source;
  std::string_view kernel;
};

CodeCheck check_object(const litmus::LitmusTest& test, const KernelObject& object);

}  // namespace weakspot::optcheck
