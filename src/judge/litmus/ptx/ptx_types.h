// SPDX-License-Identifier: MIT
// The rules of PTX about the types of registers (PTX ISA, "operand type checking") that a litmus test can break.
// Readers apply them to the text, printers to what they are about to write.
//
// A register holds its value as its type reads it, so s32 and u32 registers with equal bits may hold different
// numbers. Where an instruction's type would read them differently (setp.lt.u32 on an s32 register), the test is
// refused rather than changed in meaning.
#pragma once

#include <optional>
#include <string>

#include "litmus/ptx/ptx_words.h"
#include "litmus/test.h"

namespace weakspot::litmus {

// Predicates are a width of their own; otherwise types of one size agree, whatever their signs.
bool same_width(Type a, Type b);

// What is wrong with the registers of a guard, load, store or read-modify-write; nothing for other instructions.
//  - GPU_PTX: a register has the width of the access; 8 and 16 bits may also stand in 32. An address is a register of
//    64 bits, a guard a predicate.
//  - PTX: a register has at least the width of the access.
std::optional<std::string> access_type_clash(PtxEdition edition, const Thread& thread, const Instruction& instruction);

// The types a computation is written with: `add.type`, `setp.eq.type`, `cvt.type.source`.
struct ComputeTypes {
  Type type = Type::s32;
  std::optional<Type> source;
};

// What `cvt.type.source target, left` computes. Widening an unsigned reading of a signed register masks it.
Compute conversion(const Thread& thread, RegisterId target, const Operand& left, const ComputeTypes& types);

// What is wrong with a computation written with these types.
std::optional<std::string> compute_type_clash(const Thread& thread, const Compute& compute, const ComputeTypes& types);

// The types to write the computation with; only good if compute_type_clash() finds nothing wrong with them.
ComputeTypes spelled_types(const Thread& thread, const Compute& compute);

// What is wrong with the state space an access names, if its location is said to be in another one.
std::optional<std::string> space_clash(const LitmusTest& test, const Instruction& instruction);

}  // namespace weakspot::litmus
