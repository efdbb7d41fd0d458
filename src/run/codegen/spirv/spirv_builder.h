// SPDX-License-Identifier: MIT
// Writes a SPIR-V module: ids, the sections in their order, and types and constants without duplicates.
//
// The caller writes code into Instructions and passes them to add_function(); everything else goes to its section at
// once. words() gives the module.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "codegen/spirv/spirv_words.h"

namespace weakspot::codegen::spirv {

using Id = std::uint32_t;
using Words = std::vector<std::uint32_t>;

// A sequence of instructions.
class Instructions {
 public:
  void add(spv::Op op, const Words& operands);
  // UTF-8 in words, ended by a zero byte, after the first operands and before the last.
  void add(spv::Op op, const Words& before, std::string_view text, const Words& after = {});
  void append(const Instructions& others);
  const Words& words() const { return words_; }

 private:
  Words words_;
};

class Builder {
 public:
  Id id() { return next_++; }

  void capability(spv::Capability capability) { capabilities_.insert(word_of(capability)); }
  void addressing(spv::AddressingModel model) { addressing_ = model; }
  void entry_point(Id function, std::string_view name, const std::set<Id>& interface, std::uint32_t workgroup_size);
  void name(Id target, std::string_view text);
  void decorate(Id target, spv::Decoration decoration, const Words& values = {});
  void decorate_member(Id target, std::uint32_t member, spv::Decoration decoration, const Words& values = {});

  Id type_void() { return unique(spv::Op::OpTypeVoid, {}); }
  Id type_bool() { return unique(spv::Op::OpTypeBool, {}); }
  Id type_int(std::uint32_t bits);  // unsigned; the capability comes with it
  Id type_vector(Id element, std::uint32_t size) { return unique(spv::Op::OpTypeVector, {element, size}); }
  Id type_array(Id element, std::uint32_t size);
  Id type_runtime_array(Id element) { return unique(spv::Op::OpTypeRuntimeArray, {element}); }
  Id type_struct(const Words& members);  // a new one each time: decorations belong to it alone
  Id type_pointer(spv::StorageClass storage, Id target) {
    return unique(spv::Op::OpTypePointer, {word_of(storage), target});
  }
  Id type_function() { return unique(spv::Op::OpTypeFunction, {type_void()}); }
  Id constant32(std::uint32_t value);
  Id constant64(std::uint64_t value);
  Id global_variable(spv::StorageClass storage, Id type);  // the type of its value

  void add_function(const Instructions& function) { functions_.append(function); }

  Words words() const;

 private:
  Id unique(spv::Op op, const Words& operands);
  // Like unique(), but the result id comes after the type.
  Id unique_constant(Id type, const Words& value);

  Id next_ = 1;
  spv::AddressingModel addressing_ = spv::AddressingModel::PhysicalStorageBuffer64;
  std::set<std::uint32_t> capabilities_;
  Instructions entry_points_;
  Instructions modes_;
  Instructions names_;
  Instructions decorations_;
  Instructions globals_;  // types, constants, variables
  Instructions functions_;
  std::map<std::pair<spv::Op, Words>, Id> known_;
};

}  // namespace weakspot::codegen::spirv
