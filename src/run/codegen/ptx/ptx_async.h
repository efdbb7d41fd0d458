// SPDX-License-Identifier: MIT
// PTX's asynchronous instructions, without their operands.
#pragma once

#include <string>

#include "codegen/kernel/kernel.h"
#include "codegen/ptx/print_ptx.h"

namespace weakspot::codegen {

// "cp.async.bulk.global.shared::cta.bulk_group"
std::string ptx_copy(const CopyStep& copy);
// "mbarrier.arrive.release.cta.shared::cta.b64"
std::string ptx_mbarrier(const MbarrierStep& step);
// The whole instruction: "cp.async.bulk.wait_group 0"
std::string ptx_control(const litmus::AsyncControl& control);

// The oldest PTX and device that have the operation.
PtxVersion ptx_version_of(const AsyncOf& operation);

}  // namespace weakspot::codegen
