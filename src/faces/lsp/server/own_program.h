// SPDX-License-Identifier: MIT
// Runs this program for answers that take a process of their own.
#pragma once

#include <atomic>
#include <chrono>
#include <string>
#include <vector>

namespace weakspot::lsp {

// Runs the command and returns its standard output; empty at the end of the time. Standard error goes to the editor's
// log.
std::string output_of(const std::vector<std::string>& command, std::chrono::milliseconds time,
                      const std::atomic<bool>& stop);

}  // namespace weakspot::lsp
