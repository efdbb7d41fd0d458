// SPDX-License-Identifier: MIT
#include "model/foreign_words.h"

#include <fmt/format.h>

namespace weakspot::model {
namespace {

using namespace litmus;

// The title in its file: a model keeps it under any name and in any folder.
constexpr std::string_view kRelAcq = "Release-acquire SC per location";
constexpr std::string_view kAmdgpu = "AMDGPU";

bool reaches_all(const ScopeTree& tree, std::size_t thread, Scope scope) {
  for (std::size_t other = 0; other < tree.placements.size(); ++other) {
    const ThreadId a{static_cast<std::uint32_t>(thread)}, b{static_cast<std::uint32_t>(other)};
    if (!tree.together(a, b, scope)) return false;
  }
  return true;
}

std::optional<std::string> why_foreign(const Instruction& instruction, const ScopeTree& tree, std::size_t thread) {
  auto scoped = [&](Scope scope) -> std::optional<std::string> {
    if (reaches_all(tree, thread, scope)) return std::nullopt;
    return fmt::format("rel-acq has no scopes, and '{}' does not reach every thread", to_string(scope));
  };
  if (const auto* fence = std::get_if<Fence>(&instruction.operation)) {
    if (fence->kind == FenceKind::membar || (fence->kind == FenceKind::order && fence->order == Order::seq_cst)) {
      return "rel-acq has no sequentially consistent fences";
    }
    if (fence->kind != FenceKind::order) return "rel-acq has acquire and release fences only";
    return fence->order == Order::relaxed ? std::nullopt : scoped(fence->scope);
  }
  const Access* access = access_of(instruction);
  if (access == nullptr || access->order == Order::plain) return std::nullopt;
  if (access->order == Order::seq_cst) return "rel-acq has no sequentially consistent accesses";
  return scoped(access->scope);
}

// What LLVM's document on AMDGPU does not speak about.
std::optional<std::string> why_foreign_to_amdgpu(const LitmusTest& test, const Instruction& instruction) {
  if (std::holds_alternative<Barrier>(instruction.operation)) {
    return "amdgpu has no barriers, which LLVM describes in another document";
  }
  const auto* fence = std::get_if<Fence>(&instruction.operation);
  const Access* access = access_of(instruction);
  if (fence != nullptr && fence->kind != FenceKind::order && fence->kind != FenceKind::membar) {
    return "amdgpu has fences with an order only";
  }
  if (fence != nullptr && !fence->semantics.empty()) {
    return "amdgpu does not model the address spaces of a fence (amdgpu-synchronize-as)";
  }
  if (access != nullptr && access->proxy != Proxy::generic) {
    return fmt::format("amdgpu has no {} proxy", to_string(access->proxy));
  }
  if (access != nullptr && access->address.location &&
      size_in_bytes(access->type) != size_in_bytes(test.locations[access->address.location->index].type)) {
    return "amdgpu does not model accesses to a part of a location";
  }
  const bool scoped = fence != nullptr || (access != nullptr && access->order != Order::plain);
  if (scoped && (fence != nullptr ? fence->scope : access->scope) == Scope::queue_family) {
    return "amdgpu has no queue families";
  }
  return std::nullopt;
}

std::optional<ForeignWord> foreign_to_amdgpu(const LitmusTest& test) {
  for (const Thread& thread : test.threads) {
    for (const Instruction& instruction : thread.instructions) {
      if (std::optional<std::string> why = why_foreign_to_amdgpu(test, instruction)) {
        return ForeignWord{*std::move(why), instruction.span};
      }
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<ForeignWord> foreign_word(const Model& model, const LitmusTest& test) {
  if (model.name() == kAmdgpu) return foreign_to_amdgpu(test);
  return model.name() == kRelAcq ? foreign_to_rel_acq(test) : std::nullopt;
}

std::optional<ForeignWord> foreign_to_rel_acq(const LitmusTest& test) {
  const ScopeTree tree = test.scope_tree();
  for (std::size_t t = 0; t < test.threads.size(); ++t) {
    for (const Instruction& instruction : test.threads[t].instructions) {
      if (std::optional<std::string> why = why_foreign(instruction, tree, t)) {
        return ForeignWord{*std::move(why), instruction.span};
      }
    }
  }
  return std::nullopt;
}

}  // namespace weakspot::model
