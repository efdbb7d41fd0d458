// SPDX-License-Identifier: MIT
#include "litmus/text/builder.h"

#include <fmt/format.h>

namespace weakspot::litmus {
namespace {

bool test_and_set(std::vector<bool>& flags, std::size_t index) {
  if (flags.size() <= index) flags.resize(index + 1);
  const bool was = flags[index];
  flags[index] = true;
  return was;
}

}  // namespace

std::optional<std::uint32_t> NameTable::find(std::string_view name) const {
  for (std::uint32_t i = 0; i < names_.size(); ++i) {
    if (names_[i] == name) return i;
  }
  const auto found = later_.find(name);
  if (found == later_.end()) return std::nullopt;
  return found->second;
}

std::uint32_t NameTable::add(std::string_view name) {
  const auto number = static_cast<std::uint32_t>(names_.size() + later_.size());
  if (names_.size() == kWalked) {
    later_.emplace(name, number);
    return number;
  }
  if (names_.empty()) names_.reserve(4);
  names_.emplace_back(name);
  return number;
}

LocationId TestBuilder::location(std::string_view name) {
  if (auto found = find_location(name)) return *found;
  if (test.locations.empty()) test.locations.reserve(4);
  test.locations.emplace_back().name = name;
  return LocationId{locations_.add(name)};
}

std::optional<LocationId> TestBuilder::array(std::string_view name, std::uint32_t elements) {
  if (find_location(name)) return std::nullopt;
  const LocationId first = location(name);
  for (std::uint32_t i = 0; i < elements; ++i) {
    if (i > 0) location(fmt::format("{}[{}]", name, i));
    Location& one = test.locations[first.index + i];
    one.element = i;
    one.elements = elements;
  }
  return first;
}

std::optional<LocationId> TestBuilder::find_location(std::string_view name) const {
  const std::optional<std::uint32_t> found = locations_.find(name);
  if (!found) return std::nullopt;
  return LocationId{*found};
}

RegisterId TestBuilder::reg(ThreadId thread, std::string_view name) {
  if (auto found = find_register(thread, name)) return *found;
  ensure_threads(thread.index + 1);
  std::vector<Register>& registers = test.threads[thread.index].registers;
  if (registers.empty()) registers.reserve(4);
  registers.emplace_back().name = name;
  return RegisterId{registers_[thread.index].add(name)};
}

std::optional<RegisterId> TestBuilder::find_register(ThreadId thread, std::string_view name) const {
  if (thread.index >= registers_.size()) return std::nullopt;
  const std::optional<std::uint32_t> found = registers_[thread.index].find(name);
  if (!found) return std::nullopt;
  return RegisterId{*found};
}

void TestBuilder::ensure_threads(std::size_t count) {
  if (test.threads.size() < count) test.threads.resize(count);
  if (registers_.size() < count) registers_.resize(count);
}

bool TestBuilder::declare(LocationId id) { return !test_and_set(declared_locations_, id.index); }

bool TestBuilder::declare(ObservedRegister id) { return declared_registers_.emplace(id, true).second; }

void TestBuilder::give_type(LocationId id, Type type) {
  for (std::uint32_t i = 0; i < test.locations[id.index].elements; ++i) {
    test_and_set(typed_locations_, id.index + i);
    test.locations[id.index + i].type = type;
  }
}

void TestBuilder::give_space(LocationId id, Space space) {
  for (std::uint32_t i = 0; i < test.locations[id.index].elements; ++i) test.locations[id.index + i].space = space;
}

bool TestBuilder::has_given_type(LocationId id) const {
  return id.index < typed_locations_.size() && typed_locations_[id.index];
}

Instruction& TestBuilder::emit(ThreadId thread, Operation operation, base::Span span) {
  Instruction instruction;
  instruction.operation = std::move(operation);
  instruction.span = span;
  std::vector<Instruction>& instructions = test.threads[thread.index].instructions;
  if (instructions.empty()) instructions.reserve(8);  // they are large, and few threads have more
  return instructions.emplace_back(std::move(instruction));
}

PartialPlacement& TestBuilder::placement(ThreadId thread) {
  if (placements.size() <= thread.index) placements.resize(thread.index + 1);
  return placements[thread.index];
}

}  // namespace weakspot::litmus
