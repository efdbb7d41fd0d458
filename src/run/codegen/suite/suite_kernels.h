// SPDX-License-Identifier: MIT
// The kernels of suite_program.h.
#pragma once

#include <set>

#include "codegen/harness/harness.h"
#include "codegen/suite_shape.h"

namespace weakspot::codegen {

// `allowed`: the numbers of the outcomes that the check accepts, by the harness's encoding.
KernelModule build_suite_kernels(const Harness& harness, const SuiteShape& shape,
                                 const std::set<std::uint64_t>& allowed);

}  // namespace weakspot::codegen
