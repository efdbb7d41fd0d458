// SPDX-License-Identifier: MIT
#include "gen/split.h"

#include <algorithm>
#include <set>

#include "gen/identity.h"
#include "litmus/instruction.h"

namespace weakspot::gen {
namespace {

using namespace litmus;

bool is_for_both(const Instruction& instruction) {
  if (is_asynchronous(instruction) || std::holds_alternative<Barrier>(instruction.operation)) return false;
  const Access* access = access_of(instruction);
  if (access != nullptr) return access->proxy == Proxy::generic && access->cache == CacheOp::none;
  const auto* fence = std::get_if<Fence>(&instruction.operation);
  return fence == nullptr || fence->kind == FenceKind::order;
}

bool can_split(const LitmusTest& test) {
  if (test.scopes || (test.arch != Arch::generic && test.arch != Arch::ptx)) return false;
  for (const Location& location : test.locations) {
    if (location.alias_of || (location.space != Space::none && location.space != Space::global)) return false;
  }
  return std::all_of(test.threads.begin(), test.threads.end(), [](const Thread& thread) {
    return std::all_of(thread.instructions.begin(), thread.instructions.end(), is_for_both);
  });
}

// Weak accesses are for GPUs alone, and a CPU has no scopes.
void put_on_cpu(Instruction& instruction) {
  if (Access* access = access_of(instruction); access != nullptr && access->order == Order::plain) {
    access->order = Order::relaxed;
  }
}

void reach_the_system(Instruction& instruction) {
  if (Access* access = access_of(instruction); access != nullptr && access->order != Order::plain) {
    access->scope = Scope::system;
  }
  if (auto* fence = std::get_if<Fence>(&instruction.operation)) fence->scope = Scope::system;
}

LitmusTest split(LitmusTest test, std::uint32_t on_cpu) {
  std::vector<PartialPlacement> placements(test.threads.size());
  test.name += '-';
  for (std::size_t t = 0; t < test.threads.size(); ++t) {
    const bool cpu = (on_cpu >> t & 1) != 0;
    test.name += cpu ? 'c' : 'g';
    placements[t].cpu = cpu;
    placements[t].at(Scope::device) = cpu ? 1 : 0;
    for (Instruction& instruction : test.threads[t].instructions) {
      cpu ? put_on_cpu(instruction) : reach_the_system(instruction);
    }
  }
  test.arch = Arch::ptx;
  test.scopes = make_scope_tree(placements);
  test.expectations.clear();
  return test;
}

}  // namespace

std::vector<LitmusTest> splits(const LitmusTest& test) {
  std::vector<LitmusTest> made;
  if (!can_split(test) || test.threads.size() > 8) return made;
  std::set<std::string> known;
  const std::uint32_t all = (1u << test.threads.size()) - 1;
  for (std::uint32_t on_cpu = 1; on_cpu < all; ++on_cpu) {
    LitmusTest one = split(test, on_cpu);
    if (known.insert(canonical_hash(one).hex()).second) made.push_back(std::move(one));
  }
  return made;
}

}  // namespace weakspot::gen
