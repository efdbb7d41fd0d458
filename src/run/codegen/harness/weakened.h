// SPDX-License-Identifier: MIT
// Faults planted on purpose, to show that violations are found: the test that runs differs from the one that is judged.
#pragma once

#include "codegen/environment.h"
#include "litmus/test.h"

namespace weakspot::codegen {

// `release`, `acquire`: such accesses are relaxed. `fence`: without fences. `scope`: accesses and fences reach no
// further than the workgroup. `rmw`: each read-modify-write is a load and then a store, which others can come between.
// `swap`: the first two neighbouring accesses of a thread of which neither uses what the other writes change places.
// `dependency`: values that are always 0 (r ^ r, r - r, r & 0, r * 0) are the constant.
litmus::LitmusTest weakened(litmus::LitmusTest test, Weaken weaken);

}  // namespace weakspot::codegen
