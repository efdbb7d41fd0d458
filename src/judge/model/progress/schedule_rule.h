// SPDX-License-Identifier: MIT
// What a progress model lets happen for ever.
#pragma once

#include <span>

#include "model/execution/frame.h"
#include "model/progress_model.h"

namespace weakspot::model {

// Whether the progress model lets the threads stay like this, by thread, without the test having ended.
bool may_last(Progress progress, std::span<const Ending> endings);

}  // namespace weakspot::model
