// SPDX-License-Identifier: MIT
// Expressions and statements that several kernels of the harness use.
#pragma once

#include "codegen/harness/harness.h"
#include "codegen/kernel/kernel_builder.h"

namespace weakspot::codegen {

Expr word_address(BufferId buffer, const Expr& word);
Var load_control(KernelBuilder& builder, ControlWord word);
// A relaxed access to a 32-bit word, device scope.
MemoryAccess relaxed_word(const Expr& address);

// Up to `most` steps of a random number generator, which do not order memory.
void write_noise(KernelBuilder& builder, Var noise, int most);

// The address of an item's value for entry `index` (iteration * instances + instance); `stride` is kResultStride.
Expr result_address(const ResultItem& item, const Expr& stride, const Expr& index);

// The address of a global location in the first slice.
Expr location_address(const Harness& harness, std::uint32_t location, const Expr& instance, const Expr& instances,
                      const Expr& factor);
// A constant of the test, which may be the address of a location of this instance in the slice that starts at
// byte `slice`.
Expr value_for_instance(const Harness& harness, const litmus::Value& value, litmus::Type type, const Expr& instance,
                        const Expr& instances, const Expr& factor, const Expr& slice);

// Bytes of shared memory per location and thread of a grid: the least that a bulk copy moves.
inline constexpr std::uint32_t kGridUnit = 16;
std::uint32_t grid_shared_bytes(const Harness& harness);

}  // namespace weakspot::codegen
