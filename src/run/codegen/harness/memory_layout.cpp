// SPDX-License-Identifier: MIT
#include "codegen/harness/memory_layout.h"

#include "codegen/harness/role_code.h"
#include "litmus/instruction.h"

namespace weakspot::codegen {
namespace {

using namespace litmus;

// A role that uses the location: it stores the final value.
std::size_t role_that_uses(const LitmusTest& test, std::uint32_t location) {
  for (std::size_t t = 0; t < test.threads.size(); ++t) {
    for (const Instruction& instruction : test.threads[t].instructions) {
      const Access* access = access_of(instruction);
      if (access != nullptr && access->address.location && access->address.location->index == location) return t;
    }
  }
  return 0;
}

// The unit of bulk copies: the data they move begins at a multiple of it. (Resident tests have a layout of their own.)
constexpr std::uint32_t kBulkWords = 4;

bool has_bulk_copies(const LitmusTest& test) {
  for (const Thread& thread : test.threads) {
    for (const Instruction& instruction : thread.instructions) {
      const auto* copy = std::get_if<AsyncCopy>(&instruction.operation);
      if (copy != nullptr && copy->engine == AsyncEngine::bulk) return true;
    }
  }
  return false;
}

}  // namespace

MemoryLayout lay_out(const LitmusTest& test, const TestEnvironment& environment) {
  MemoryLayout layout;
  layout.kind = environment.layout;
  const std::uint32_t unit = has_bulk_copies(test) ? kBulkWords : 1;
  for (const Location& location : test.locations) {
    if (size_in_bytes(location.type) == 8) layout.cell_words = 2;
  }
  // Another name of a location takes no memory.
  std::vector<std::uint32_t> aliases;
  for (std::uint32_t i = 0; i < test.locations.size(); ++i) {
    const Location& location = test.locations[i];
    const bool shared = location.space == Space::shared;
    layout.shared.push_back(shared);
    if (location.alias_of) {
      aliases.push_back(i);
      layout.number.push_back(0);
      continue;
    }
    if (shared) {
      layout.number.push_back(layout.shared_count++);
      continue;
    }
    const auto number = static_cast<std::uint32_t>(layout.strides.size());
    layout.number.push_back(number);
    const bool second = environment.layout == Layout::arrays && number % 2 == 1 && environment.second_stride != 0;
    const std::uint32_t stride =
        layout.cell_words * static_cast<std::uint32_t>(second ? environment.second_stride : environment.memory_stride);
    layout.strides.push_back((stride + unit - 1) / unit * unit);
  }
  for (const std::uint32_t i : aliases) layout.number[i] = layout.number[physical_location(test, {i}).index];
  return layout;
}

std::vector<ResultItem> result_items(const LitmusTest& test, const RolePlan& roles,
                                     const std::vector<std::vector<Region>>& regions) {
  std::vector<ResultItem> items;
  std::uint32_t words = 0;
  auto add = [&](ResultItem item) {
    item.words_before = words;
    words += item.width == Width::w64 ? 2 : 1;
    items.push_back(item);
  };
  for (const Observable& observable : test.observed()) {
    ResultItem item;
    if (const auto* reg = std::get_if<ObservedRegister>(&observable)) {
      item.role = reg->thread.index;
      item.reg = reg->reg.index;
      item.width = width_of(test[*reg].type);
      add(item);
      continue;
    }
    const LocationId id = std::get<LocationId>(observable);
    if (test[id].space != Space::shared) continue;
    item.kind = ResultItem::Kind::shared_location;
    item.location = id.index;
    item.role = role_that_uses(test, id.index);
    item.width = width_of(test[id].type);
    add(item);
  }
  for (std::size_t role = 0; role < roles.roles.size(); ++role) {
    if (!has_loops(regions[role])) continue;
    ResultItem item;
    item.kind = ResultItem::Kind::unfinished;
    item.role = role;
    add(item);
  }
  return items;
}

std::uint32_t words_per_instance(const std::vector<ResultItem>& items) {
  if (items.empty()) return 0;
  return items.back().words_before + (items.back().width == Width::w64 ? 2 : 1);
}

std::uint64_t most_memory_words(const litmus::LitmusTest& test) {
  std::uint64_t most = 0;
  for (const litmus::Thread& thread : test.threads) {
    for (const litmus::Instruction& instruction : thread.instructions) {
      const litmus::Access* access = litmus::access_of(instruction);
      if (access == nullptr) continue;
      if (access->proxy == litmus::Proxy::constant) return kConstantWords;
      if (access->proxy == litmus::Proxy::texture) most = kTextureWords;
    }
  }
  return most;
}

}  // namespace weakspot::codegen
