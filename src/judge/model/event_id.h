// SPDX-License-Identifier: MIT
// The name of an event within one execution.
#pragma once

#include <cstdint>

namespace weakspot::model {

using EventId = std::uint32_t;

}  // namespace weakspot::model
