// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "codegen/cpu_code.h"
#include "codegen/harness/support_targets.h"
#include "litmus/instruction.h"

namespace weakspot::codegen {
namespace {

using namespace litmus;

void check_fence(const Fence& fence, CpuIsa isa, const Refuse& refuse) {
  switch (fence.kind) {
    case FenceKind::order:
    case FenceKind::membar:
      return;
    case FenceKind::dmb:
    case FenceKind::dsb:
    case FenceKind::isb:
      if (isa != CpuIsa::aarch64) refuse("the test uses fences of AArch64, which x86-64 does not have");
      return;
    case FenceKind::mfence:
    case FenceKind::sfence:
    case FenceKind::lfence:
      if (isa != CpuIsa::x86_64) refuse("the test uses fences of x86-64, which AArch64 does not have");
      return;
    case FenceKind::proxy:
    case FenceKind::mbarrier_init:
    case FenceKind::wgmma:
      return refuse("the test uses proxy fences, which CPUs do not have");
    case FenceKind::tensor_before:
    case FenceKind::tensor_after:
      return refuse("the test has tensor memory (tcgen05), which CPUs do not have");
    case FenceKind::av_device:
    case FenceKind::vis_device:
      return refuse("the test uses fences of a GPU language that CPUs do not have");
    case FenceKind::named:
      return refuse(fmt::format("the test uses the fence {}, which this CPU does not have", to_string(fence.name)));
  }
}

}  // namespace

void refuse_for_cpu(const LitmusTest& test, const CpuFeatures& features, const Refuse& refuse) {
  // A test in assembly runs as written, so only on its own architecture.
  const Arch other = features.isa == CpuIsa::aarch64 ? Arch::x86_64 : Arch::aarch64;
  if (test.arch == other) {
    refuse(fmt::format("the test is written for {}; this machine is {}",
                       to_string(features.isa == CpuIsa::aarch64 ? CpuIsa::x86_64 : CpuIsa::aarch64),
                       to_string(features.isa)));
    return;
  }
  if (test.arch == Arch::riscv) {
    refuse(fmt::format("the test is written for RISC-V; this machine is {}", to_string(features.isa)));
    return;
  }
  if (test.arch == Arch::linux_kernel) {
    refuse("the test uses the Linux kernel's macros, which programs do not have");
    return;
  }
  for (const Thread& thread : test.threads) {
    for (const Instruction& instruction : thread.instructions) {
      if (const auto* fence = std::get_if<Fence>(&instruction.operation)) check_fence(*fence, features.isa, refuse);
      if (std::holds_alternative<Barrier>(instruction.operation)) {
        refuse("the test uses thread barriers, which CPUs do not have");
      }
      if (std::holds_alternative<Rmw>(instruction.operation) && test.arch == Arch::aarch64 && !features.lse) {
        refuse("the test uses atomic instructions, which this machine does not have");
      }
      const Access* access = access_of(instruction);
      if (access == nullptr) continue;
      if (access->tags.has(Tag::exclusive) && features.isa != CpuIsa::aarch64) {
        refuse("the test uses exclusive accesses, which x86-64 does not have");
      }
      if (access->order == Order::acquire_pc && features.isa == CpuIsa::aarch64 && !features.rcpc) {
        refuse("the test uses LDAPR, which this machine does not have");
      }
    }
  }
}

}  // namespace weakspot::codegen
