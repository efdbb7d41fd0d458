// SPDX-License-Identifier: MIT
// A SPIR-V module taken apart: the functions with their instructions, and what the words before them say of types,
// constants, variables and names.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "compile/spirv/words.h"

namespace weakspot::compile::spirv {

struct Instruction {
  spv::Op op = spv::Op::OpNop;
  std::uint32_t type = 0;    // the result's; 0: none
  std::uint32_t result = 0;  // 0: none
  std::vector<std::uint32_t> operands;
};

struct Type {
  spv::Op op = spv::Op::OpTypeVoid;
  std::uint32_t width = 0;                   // integers: in bits
  std::uint32_t element = 0;                 // pointers and arrays: of what
  std::uint32_t length = 0;                  // arrays: the constant
  std::vector<std::uint32_t> members;        // structures
  std::optional<spv::StorageClass> storage;  // pointers
};

struct Module {
  spv::MemoryModel memory_model = spv::MemoryModel::OpenCL;
  std::map<std::uint32_t, std::string> names;       // from linkage, or else from debug information
  std::map<std::uint32_t, std::uint32_t> bindings;  // by variable
  std::map<std::uint32_t, Type> types;
  std::map<std::uint32_t, std::int64_t> constants;            // integers and truth values
  std::map<std::uint32_t, Instruction> variables;             // outside of functions
  std::map<std::string, std::vector<Instruction>> functions;  // by name; entry points by theirs

  // nullptr if there is no such type.
  const Type* type(std::uint32_t id) const;
  // In bytes; 0 if it is not known.
  std::int64_t size_of(std::uint32_t type) const;
};

bool is_spirv(std::string_view bytes);

// The modules of a file, one behind the other: some compilers write one for each entry point.
base::Result<std::vector<Module>> read_modules(std::string_view bytes);

}  // namespace weakspot::compile::spirv
