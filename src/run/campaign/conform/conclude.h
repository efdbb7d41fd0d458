// SPDX-License-Identifier: MIT
// Concludes a conformance run from its records: a verdict for each test, and one for the device.
#pragma once

#include "campaign/conform.h"

namespace weakspot::campaign {

void conclude(ConformReport& report);

// The kills of a mutant that the runs of its test should have seen, from the lower ends of its rates.
double sure_kills(const MutantResult& mutant, const TestResult& test);

}  // namespace weakspot::campaign
