// SPDX-License-Identifier: MIT
// The server on a pair of pipes: standard input and output of the program that an editor starts.
#pragma once

#include <string>

namespace weakspot::lsp {

// Serves until the editor ends it or closes the input. The exit code that the protocol asks for: 0 after a shutdown,
// else 1.
int serve_stdio(const std::string& version, int input, int output);

}  // namespace weakspot::lsp
