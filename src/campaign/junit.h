// Records as JUnit XML, for continuous integration: one test case per test and device. A forbidden outcome is a
// failure with its witness as text, a lost or failed device an error, a test that the device cannot run skipped.
#pragma once

#include <string>
#include <vector>

#include "campaign/run_record.h"

namespace weakspot::campaign {

std::string junit_xml(const std::vector<RunRecord>& records);

}  // namespace weakspot::campaign
