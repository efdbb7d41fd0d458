// SPDX-License-Identifier: MIT
// Machine code read back as a litmus test: what a compiler made of a test, in the dialect of the machine.
//
// Only the text is rewritten here: addresses of symbols become registers that hold the address at first, stores of
// results become moves to registers of their own, stack slots become registers, calls of atomic helpers become the
// instruction that they stand for. The reader of the dialect gives the instructions their meaning.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/result.h"
#include "compile/machine_code.h"
#include "litmus/test.h"

namespace weakspot::compile {

struct CompiledTest {
  litmus::LitmusTest test;
  // For each observable of the source test, the place in an outcome of the compiled one that has its value.
  std::vector<std::size_t> places;
};

// `source` is the test that the functions were compiled from, one for each thread, for one machine. Fails if something
// in the code is not understood, naming it.
base::Result<CompiledTest> read_back(const litmus::LitmusTest& source,
                                     const std::vector<const MachineFunction*>& functions);

}  // namespace weakspot::compile
