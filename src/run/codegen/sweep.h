// SPDX-License-Identifier: MIT
// The environments to try on an unknown device. Each was the best at showing some behaviour on some machine of its
// kind; together they show what short runs can show.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "codegen/environment.h"

namespace weakspot::codegen {

enum class SweepFor : std::uint8_t {
  gpu,
  host_driver,  // a GPU interface whose driver runs on the host's own processor
  cpu,
  mixed,  // a CPU and a GPU together
};

// The environments as texts for parse_environment(), the most versatile first.
std::span<const std::string_view> default_sweep_texts(SweepFor machine);
std::vector<TestEnvironment> default_sweep(SweepFor machine);

}  // namespace weakspot::codegen
