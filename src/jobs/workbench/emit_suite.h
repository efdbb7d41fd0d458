// SPDX-License-Identifier: MIT
// Tests for the conformance suites of others, proved by the model: a file per test and per mutant, whose own check
// accepts the outcomes that the model allows and no others.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace weakspot::workbench {

// The suites: Amber's scripts for Vulkan, OpenCL-CTS, and the WebGPU CTS.
enum class ForeignSuite : std::uint8_t { amber, opencl_cts, webgpu_cts };
std::string_view to_string(ForeignSuite suite);  // amber opencl-cts webgpu-cts
std::optional<ForeignSuite> foreign_suite_named(std::string_view name);
std::vector<std::string> foreign_suite_words();

struct SuiteFile {
  std::string test;       // its name; empty for files about all tests
  std::string mutant_of;  // the test that it is a mutant of; else empty
  std::string path;       // in the suite's folder
  std::string text;
};

struct EmitSuiteRequest {
  std::vector<std::string> tests;  // as for_each_test() takes them
  ForeignSuite suite = ForeignSuite::amber;
};

// The tests, each followed by its mutants, then the files about all of them. Fails for a test whose condition the
// model does not forbid, or that the suite cannot express; mutants that it cannot express are left out.
base::Result<std::vector<SuiteFile>> emit_suite(const EmitSuiteRequest& request);
// Writes the files, and makes the folder if it does not exist.
base::Status write_suite(const std::string& folder, const std::vector<SuiteFile>& files);

}  // namespace weakspot::workbench
