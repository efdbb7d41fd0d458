// SPDX-License-Identifier: MIT
// Accesses, fences and barriers in OpenCL C: one statement for each, in the mapping that suits the device.
#pragma once

#include <memory>
#include <string>

#include "codegen/device_program.h"
#include "codegen/kernel/kernel.h"

namespace weakspot::codegen {

// An access whose operands have been written as text. `address` is an expression of 64 bits.
struct OpenclAccess {
  const MemoryAccess& how;
  std::string address;
  std::string target;  // variable for the old value; empty: none
  Width target_width = Width::w32;
  std::string value;     // stores and read-modify-writes
  std::string expected;  // compare-and-swap
};

class OpenclMemory {
 public:
  virtual ~OpenclMemory() = default;

  // Plain accesses look alike in all mappings except PTX.
  virtual std::string load(const OpenclAccess& access) const;
  virtual std::string store(const OpenclAccess& access) const;
  virtual std::string atomic(litmus::RmwOp op, const OpenclAccess& access) const = 0;
  virtual std::string fence(const litmus::Fence& fence) const = 0;
  virtual std::string barrier(const BarrierOf& barrier) const;
  // The beginning of the text.
  virtual std::string head() const;

 protected:
  virtual std::string atomic_load(const OpenclAccess& access) const = 0;
  virtual std::string atomic_store(const OpenclAccess& access) const = 0;
};

// `limits` must outlive the result.
std::unique_ptr<OpenclMemory> make_opencl_memory(const OpenclLimits& limits);
std::unique_ptr<OpenclMemory> make_c11_memory(const OpenclLimits& limits);
std::unique_ptr<OpenclMemory> make_legacy_memory();
std::unique_ptr<OpenclMemory> make_inline_ptx_memory();

// Parts that the mappings share.

// "(volatile global uint*)(w3)"
std::string opencl_pointer(const OpenclAccess& access, std::string_view type, bool is_volatile);
// "CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE", or one of them.
std::string opencl_flags(const litmus::Spaces& semantics);

}  // namespace weakspot::codegen
