// SPDX-License-Identifier: MIT
// Translates a module of PTX into the bitcode that clang would make of its source: kernels and variables with their
// address spaces, debug locations, plain instructions as plain code. Every other instruction becomes inline assembly,
// which lower_ptx.cpp gives its meaning or lists as not modelled.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "base/source.h"

namespace weakspot::race_jit {

struct PtxOptions {
  std::uint64_t shared = 0;  // bytes of dynamic shared memory that kernels take if a launch states none
  std::string source;        // the file that was compiled just now; empty: the text stands for itself
  std::string notes;         // of ClangResult; lists of words to keep, and the names of parameters
};

// The bitcode, or the mistakes of the text.
base::Result<std::string> bitcode_of_ptx(const base::Source& source, const PtxOptions& options = {});

// The dynamic shared memory that Triton notes in the file NAME.json beside NAME.ptx; 0 if there is no such file or
// note.
base::Result<std::uint64_t> shared_beside(const std::string& file);

}  // namespace weakspot::race_jit
