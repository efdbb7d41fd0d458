// SPDX-License-Identifier: MIT
// The operations of the core: one function each, named in the table of answer.cpp.
#pragma once

#include "base/result.h"
#include "core/operations/state.h"
#include "json/json.h"
#include "json/json_fields.h"

namespace weakspot::core {

using Reply = base::Result<base::JsonValue>;
using Operation = Reply(State& state, base::JsonFields& fields);

Operation version, dialects, corpus, read, convert;      // about_tests.cpp
Operation models, model, check, fences;                  // about_verdicts.cpp
Operation mutators, mutate, generate, suites, suite;     // about_making.cpp
Operation environments, environment, draw_environments;  // about_environments.cpp
Operation emit, classify_outcomes, statistics;           // about_runs.cpp
Operation compile, plan, decode, release;                // about_programs.cpp

}  // namespace weakspot::core
