#include "codegen/spirv/spirv_builder.h"

#include <algorithm>

#include "base/check.h"

namespace weakspot::codegen::spirv {

void Instructions::add(OpCode op, const Words& operands) {
  WEAKSPOT_CHECK(operands.size() < 0xffff);
  const auto count = static_cast<std::uint32_t>(operands.size() + 1);
  words_.push_back(count << 16 | static_cast<std::uint32_t>(op));
  words_.insert(words_.end(), operands.begin(), operands.end());
}

void Instructions::add(OpCode op, const Words& before, std::string_view text, const Words& after) {
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
  entry_points_.add(OpCode::EntryPoint, {kExecutionModelGLCompute, function}, name,
                    Words(interface.begin(), interface.end()));
  modes_.add(OpCode::ExecutionMode, {function, kExecutionModeLocalSize, workgroup_size, 1, 1});
}

void Builder::name(Id target, std::string_view text) { names_.add(OpCode::Name, {target}, text); }

void Builder::decorate(Id target, Decoration decoration, const Words& values) {
  Words operands = {target, static_cast<std::uint32_t>(decoration)};
  operands.insert(operands.end(), values.begin(), values.end());
  decorations_.add(OpCode::Decorate, operands);
}

void Builder::decorate_member(Id target, std::uint32_t member, Decoration decoration, const Words& values) {
  Words operands = {target, member, static_cast<std::uint32_t>(decoration)};
  operands.insert(operands.end(), values.begin(), values.end());
  decorations_.add(OpCode::MemberDecorate, operands);
}

Id Builder::unique(OpCode op, const Words& operands) {
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
  const auto [entry, made] = known_.try_emplace({OpCode::Constant, key}, 0);
  if (made) {
    entry->second = id();
    key.insert(key.begin() + 1, entry->second);
    globals_.add(OpCode::Constant, key);
  }
  return entry->second;
}

Id Builder::type_int(std::uint32_t bits) {
  if (bits == 64) capability(Capability::Int64);
  if (bits == 16) capability(Capability::Int16);
  if (bits == 8) capability(Capability::Int8);
  return unique(OpCode::TypeInt, {bits, 0});
}

Id Builder::type_array(Id element, std::uint32_t size) {
  return unique(OpCode::TypeArray, {element, constant32(size)});
}

Id Builder::type_struct(const Words& members) {
  const Id made = id();
  Words all = {made};
  all.insert(all.end(), members.begin(), members.end());
  globals_.add(OpCode::TypeStruct, all);
  return made;
}

Id Builder::constant32(std::uint32_t value) { return unique_constant(type_int(32), {value}); }

Id Builder::constant64(std::uint64_t value) {
  return unique_constant(type_int(64), {static_cast<std::uint32_t>(value), static_cast<std::uint32_t>(value >> 32)});
}

Id Builder::global_variable(StorageClass storage, Id type) {
  const Id pointer = type_pointer(storage, type);
  const Id made = id();
  globals_.add(OpCode::Variable, {pointer, made, static_cast<std::uint32_t>(storage)});
  return made;
}

Words Builder::words() const {
  Instructions all;
  for (const std::uint32_t capability : capabilities_) all.add(OpCode::Capability, {capability});
  all.add(OpCode::MemoryModel, {kAddressingPhysicalStorageBuffer64, kMemoryModelVulkan});
  for (const Instructions* section : {&entry_points_, &modes_, &names_, &decorations_, &globals_, &functions_}) {
    all.append(*section);
  }
  Words words = {kMagic, kVersion15, 0, next_, 0};
  words.insert(words.end(), all.words().begin(), all.words().end());
  return words;
}

}  // namespace weakspot::codegen::spirv
