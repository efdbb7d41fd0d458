// SPDX-License-Identifier: MIT
// An environment as a field of a request: a text, as `--env` takes it, or an object with some parameters.
#pragma once

#include <string_view>

#include "base/result.h"
#include "codegen/environment.h"
#include "json/json_fields.h"

namespace weakspot::core {

base::Result<codegen::TestEnvironment> environment_field(base::JsonFields& fields, std::string_view key,
                                                         std::string_view otherwise);

}  // namespace weakspot::core
