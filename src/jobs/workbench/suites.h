// SPDX-License-Identifier: MIT
// Loads conformance suites from files, from the program's own collection, or from generated tests.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "backend/device.h"
#include "base/result.h"
#include "campaign/conformance_suite.h"

namespace weakspot::workbench {

// A file, the name of a generated suite that has mutants, or, if empty, the program's own suite for the device: a
// curated one, else mc-mutants in the environments of the sweep.
base::Result<campaign::ConformanceSuite> load_suite(const std::string& name, const backend::DeviceInfo& info);

// The curated suite of a family of devices as the program carries it, for where its files are not.
std::optional<std::string> carried_suite(std::string_view family);

// The tests and mutants of a generated suite, without environments.
base::Result<campaign::ConformanceSuite> generated_suite(const std::string& name);

// Marks the mutants that the device cannot show (see observability.h).
base::Status prune_unobservable(campaign::ConformanceSuite& suite, const backend::DeviceInfo& info,
                                const std::atomic<bool>* stop = nullptr);

// Drops the rates and statuses of the mutants, which do not hold on other devices or in other environments.
void forget_mutants(campaign::ConformanceSuite& suite);

// A generated suite with the environments and rates of a journal of `tune`.
struct RatedSuiteRequest {
  std::string suite;
  std::string journal;      // the file
  std::string family;       // family of devices; empty: the journal's device
  std::string measured_on;  // empty: as the journal says
};
base::Result<campaign::ConformanceSuite> rated_suite(const RatedSuiteRequest& request);

}  // namespace weakspot::workbench
