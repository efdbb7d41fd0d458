// SPDX-License-Identifier: MIT
#include "race_jit/recorder/reach.h"

#include <fmt/format.h>

#include <cstring>
#include <iterator>
#include <set>
#include <utility>

#include "race_jit/recorder/real_driver.h"

namespace weakspot::race_jit::recorder {
namespace {

constexpr int kMemoryKindAttribute = 2;  // CUpointer_attribute
constexpr unsigned kHostMemoryKind = 1;  // CUmemorytype

void add_names(const std::vector<race::ptx::Operand>& operands, std::set<std::string>& names) {
  for (const race::ptx::Operand& operand : operands) {
    names.insert(operand.name);
    add_names(operand.elements, names);
  }
}

bool is_of_device(std::uint64_t address) {
  unsigned kind = 0;
  return call_driver("cuPointerGetAttribute", static_cast<void*>(&kind), kMemoryKindAttribute, address) == kDone &&
         kind != kHostMemoryKind;
}

}  // namespace

std::optional<std::string> memory_at(std::uint64_t address, std::uint64_t size) {
  std::string bytes(size, '\0');
  const Code code =
      call_driver("cuMemcpyDtoH_v2", static_cast<void*>(bytes.data()), address, static_cast<std::size_t>(size));
  if (code != kDone) return std::nullopt;
  return bytes;
}

void Reach::add_variables(const race::ptx::Module& text, const std::string& kernel, void* module, bool library) {
  std::set<std::string> names;
  for (const race::ptx::Function& function : text.functions) {
    if (function.entry && function.name != kernel) continue;
    for (const race::ptx::Instruction& instruction : function.body) add_names(instruction.operands, names);
  }
  for (const race::ptx::Variable& variable : text.variables) {
    const bool device = variable.space == race::ptx::Space::global || variable.space == race::ptx::Space::constant;
    if (!device || variable.external || !names.contains(variable.name)) continue;
    std::uint64_t begin = 0;
    std::size_t size = 0;
    const char* by = library ? "cuLibraryGetGlobal" : "cuModuleGetGlobal_v2";
    if (call_driver(by, &begin, &size, module, variable.name.c_str()) != kDone) continue;
    take(begin, size, variable.name, variable.name);
  }
}

void Reach::add_argument(const std::string& bytes, std::size_t number) {
  follow(bytes, fmt::format("argument_{}", number), false);
}

void Reach::follow_memory() {
  for (std::size_t i = 0; i < kept_.buffers.size(); ++i) {  // the list grows on the way
    const std::string bytes = kept_.buffers[i].contents, name = kept_.buffers[i].name;
    follow(bytes, name, true);
  }
}

// A word in memory may be any number, so that those far from all known memory, and those that lead to memory of the
// host, are taken for numbers.
void Reach::follow(const std::string& bytes, const std::string& name, bool in_memory) {
  for (std::size_t at = 0; at + sizeof(std::uint64_t) <= bytes.size() && !too_large(); at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0, begin = 0;
    std::size_t size = 0;
    std::memcpy(&word, bytes.data() + at, sizeof word);
    if (word == 0 || is_known(word) || (in_memory && !is_near(word))) continue;
    if (call_driver("cuMemGetAddressRange_v2", &begin, &size, word) != kDone) continue;
    if (in_memory && !is_of_device(word)) continue;
    take(begin, size, in_memory ? fmt::format("{}_at_{}", name, at) : name, "");
  }
}

// Nothing if some of it was taken before: of a module's memory, a driver may know the whole and each variable.
void Reach::take(std::uint64_t begin, std::uint64_t size, std::string name, std::string variable) {
  const auto next = ends_.lower_bound(begin);
  if (size == 0 || is_known(begin) || (next != ends_.end() && next->first < begin + size)) return;
  total_ += size;
  if (too_large()) return;
  std::optional<std::string> contents = memory_at(begin, size);
  if (!contents) return;
  ends_[begin] = begin + size;
  kept_.buffers.push_back({.name = std::move(name),
                           .address = begin,
                           .size = size,
                           .contents = *std::move(contents),
                           .variable = std::move(variable)});
}

bool Reach::is_known(std::uint64_t word) const {
  const auto next = ends_.upper_bound(word);
  return next != ends_.begin() && word < std::prev(next)->second;
}

bool Reach::is_near(std::uint64_t word) const {
  constexpr std::uint64_t kNear = std::uint64_t{1} << 40;
  return !ends_.empty() && word + kNear > ends_.begin()->first && word < ends_.rbegin()->second + kNear;
}

}  // namespace weakspot::race_jit::recorder
