// SPDX-License-Identifier: MIT
#include "model/foreign_words.h"

#include <fmt/format.h>

#include <algorithm>

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
std::optional<std::string> why_foreign_to_amdgpu(const Instruction& instruction) {
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
  const bool scoped = fence != nullptr || (access != nullptr && access->order != Order::plain);
  if (scoped && (fence != nullptr ? fence->scope : access->scope) == Scope::queue_family) {
    return "amdgpu has no queue families";
  }
  return std::nullopt;
}

std::optional<ForeignWord> foreign_to_amdgpu(const LitmusTest& test) {
  for (const Thread& thread : test.threads) {
    for (const Instruction& instruction : thread.instructions) {
      if (std::optional<std::string> why = why_foreign_to_amdgpu(instruction)) {
        return ForeignWord{*std::move(why), instruction.span};
      }
    }
  }
  return std::nullopt;
}

// Asynchronous operations and CPUs beside GPUs are PTX's. SC and its stronger form know an order for them as well.
std::optional<ForeignWord> foreign_to_other_machines(const Model& model, const LitmusTest& test) {
  static constexpr std::string_view kKnow[] = {"PTX", "Sequential consistency", "Whole threads"};
  const auto knows = [&](std::string_view title) { return std::string_view(model.name()).starts_with(title); };
  if (std::any_of(std::begin(kKnow), std::end(kKnow), knows)) return std::nullopt;
  if (test.scopes && test.scopes->has_cpus()) {
    return ForeignWord{"this model has no threads on CPUs beside those on GPUs; ptx-tso and ptx-aarch64 have",
                       test.span};
  }
  for (const Thread& thread : test.threads) {
    for (const Instruction& instruction : thread.instructions) {
      if (is_asynchronous(instruction)) {
        return ForeignWord{"this model has no asynchronous operations; ptx has", instruction.span};
      }
    }
  }
  return std::nullopt;
}

bool has_check(const Model& model, std::string_view name) {
  return std::any_of(model.checks().begin(), model.checks().end(),
                     [&](const Model::Check& check) { return check.name == name; });
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
      return ForeignWord{
          "this version of the Linux kernel's model has no read-modify-writes that are full barriers; "
          "expected the version for herd7's variant lkmmv2",
          instruction.span};
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<ForeignWord> foreign_word(const Model& model, const LitmusTest& test) {
  if (std::optional<ForeignWord> foreign = foreign_to_other_machines(model, test)) return foreign;
  if (model.name() == kAmdgpu) return foreign_to_amdgpu(test);
  if (test.arch == Arch::linux_kernel && is_old_linux_model(model)) return full_barrier_rmw(test);
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
