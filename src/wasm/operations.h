// SPDX-License-Identifier: MIT
// What the core can be asked, by the field `do` of a request.
#pragma once

#include <span>
#include <string_view>

#include "base/json.h"
#include "base/json_fields.h"
#include "base/result.h"
#include "wasm/state.h"

namespace weakspot::wasm {

using Reply = base::Result<base::JsonValue>;

struct Operation {
  std::string_view name;
  Reply (*run)(State& state, base::JsonFields& fields);
};

// A file each: about_tests.cpp and so on.
std::span<const Operation> test_operations();
std::span<const Operation> verdict_operations();
std::span<const Operation> making_operations();
std::span<const Operation> environment_operations();
std::span<const Operation> run_operations();
std::span<const Operation> program_operations();

}  // namespace weakspot::wasm
