// SPDX-License-Identifier: MIT
// Work for several threads of the program, on platforms that have them.
#pragma once

#include <functional>

namespace weakspot::base {

// Calls work(0) to work(count - 1) and returns when all have returned: at the same time, or one after the other where
// the platform has no threads.
void in_parallel(unsigned count, const std::function<void(unsigned)>& work);

}  // namespace weakspot::base
