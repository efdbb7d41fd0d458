// SPDX-License-Identifier: MIT
// Records as JUnit XML, for continuous integration: one test case per test and device. A forbidden outcome is a
// failure with its witness as text, and a lost or failed device is an error. A test that the device cannot run is
// skipped.
#pragma once

#include <string>
#include <vector>

#include "campaign/run_record.h"

namespace weakspot::campaign {

std::string junit_xml(const std::vector<RunRecord>& records);

}  // namespace weakspot::campaign
