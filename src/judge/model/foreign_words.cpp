// SPDX-License-Identifier: MIT
#include "model/foreign_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/wording.h"
#include "litmus/instruction.h"
#include "litmus/test.h"
#include "model/cat_model.h"

namespace weakspot::model {
namespace {

using namespace litmus;

using Foreign = ForeignWord::Reason;

bool reaches_all(const ScopeTree& tree, std::size_t thread, Scope scope) {
  for (std::size_t other = 0; other < tree.placements.size(); ++other) {
    const ThreadId a{static_cast<std::uint32_t>(thread)}, b{static_cast<std::uint32_t>(other)};
    if (!tree.together(a, b, scope)) return false;
  }
  return true;
}

std::optional<ForeignWord> foreign_to_rel_acq(const Instruction& instruction, const ScopeTree& tree,
                                              std::size_t thread) {
  auto scoped = [&](Scope scope) -> std::optional<ForeignWord> {
    if (reaches_all(tree, thread, scope)) return std::nullopt;
    return ForeignWord{.reason = Foreign::narrow_scope, .span = instruction.span, .scope = scope};
  };
  if (const auto* fence = std::get_if<Fence>(&instruction.operation)) {
    if (fence->kind == FenceKind::membar || (fence->kind == FenceKind::order && fence->order == Order::seq_cst)) {
      return ForeignWord{Foreign::sc_fence, instruction.span};
    }
    if (fence->kind != FenceKind::order) return ForeignWord{Foreign::other_fence, instruction.span};
    return fence->order == Order::relaxed ? std::nullopt : scoped(fence->scope);
  }
  const Access* access = access_of(instruction);
  if (access == nullptr || access->order == Order::plain) return std::nullopt;
  if (access->order == Order::seq_cst) return ForeignWord{Foreign::sc_access, instruction.span};
  return scoped(access->scope);
}

// Finds operations that LLVM's document on AMDGPU does not cover.
std::optional<ForeignWord> foreign_to_amdgpu(const Instruction& instruction) {
  const auto foreign = [&](Foreign reason) { return ForeignWord{reason, instruction.span}; };
  if (std::holds_alternative<Barrier>(instruction.operation)) return foreign(Foreign::barrier);
  const auto* fence = std::get_if<Fence>(&instruction.operation);
  const Access* access = access_of(instruction);
  if (fence != nullptr && fence->kind != FenceKind::order && fence->kind != FenceKind::membar) {
    return foreign(Foreign::unordered_fence);
  }
  if (fence != nullptr && !fence->semantics.empty()) return foreign(Foreign::fence_spaces);
  if (access != nullptr && access->proxy != Proxy::generic) {
    return ForeignWord{.reason = Foreign::proxy, .span = instruction.span, .of = access->proxy};
  }
  const bool scoped = fence != nullptr || (access != nullptr && access->order != Order::plain);
  if (scoped && (fence != nullptr ? fence->scope : access->scope) == Scope::queue_family) {
    return foreign(Foreign::queue_family);
  }
  return std::nullopt;
}

std::optional<ForeignWord> foreign_to_other_machines(const ModelProperties& known, const LitmusTest& test) {
  if (!known.cpus && test.scopes && test.scopes->has_cpus()) return ForeignWord{Foreign::cpus, test.span};
  if (known.asynchronous) return std::nullopt;
  for (const Thread& thread : test.threads) {
    for (const Instruction& instruction : thread.instructions) {
      if (is_asynchronous(instruction) || is_tensor(instruction))
        return ForeignWord{Foreign::asynchronous, instruction.span};
    }
  }
  return std::nullopt;
}

bool has_check(const Model& model, std::string_view name) {
  return std::any_of(model.checks().begin(), model.checks().end(),
                     [&](const Check& check) { return check.name == name; });
}

// The Linux kernel's model before it took the annotations of operations from the tests: it expects a fence on both
// sides of a read-modify-write that is a full barrier, and our executions have none there.
bool is_old_linux_model(const Model& model) {
  return has_check(model, "happens-before") && has_check(model, "propagation") &&
         !has_check(model, "this-model-requires-variant-higher-than-lkmmv1");
}

std::optional<ForeignWord> full_barrier_rmw(const LitmusTest& test) {
  for (const Thread& thread : test.threads) {
    for (const Instruction& instruction : thread.instructions) {
      const auto* rmw = std::get_if<Rmw>(&instruction.operation);
      if (rmw == nullptr || rmw->access.order != Order::seq_cst) continue;
      return ForeignWord{Foreign::full_barrier_rmw, instruction.span};
    }
  }
  return std::nullopt;
}

std::string sentence(const ForeignWord& word) {
  switch (word.reason) {
    case Foreign::cpus:
      return "this model has no threads on CPUs beside those on GPUs; ptx-tso and ptx-aarch64 have";
    case Foreign::asynchronous:
      return "this model has no asynchronous operations; ptx has";
    case Foreign::narrow_scope:
      return fmt::format("rel-acq has no scopes, and '{}' does not reach every thread", to_string(word.scope));
    case Foreign::sc_fence:
      return "rel-acq has no sequentially consistent fences";
    case Foreign::other_fence:
      return "rel-acq has acquire and release fences only";
    case Foreign::sc_access:
      return "rel-acq has no sequentially consistent accesses";
    case Foreign::barrier:
      return "amdgpu has no barriers, which LLVM describes in another document";
    case Foreign::unordered_fence:
      return "amdgpu has fences with an order only";
    case Foreign::fence_spaces:
      return "amdgpu does not model the address spaces of a fence (amdgpu-synchronize-as)";
    case Foreign::proxy:
      return fmt::format("amdgpu has no {} proxy", to_string(word.of));
    case Foreign::queue_family:
      return "amdgpu has no queue families";
    case Foreign::full_barrier_rmw:
      break;
  }
  return "this version of the Linux kernel's model has no read-modify-writes that are full barriers; "
         "expected the version for herd7's variant lkmmv2";
}

}  // namespace

std::string ForeignWord::why() const { return base::worded(sentence(*this)); }

std::optional<ForeignWord> foreign_word(const Model& model, const LitmusTest& test) {
  const ModelProperties& known = model.properties();
  if (std::optional<ForeignWord> foreign = foreign_to_other_machines(known, test)) return foreign;
  if (test.arch == Arch::linux_kernel && is_old_linux_model(model)) return full_barrier_rmw(test);
  return foreign_word(known.vocabulary, test);
}

std::optional<ForeignWord> foreign_word(Vocabulary vocabulary, const LitmusTest& test) {
  if (vocabulary != Vocabulary::rel_acq && vocabulary != Vocabulary::amdgpu) return std::nullopt;
  const ScopeTree tree = test.scope_tree();
  for (std::size_t t = 0; t < test.threads.size(); ++t) {
    for (const Instruction& instruction : test.threads[t].instructions) {
      std::optional<ForeignWord> foreign =
          vocabulary == Vocabulary::amdgpu ? foreign_to_amdgpu(instruction) : foreign_to_rel_acq(instruction, tree, t);
      if (foreign) return foreign;
    }
  }
  return std::nullopt;
}

}  // namespace weakspot::model
