// SPDX-License-Identifier: MIT
// A curated suite: conformance tests, the mutants that show whether an environment can reveal a violation of each,
// the environments to run them in, and how often per second each mutant was killed there when the suite was measured.
// docs/conformance.md describes its file, which is all that is needed to run it again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "codegen/environment.h"
#include "litmus/test.h"

namespace weakspot::campaign {

enum class MutantStatus : std::uint8_t {
  observable,    // a device of this family can show it, as far as is known
  unobservable,  // the model of the device's architecture forbids it
  unseen,        // allowed, but devices of the family that the suite was measured on never showed it
};
std::string_view to_string(MutantStatus status);

struct KillRate {
  std::size_t environment = 0;  // number in the suite
  double per_second = 0;

  friend bool operator==(const KillRate&, const KillRate&) = default;
};

struct SuiteMutant {
  litmus::LitmusTest test;
  std::string mutator;
  MutantStatus status = MutantStatus::observable;
  std::string reason;           // why it is not observable
  std::vector<KillRate> rates;  // in environments that kill it, highest first; empty if not measured

  friend bool operator==(const SuiteMutant&, const SuiteMutant&) = default;
};

// The file of a test, for reports that point to it. It does not belong to the meaning of a suite, so all compare equal.
struct SuitePlace {
  std::string file;  // of the suite, or of the test alone if the suite is generated; empty: not known
  unsigned line = 1;

  friend bool operator==(const SuitePlace&, const SuitePlace&) { return true; }
};

struct SuiteTest {
  litmus::LitmusTest test;
  std::vector<SuiteMutant> mutants;
  SuitePlace place = {};

  friend bool operator==(const SuiteTest&, const SuiteTest&) = default;
};

struct ConformanceSuite {
  std::string name;
  std::string family;       // of devices: "nvidia", "cpu-aarch64"; empty: any
  std::string measured_on;  // device and driver; empty: not measured
  std::vector<codegen::TestEnvironment> environments;
  std::vector<SuiteTest> tests;

  friend bool operator==(const ConformanceSuite&, const ConformanceSuite&) = default;
};

// The environments worth trying for a test: those in which its mutants were killed, or all if none was measured.
std::vector<std::size_t> candidates_of(const ConformanceSuite& suite, const SuiteTest& test);

std::string to_json(const ConformanceSuite& suite);
base::Result<ConformanceSuite> suite_from_json(const base::Source& text);

}  // namespace weakspot::campaign
