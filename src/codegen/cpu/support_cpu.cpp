#include <fmt/format.h>

#include "codegen/cpu_code.h"
#include "codegen/harness/support_targets.h"

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
      if (isa != CpuIsa::aarch64) refuse("it has fences of AArch64");
      return;
    case FenceKind::mfence:
    case FenceKind::sfence:
    case FenceKind::lfence:
      if (isa != CpuIsa::x86_64) refuse("it has fences of x86-64");
      return;
    case FenceKind::proxy:
      return refuse("it has fences between proxies; a CPU has one way to memory");
    case FenceKind::av_device:
    case FenceKind::vis_device:
      return refuse("it has fences of a GPU language that have no counterpart on a CPU");
  }
}

}  // namespace

void refuse_for_cpu(const LitmusTest& test, const CpuFeatures& features, const Refuse& refuse) {
  // A test in assembly runs as it is written, so on its own machine only.
  const Arch other = features.isa == CpuIsa::aarch64 ? Arch::x86_64 : Arch::aarch64;
  if (test.arch == other) {
    refuse(fmt::format("it is written for {}; this machine is {}",
                       to_string(features.isa == CpuIsa::aarch64 ? CpuIsa::x86_64 : CpuIsa::aarch64),
                       to_string(features.isa)));
    return;
  }
  for (const Thread& thread : test.threads) {
    for (const Instruction& instruction : thread.instructions) {
      if (const auto* fence = std::get_if<Fence>(&instruction.operation)) check_fence(*fence, features.isa, refuse);
      if (std::holds_alternative<Barrier>(instruction.operation)) {
        refuse("it has barriers between threads, which a CPU has not");
      }
      if (std::holds_alternative<Rmw>(instruction.operation) && test.arch == Arch::aarch64 && !features.lse) {
        refuse("it has atomic instructions that this machine has not");
      }
      const Access* access = access_of(instruction);
      if (access == nullptr) continue;
      if (access->tags.has(Tag::exclusive) && features.isa != CpuIsa::aarch64) {
        refuse("it has exclusive accesses, which x86-64 has not");
      }
      if (access->order == Order::acquire_pc && test.arch == Arch::aarch64 && !features.rcpc) {
        refuse("it has LDAPR, which this machine has not");
      }
    }
  }
}

}  // namespace weakspot::codegen
