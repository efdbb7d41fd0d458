// The classes of findings: their names, how grave they are, and what they mean. docs/race.md has the same table.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "race/report.h"

namespace weakspot::race {

struct FindingClass {
  std::string_view id;    // "E1"
  std::string_view name;  // "data-race"
  Severity severity;
  std::string_view summary;  // a sentence
  std::string_view help;     // what to do, in general
};

std::span<const FindingClass> finding_classes();
// Null if there is none of that name.
const FindingClass* find_class(std::string_view id);

// Which classes make the command fail: "E1,D2" or "none".
base::Result<std::vector<std::string>> parse_fail_on(std::string_view text);
// Whether a finding of the report counts; without a list, errors and warnings do.
bool fails(const Report& report, const std::vector<std::string>* classes);

}  // namespace weakspot::race
