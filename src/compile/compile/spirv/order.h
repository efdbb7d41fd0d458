// SPDX-License-Identifier: MIT
// Scopes and memory semantics of SPIR-V as suffixes of the canonical form.
#pragma once

#include <optional>
#include <string>

#include "compile/spirv/words.h"
#include "litmus/vocabulary.h"

namespace weakspot::compile::spirv {

// The kind of an instruction, which decides the orders it can have.
enum class Role : std::uint8_t { load, store, update, fence };

// The form of a SPIR-V memory model in a test: OpenCL's becomes a test for OpenCL, the two others one for Vulkan. A
// module with the model of GLSL does not say what is available and visible: everything is, as far as its scope reaches.
struct Dialect {
  bool vulkan = false;
  bool implicit_availability = false;
};
Dialect dialect_of(spv::MemoryModel model);

// None if the dialect does not have it.
std::optional<litmus::Scope> scope_of(std::int64_t number, Dialect dialect);

// The order, the storage classes it covers, and whether it makes memory available and visible: "acq", "acqrel" with
// ".semsc0.av.vis". None if the dialect does not have it.
struct Ordering {
  litmus::Order order = litmus::Order::relaxed;
  std::string suffixes;
};
std::optional<Ordering> ordering_of(std::uint32_t semantics, Role role, Dialect dialect);

}  // namespace weakspot::compile::spirv
