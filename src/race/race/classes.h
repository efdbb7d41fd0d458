// SPDX-License-Identifier: MIT
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
  ClassId number;
  std::string_view id;    // "E1"
  std::string_view name;  // "data-race"
  Severity severity;
  std::string_view summary;  // a sentence
  std::string_view help;     // general advice
};

// In the order of their numbers.
std::span<const FindingClass> finding_classes();
const FindingClass& class_of(ClassId number);
// Null if no class has that name.
const FindingClass* find_class(std::string_view id);
// The same by either name, in upper or lower case: "e1", "data-race".
const FindingClass* class_named(std::string_view word);

// "E1, E2, ..."
std::string class_list();

// "; did you mean 'E1'?", or nothing: the end of a message about a word that is not a class. Long names are understood.
std::string meant_class(std::string_view word);

// Makes the finding one of the class, with the severity of the class.
void classify(Finding& finding, ClassId number);

// Parses the list of classes that make the command fail: "E1,D2" or "none".
base::Result<std::vector<ClassId>> parse_fail_on(std::string_view text);
// Whether a finding of the report counts; without a list, errors and warnings do.
bool fails(const Report& report, const std::vector<ClassId>* classes);

}  // namespace weakspot::race
