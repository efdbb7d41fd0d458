// SPDX-License-Identifier: MIT
// The rules of PTX about the types of registers (PTX ISA, "operand type checking") that a litmus test can break.
// Readers apply them to the text, printers to the test before they write it.
//
// A register holds its value as its type reads it, so s32 and u32 registers with equal bits may hold different
// numbers. Where an instruction's type would read them differently (setp.lt.u32 on an s32 register), the test is
// refused rather than changed in meaning.
#pragma once

#include <optional>
#include <string>

#include "litmus/instruction.h"
#include "litmus/ptx/ptx_words.h"
#include "litmus/test.h"

namespace weakspot::litmus {

// Predicates are a width of their own; otherwise types of one size agree, whatever their signs.
bool same_width(Type a, Type b);

// The mistake in the registers of a guard, load, store or read-modify-write; nothing if there is none, and for other
// instructions.
//  - GPU_PTX: a register has the width of the access; 8 and 16 bits may also stand in 32. An address is a register of
//    64 bits, a guard a predicate.
//  - PTX: a register has at least the width of the access.
std::optional<std::string> access_type_clash(PtxEdition edition, const Thread& thread, const Instruction& instruction);

// The types a computation is written with: `add.type`, `setp.eq.type`, `cvt.type.source`.
struct ComputeTypes {
  Type type = Type::s32;
  std::optional<Type> source;
};

// The computation of `cvt.type.source target, left`. Widening an unsigned reading of a signed register masks it.
Compute conversion(const Thread& thread, RegisterId target, const Operand& left, const ComputeTypes& types);

// The mistake in a computation written with these types; nothing if there is none.
std::optional<std::string> compute_type_clash(const Thread& thread, const Compute& compute, const ComputeTypes& types);

// The types to write the computation with; valid only if compute_type_clash() finds no mistake in them.
ComputeTypes spelled_types(const Thread& thread, const Compute& compute);

// The mistake in the state space that an access names, if the text puts its location in another one.
std::optional<std::string> space_clash(const LitmusTest& test, const Instruction& instruction);

}  // namespace weakspot::litmus
