// SPDX-License-Identifier: MIT
// Runs this program for answers that take a process of their own.
#pragma once

#include <atomic>
#include <chrono>
#include <string>
#include <vector>

namespace weakspot::lsp {

// What the command prints; empty if nothing, or at the end of the time. What it says on standard error goes to the
// editor's log.
std::string output_of(const std::vector<std::string>& command, std::chrono::milliseconds time,
                      const std::atomic<bool>& stop);

}  // namespace weakspot::lsp
