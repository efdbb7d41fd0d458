// SPDX-License-Identifier: MIT
// A missing proxy fence as a litmus test: a store, what orders the threads, a bulk copy and the wait for it, and the
// question whether the copy misses the store, or the store undoes the copy.
#pragma once

#include <string>

#include "base/result.h"
#include "litmus/test.h"
#include "race/report.h"

namespace weakspot::distil {

bool is_missing_proxy_fence(const race::Finding& finding);

// The test of such a finding, or, with the fence, its repair.
base::Result<litmus::LitmusTest> proxy_test(const race::Finding& finding, const std::string& name, bool fenced);
// Says in words where the fence belongs.
std::string proxy_repair(const race::Finding& finding);

}  // namespace weakspot::distil
