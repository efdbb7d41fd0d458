// SPDX-License-Identifier: MIT
// The environment in which a test's outcome is likely to be seen most often on a device: that of the test of its shape
// that the shipped suite for the kind of device has measured.
#pragma once

#include <optional>
#include <string>

#include "backend/device.h"
#include "base/result.h"
#include "campaign/conformance_suite.h"
#include "codegen/environment.h"
#include "litmus/test.h"

namespace weakspot::workbench {

// The shape of a test: the accesses of its threads, without orders, fences, scopes and values. Equal for tests that
// differ in the order of threads or in the names of locations: "R0 R1|W1 W0" for MP and its relatives.
std::string shape_of(const litmus::LitmusTest& test);

class BestEnvironments {
 public:
  // Fails if the suite for the device cannot be read.
  static base::Result<BestEnvironments> of(const backend::DeviceInfo& device);

  struct Choice {
    codegen::TestEnvironment environment;
    std::string why;  // "best known for the shape of MP on cpu-aarch64, where it shows MP-relacq-nofence"
  };
  // First by shape, then by the number of fences, then by rate; without a test of that shape, the environment that
  // shows most tests of the suite. Nothing if there are no rates for the device, or if it cannot run the test there.
  std::optional<Choice> choose(const litmus::LitmusTest& test) const;

 private:
  BestEnvironments(backend::DeviceInfo device, campaign::ConformanceSuite suite)
      : device_(std::move(device)), suite_(std::move(suite)) {}

  backend::DeviceInfo device_;
  campaign::ConformanceSuite suite_;
};

}  // namespace weakspot::workbench
