// SPDX-License-Identifier: MIT
// A conformance report in the forms that docs/conformance.md describes.
#pragma once

#include <string>
#include <vector>

#include "campaign/conform.h"

namespace weakspot::campaign {

using ConformReports = std::vector<ConformReport>;  // one per device

// The worst verdict of any device.
ConformVerdict overall(const ConformReports& reports);

// An object with an array of devices.
std::string conform_json(const ConformReports& reports);
// One case per test and device: violations are failures, tests that a failing device did not finish are errors, and
// inconclusive and unobservable tests are skipped.
std::string conform_junit(const ConformReports& reports);
// SARIF 2.1.0: an error for each violation, a warning for each test that a failing device did not finish, and a note
// for each other inconclusive test.
std::string conform_sarif(const ConformReports& reports);
// Verdict, confidence, death rates, the effect of more or less time, and the outcomes of all runs.
std::string conform_html(const ConformReports& reports);

// The device failed before the test had run as planned.
bool has_failed(const TestResult& result);

// "99.9994 %"; values too close to 1 to tell apart are "> 99.9999999 %".
std::string percent_text(double probability);

}  // namespace weakspot::campaign
