// SPDX-License-Identifier: MIT
#include "questions/strengthen/vocabulary.h"

#include <algorithm>
#include <optional>

#include "litmus/instruction.h"

namespace weakspot::questions {
namespace {

using litmus::Access;
using litmus::Arch;
using litmus::Fence;
using litmus::FenceAccesses;
using litmus::FenceKind;
using litmus::Instruction;
using litmus::LitmusTest;
using litmus::Order;
using litmus::Proxy;
using litmus::Scope;

// The scopes that tell some threads of the test apart, narrowest first.
std::vector<Scope> useful_scopes(const LitmusTest& test, const std::vector<Scope>& offered) {
  const litmus::ScopeTree tree = test.scope_tree();
  const auto threads = static_cast<std::uint32_t>(test.threads.size());
  std::vector<Scope> scopes;
  std::optional<std::vector<bool>> last;
  for (Scope scope : offered) {
    std::vector<bool> together;
    for (std::uint32_t a = 0; a < threads; ++a) {
      for (std::uint32_t b = a + 1; b < threads; ++b) {
        together.push_back(tree.together(litmus::ThreadId{a}, litmus::ThreadId{b}, scope));
      }
    }
    if (last && *last == together) continue;
    scopes.push_back(scope);
    last = std::move(together);
  }
  return scopes;
}

bool knows_scopes(const LitmusTest& test, const model::Model& model) {
  switch (test.arch) {
    case Arch::ptx:
    case Arch::ptx2015:
    case Arch::vulkan:
    case Arch::opencl:
      return true;
    case Arch::generic:
      return test.scopes || model.properties().scopes;
    default:
      return false;
  }
}

std::vector<Scope> offered_scopes(Arch arch) {
  if (arch == Arch::vulkan) return {Scope::subgroup, Scope::workgroup, Scope::queue_family, Scope::device};
  if (arch == Arch::opencl) return {Scope::workgroup, Scope::device, Scope::system};
  return {Scope::workgroup, Scope::cluster, Scope::device, Scope::system};
}

constexpr Kept kReadAny = kReadRead | kReadWrite;
constexpr Kept kWriteAny = kWriteRead | kWriteWrite;

CpuFence dmb(FenceAccesses accesses, Kept kept) {
  Fence fence;
  fence.kind = FenceKind::dmb;
  fence.accesses = accesses;
  return {fence, kept};
}

CpuFence named(litmus::FenceName name, Kept kept) {
  Fence fence;
  fence.kind = FenceKind::named;
  fence.name = name;
  return {fence, kept};
}

// Each list ends with the one that keeps all.
std::vector<CpuFence> cpu_fences(Arch arch) {
  using Name = litmus::FenceName;
  constexpr Kept kAll = kReadAny | kWriteAny;
  switch (arch) {
    case Arch::aarch64:
      return {dmb(FenceAccesses::loads, kReadAny), dmb(FenceAccesses::stores, kWriteWrite),
              dmb(FenceAccesses::all, kAll)};
    case Arch::riscv:
      return {named(Name::riscv_r_r, kReadRead),
              named(Name::riscv_r_w, kReadWrite),
              named(Name::riscv_w_w, kWriteWrite),
              named(Name::riscv_w_r, kWriteRead),
              named(Name::riscv_r_rw, kReadAny),
              named(Name::riscv_w_rw, kWriteAny),
              named(Name::riscv_rw_r, kReadRead | kWriteRead),
              named(Name::riscv_rw_w, kReadWrite | kWriteWrite),
              named(Name::riscv_tso, kReadAny | kWriteWrite),
              named(Name::riscv_rw_rw, kAll)};
    case Arch::linux_kernel:
      return {named(Name::linux_rmb, kReadRead), named(Name::linux_wmb, kWriteWrite), named(Name::linux_mb, kAll)};
    default:
      return {};
  }
}

// Whether a barrier of the workgroup can be put into each thread: the model has them, the test has none that would then
// meet others, and no thread can miss it or wait for a thread that is held up by it.
bool takes_barriers(const LitmusTest& test, const model::Model& model) {
  const bool gpu = test.arch == Arch::ptx || test.arch == Arch::vulkan || test.arch == Arch::opencl ||
                   (test.arch == Arch::generic && model.properties().scopes);
  if (!gpu) return false;
  return std::all_of(test.threads.begin(), test.threads.end(), [](const litmus::Thread& thread) {
    return std::none_of(thread.instructions.begin(), thread.instructions.end(), [](const Instruction& one) {
      return one.guard || std::holds_alternative<litmus::Branch>(one.operation) ||
             std::holds_alternative<litmus::Barrier>(one.operation) ||
             std::holds_alternative<litmus::Mbarrier>(one.operation);
    });
  });
}

}  // namespace

Vocabulary vocabulary(const LitmusTest& test, const model::Model& model) {
  Vocabulary words;
  words.cpu_fences = cpu_fences(test.arch);
  const bool has_sc = !model.partial_coherence();  // PTX and Vulkan have no sequentially consistent accesses
  switch (test.arch) {
    case Arch::ptx2015:
      words.fences = {Order::seq_cst};
      break;
    case Arch::aarch64:
      words.loads = {Order::acquire_pc, Order::acquire};
      words.stores = {Order::release};
      words.updates = {Order::acquire, Order::release, Order::acq_rel};
      break;
    case Arch::x86_64:
      words.fences = {Order::seq_cst};
      break;
    case Arch::riscv:
      words.updates = {Order::acquire, Order::release, Order::seq_cst};
      break;
    case Arch::linux_kernel:
      words.loads = {Order::relaxed, Order::acquire};
      words.stores = {Order::relaxed, Order::release};
      words.updates = {Order::acquire, Order::release, Order::seq_cst};
      break;
    case Arch::ptx:
    case Arch::vulkan:
    case Arch::generic:
    case Arch::c11:
    case Arch::opencl:
      words.loads = {Order::relaxed, Order::acquire};
      words.stores = {Order::relaxed, Order::release};
      words.updates = {Order::acquire, Order::release, Order::acq_rel};
      words.fences = {Order::acq_rel};
      if (test.arch != Arch::ptx) words.fences = {Order::acquire, Order::release, Order::acq_rel};
      if (test.arch != Arch::vulkan) words.fences.push_back(Order::seq_cst);
      if (has_sc && test.arch != Arch::ptx && test.arch != Arch::vulkan) {
        for (std::vector<Order>* orders : {&words.loads, &words.stores, &words.updates}) {
          orders->push_back(Order::seq_cst);
        }
      }
      break;
  }
  const bool wgsl = model.properties().vocabulary == model::Vocabulary::wgsl;
  words.barriers = wgsl || takes_barriers(test, model);
  if (wgsl) words.fences.clear();  // it has none
  words.storage_classes = test.arch == Arch::vulkan;
  if (knows_scopes(test, model)) words.scopes = useful_scopes(test, offered_scopes(test.arch));
  for (const litmus::Location& location : test.locations) {
    if (location.proxy != Proxy::generic) words.proxies.insert(location.proxy);
    if (location.alias_of && location.proxy == Proxy::generic) words.proxies.insert(Proxy::alias);
  }
  for (const litmus::Thread& thread : test.threads) {
    for (const Instruction& instruction : thread.instructions) {
      const Access* access = litmus::access_of(instruction);
      if (access != nullptr && access->proxy != Proxy::generic) words.proxies.insert(access->proxy);
      const auto* copy = std::get_if<litmus::AsyncCopy>(&instruction.operation);
      if (copy != nullptr && copy->engine != litmus::AsyncEngine::lane) words.proxies.insert(Proxy::async);
      if (copy != nullptr && copy->mapped) words.proxies.insert(Proxy::tensormap);
    }
  }
  return words;
}

}  // namespace weakspot::questions
