// SPDX-License-Identifier: MIT
// The files of suites.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "workbench/conformance/proof.h"

namespace weakspot::workbench {

// How often a suite runs the two kernels of a test.
inline constexpr std::uint32_t kSuiteRepeats = 256;

// The proof as comments, each line after `mark`: the test, the outcomes that are allowed, and those that are not.
std::string proof_comment(const ProvedTest& test, std::string_view mark);

base::Result<std::string> amber_script(const ProvedTest& test);
std::string opencl_kernels(const ProvedTest& test);
// The table of all tests for a host in C++, and a host that needs nothing but OpenCL.
std::string opencl_table(const std::vector<ProvedTest>& tests);
std::string opencl_host();
std::string webgpu_spec(const ProvedTest& test);

// A page with the tests and their mutants.
std::string suite_page(const std::vector<ProvedTest>& tests, std::string_view title);

}  // namespace weakspot::workbench
