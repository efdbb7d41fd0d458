// SPDX-License-Identifier: MIT
// The functions of an object file for a CPU, with the lines of the source that their instructions come from.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "codegen/cpu_program.h"
#include "optcheck/cpu/any_code.h"
#include "optcheck/elf.h"

namespace weakspot::optcheck {

struct ObjectInstruction {
  AnyInstruction any;
  std::size_t line = 0;  // of the source; 0: of no line of it
  std::string callee;    // of a call: the function's name, if it has one

  const CpuDecoded& code() const { return any.code; }
};

// Instructions are numbered, and jumps lead to numbers.
struct ObjectFunction {
  std::string name;
  std::vector<ObjectInstruction> code;
  // The number of the instruction that begins at this place of the file's code; nothing if none does.
  std::optional<std::size_t> number_at(std::uint64_t at) const;
  std::map<std::uint64_t, std::size_t> numbers;
};

class ObjectCode {
 public:
  static base::Result<ObjectCode> read(Bytes image);

  codegen::CpuIsa isa() const { return isa_; }
  // Functions are read when they are asked for.
  base::Result<const ObjectFunction*> function(std::string_view name) const;
  // The name of the function that begins at this byte of the code; empty: none.
  std::string function_at(std::uint64_t at) const;
  bool has(std::string_view name) const { return places_.contains(std::string(name)); }

 private:
  struct Place {
    std::uint64_t begin = 0, end = 0;
  };
  struct Line {
    std::uint64_t end = 0;  // the byte after the code of the line
    std::size_t line = 0;
  };

  std::size_t line_of(std::uint64_t at) const;

  codegen::CpuIsa isa_ = codegen::CpuIsa::aarch64;
  std::vector<std::uint8_t> text_;
  std::map<std::string, Place> places_;
  std::map<std::uint64_t, Line> lines_;  // by their first byte
  mutable std::map<std::string, ObjectFunction, std::less<>> functions_;
};

}  // namespace weakspot::optcheck
