// SPDX-License-Identifier: MIT
// SARIF 2.1.0, the form in which editors and code hosts take findings: a value to fill in, and its text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "json/json.h"

namespace weakspot::report {

enum class SarifLevel : std::uint8_t { error, warning, note };

struct SarifRule {
  std::string id;
  std::string name;     // may be empty
  std::string summary;  // a sentence
  std::string help;     // general advice; may be empty
  SarifLevel level = SarifLevel::error;
};

// A place in a file, a named thing, or both.
struct SarifLocation {
  std::string file;               // a path; empty without a place in a file
  unsigned line = 0, column = 0;  // from 1; a column of 0 is unknown
  std::string name;               // empty without a named thing
  std::string qualified_name;     // may be empty
  std::string kind;               // of the named thing: "function", "resource"
};

struct SarifRelated {
  SarifLocation location;
  std::string message;
};

struct SarifResult {
  std::string rule;  // the id of one of the run's rules
  SarifLevel level = SarifLevel::error;
  std::string message;
  SarifLocation location;
  std::vector<SarifRelated> related;
  std::string fingerprint;  // the same for the same finding in another run; may be empty
  bool suppressed = false;
  std::string justification;   // for suppressing it; may be empty
  base::JsonValue properties;  // an object of facts that SARIF has no field for, or null
};

struct SarifRun {
  std::string version;  // this program's
  std::vector<SarifRule> rules;
  std::vector<std::string> warnings;  // about the run itself
  std::vector<SarifResult> results;
  base::JsonValue properties;  // an object of facts about the run, or null
};

// With the time and the command that made it, if they are known (base/invocation.h).
std::string to_sarif(const SarifRun& run);

}  // namespace weakspot::report
