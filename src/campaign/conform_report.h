// A conformance report for programs and for people. docs/conformance.md describes the forms.
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
// A case per test and device: violations are failures, what a lost device did not run are errors, other tests that
// tell nothing are skipped.
std::string conform_junit(const ConformReports& reports);
// SARIF 2.1.0: a result per violation, a warning per test that a lost device did not run, and a note per other
// inconclusive test.
std::string conform_sarif(const ConformReports& reports);
// Verdict, confidence, death rates, what more or less time would reach, and the outcomes of all runs.
std::string conform_html(const ConformReports& reports);

// The device failed before the test had run as planned.
bool has_failed(const TestResult& result);

// "99.9994 %"; what is nearer to certainty than can be told apart is "> 99.9999999 %".
std::string percent_text(double probability);

}  // namespace weakspot::campaign
