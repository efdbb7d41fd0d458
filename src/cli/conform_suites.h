// Where conformance suites come from: files, the collection that comes with the program, and generated tests.
#pragma once

#include <string>

#include "backend/device.h"
#include "base/result.h"
#include "campaign/conformance_suite.h"

namespace weakspot::cli {

// The kind of device that a curated suite is for: "cpu-aarch64", "cpu-x86_64", "nvidia", or the device's own name.
std::string family_of(const backend::DeviceInfo& info);

// A file, the name of a generated suite that has mutants, or, if empty, what the program has for the device: its
// curated suite, else mc-mutants in the environments of the default sweep.
base::Result<campaign::ConformanceSuite> load_suite(const std::string& name, const backend::DeviceInfo& info);

// The tests and mutants of a generated suite, without environments.
base::Result<campaign::ConformanceSuite> generated_suite(const std::string& name);

// Marks the mutants that the architecture of the device cannot show, as its model says. GPUs have no such model: there
// all mutants count.
base::Status prune_unobservable(campaign::ConformanceSuite& suite, const backend::DeviceInfo& info);

}  // namespace weakspot::cli
