// SPDX-License-Identifier: MIT
#include "codegen/spirv/spirv_builder.h"

#include <algorithm>

#include "base/check.h"

namespace weakspot::codegen::spirv {

void Instructions::add(spv::Op op, const Words& operands) {
  WEAKSPOT_CHECK(operands.size() < 0xffff);
  const auto count = static_cast<std::uint32_t>(operands.size() + 1);
  words_.push_back(count << spv::WordCountShift | word_of(op));
  words_.insert(words_.end(), operands.begin(), operands.end());
}

void Instructions::add(spv::Op op, const Words& before, std::string_view text, const Words& after) {
  Words operands = before;
  for (std::size_t at = 0; at <= text.size(); at += 4) {
    std::uint32_t word = 0;
    for (std::size_t i = 0; i < 4 && at + i < text.size(); ++i) {
      word |= std::uint32_t{static_cast<unsigned char>(text[at + i])} << (8 * i);
    }
    operands.push_back(word);
  }
  operands.insert(operands.end(), after.begin(), after.end());
  add(op, operands);
}

void Instructions::append(const Instructions& others) {
  words_.insert(words_.end(), others.words_.begin(), others.words_.end());
}

void Builder::entry_point(Id function, std::string_view name, const std::set<Id>& interface,
                          std::uint32_t workgroup_size) {
  entry_points_.add(spv::Op::OpEntryPoint, {word_of(spv::ExecutionModel::GLCompute), function}, name,
                    Words(interface.begin(), interface.end()));
  modes_.add(spv::Op::OpExecutionMode, {function, word_of(spv::ExecutionMode::LocalSize), workgroup_size, 1, 1});
}

void Builder::name(Id target, std::string_view text) { names_.add(spv::Op::OpName, {target}, text); }

void Builder::decorate(Id target, spv::Decoration decoration, const Words& values) {
  Words operands = {target, word_of(decoration)};
  operands.insert(operands.end(), values.begin(), values.end());
  decorations_.add(spv::Op::OpDecorate, operands);
}

void Builder::decorate_member(Id target, std::uint32_t member, spv::Decoration decoration, const Words& values) {
  Words operands = {target, member, word_of(decoration)};
  operands.insert(operands.end(), values.begin(), values.end());
  decorations_.add(spv::Op::OpMemberDecorate, operands);
}

Id Builder::unique(spv::Op op, const Words& operands) {
  const auto [entry, made] = known_.try_emplace({op, operands}, 0);
  if (made) {
    entry->second = id();
    Words all = {entry->second};
    all.insert(all.end(), operands.begin(), operands.end());
    globals_.add(op, all);
  }
  return entry->second;
}

Id Builder::unique_constant(Id type, const Words& value) {
  Words key = {type};
  key.insert(key.end(), value.begin(), value.end());
  const auto [entry, made] = known_.try_emplace({spv::Op::OpConstant, key}, 0);
  if (made) {
    entry->second = id();
    key.insert(key.begin() + 1, entry->second);
    globals_.add(spv::Op::OpConstant, key);
  }
  return entry->second;
}

Id Builder::type_int(std::uint32_t bits) {
  if (bits == 64) capability(spv::Capability::Int64);
  if (bits == 16) capability(spv::Capability::Int16);
  if (bits == 8) capability(spv::Capability::Int8);
  return unique(spv::Op::OpTypeInt, {bits, 0});
}

Id Builder::type_array(Id element, std::uint32_t size) {
  return unique(spv::Op::OpTypeArray, {element, constant32(size)});
}

Id Builder::type_struct(const Words& members) {
  const Id made = id();
  Words all = {made};
  all.insert(all.end(), members.begin(), members.end());
  globals_.add(spv::Op::OpTypeStruct, all);
  return made;
}

Id Builder::constant32(std::uint32_t value) { return unique_constant(type_int(32), {value}); }

Id Builder::constant64(std::uint64_t value) {
  return unique_constant(type_int(64), {static_cast<std::uint32_t>(value), static_cast<std::uint32_t>(value >> 32)});
}

Id Builder::global_variable(spv::StorageClass storage, Id type) {
  const Id pointer = type_pointer(storage, type);
  const Id made = id();
  globals_.add(spv::Op::OpVariable, {pointer, made, word_of(storage)});
  return made;
}

Words Builder::words() const {
  Instructions all;
  for (const std::uint32_t capability : capabilities_) all.add(spv::Op::OpCapability, {capability});
  all.add(spv::Op::OpMemoryModel, {word_of(addressing_), word_of(spv::MemoryModel::Vulkan)});
  for (const Instructions* section : {&entry_points_, &modes_, &names_, &decorations_, &globals_, &functions_}) {
    all.append(*section);
  }
  Words words = {spv::MagicNumber, kVersion15, 0, next_, 0};
  words.insert(words.end(), all.words().begin(), all.words().end());
  return words;
}

}  // namespace weakspot::codegen::spirv
