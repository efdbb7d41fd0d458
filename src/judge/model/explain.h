// SPDX-License-Identifier: MIT
// The reason of a verdict for a person: executions and failed checks as text. The test that a witness comes from must
// still exist. picture.h draws them.
#pragma once

#include <string>

#include "model/limits.h"

namespace weakspot::model {

class Model;
struct Verdict;

// Explains a verdict made with JudgeOptions::explain: an allowed execution, or why the execution asked for is
// forbidden, and the flag that an execution raises. Indented lines; empty for an unknown verdict. `limits` are those of
// the verdict: the explanation has the rest of its time, but at least a tenth of it. The text says so if that was not
// enough.
std::string explain_verdict(const Verdict& verdict, const Model& model, const Limits& limits = {});

}  // namespace weakspot::model
