// SPDX-License-Identifier: MIT
// A listing of NVIDIA's machine code, as nvdisasm or cuobjdump prints it, read into instructions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "optcheck/compare/flow.h"

namespace weakspot::optcheck {

struct SassInstruction {
  std::uint64_t at = 0;
  std::string text;      // without its predicate
  std::string mnemonic;  // "LDG.E.STRONG.GPU"
  Step step;             // its registers and where it jumps to
  bool load = false;     // writes what it reads from memory

  bool is(std::string_view verb) const { return std::string_view(mnemonic).substr(0, mnemonic.find('.')) == verb; }
};

// A disassembler's output, or the part of it for one kernel.
struct SassListing {
  std::string text;
  std::string kernel;       // its name in the text; empty: the text has no other code
  std::uint64_t begin = 0;  // its first address in the text
};

// The instructions of the kernel, with addresses from 0. Fails if the listing does not have it, or jumps in a way that
// is not known.
base::Result<std::vector<SassInstruction>> read_sass(const SassListing& listing);

}  // namespace weakspot::optcheck
