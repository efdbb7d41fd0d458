// SPDX-License-Identifier: MIT
// A verdict as herd7 prints it, for the tools that read its logs.
#pragma once

#include <string>

#include "workbench/check.h"

namespace weakspot::cli {

// The block of lines from `Test` to `Hash=`, without the empty line behind it; empty if there is nothing herd7 would
// print, because time or memory ran out. The states and their items come in herd7's order. The hash is herd7's where
// the file can be read again and herd7 has its dialect, else that of the canonical text.
std::string herd_log(const questions::TestVerdict& judged);

}  // namespace weakspot::cli
