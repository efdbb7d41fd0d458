// SPDX-License-Identifier: MIT
#include "workbench/experiment/platform_form.h"

#include "litmus/instruction.h"

namespace weakspot::workbench {
namespace {

using namespace litmus;

Order strongest_fence(const backend::DeviceInfo& device) {
  const codegen::OpenclLimits& opencl = device.limits.opencl;
  const bool sc =
      device.target == codegen::Target::opencl && opencl.seq_cst && opencl.mapping != codegen::OpenclMapping::legacy;
  return sc ? Order::seq_cst : Order::acq_rel;
}

void soften(Access& access) {
  if (access.order == Order::plain) access.order = Order::relaxed;
  access.cache = CacheOp::none;
  access.tags.erase(Tag::volatile_);
}

}  // namespace

LitmusTest platform_form(LitmusTest test, const backend::DeviceInfo& device) {
  const bool as_written = device.target == codegen::Target::ptx || device.target == codegen::Target::cpu ||
                          device.target == codegen::Target::mixed;
  if (as_written || test.arch != Arch::ptx2015) return test;
  test.arch = Arch::generic;
  test.expectations.clear();
  for (Thread& thread : test.threads) {
    for (Instruction& instruction : thread.instructions) {
      if (Access* access = access_of(instruction)) soften(*access);
      auto* fence = std::get_if<Fence>(&instruction.operation);
      if (fence == nullptr || fence->kind != FenceKind::membar) continue;
      fence->kind = FenceKind::order;
      fence->order = strongest_fence(device);
    }
  }
  return test;
}

}  // namespace weakspot::workbench
