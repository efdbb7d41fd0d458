// SPDX-License-Identifier: MIT
// A test as its target runs it: what a run's outcomes are judged by.
//
// A target does not have every order and scope that a test can name. Where it lacks one the next stronger one is
// emitted, and a model that reads the test as written would promise less than the code asks for, or something else: an
// acquire load is LDAPR on one AArch64 machine and LDAR on another, and x86-64 has no fence for release. So the judge
// gets the orders, scopes and fences that were really emitted. Kept beside the code generators: a test compares the
// two for every instruction.
#pragma once

#include "codegen/device_program.h"
#include "litmus/test.h"

namespace weakspot::codegen {

// `test` with the orders, scopes and fences that the code for the target has. On a CPU it is a test in the machine's
// own vocabulary: its accesses are LDR, LDAPR, LDAR, STR, STLR (relaxed, acquire_pc, acquire, relaxed, release), its
// fences DMBs; on x86-64 MOV, XCHG (a sequentially consistent store), locked read-modify-writes and MFENCE. The names
// of threads, registers and locations stay, so that both forms have the same outcomes. Faults that an environment
// plants (Weaken) are not part of it. The target must accept the test: see TestProgram::compile().
litmus::LitmusTest as_emitted(litmus::LitmusTest test, Target target, const TargetLimits& limits);

}  // namespace weakspot::codegen
