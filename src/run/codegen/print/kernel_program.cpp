// SPDX-License-Identifier: MIT
#include "codegen/print/kernel_program.h"

#include "codegen/kernel/buffer_use.h"
#include "codegen/opencl/print_opencl.h"
#include "codegen/ptx/print_ptx.h"
#include "codegen/spirv/print_spirv.h"
#include "codegen/wgsl/print_wgsl.h"

namespace weakspot::codegen {
namespace {

void print(const KernelModule& kernels, Target target, const TargetLimits& limits, std::string& text,
           std::vector<std::uint32_t>& words, std::vector<CodeLine>* lines = nullptr) {
  if (target == Target::ptx) text = print_ptx(kernels, {}, lines);
  if (target == Target::opencl) text = print_opencl(kernels, limits.opencl, lines);
  if (target == Target::wgsl) text = print_wgsl(kernels, lines);
  if (target == Target::spirv) words = print_spirv(kernels);
}

}  // namespace

DeviceProgram print_kernels(const KernelModule& kernels, Target target, const TargetLimits& limits) {
  DeviceProgram program;
  program.target = target;
  program.buffers = kernels.buffers;
  program.viewed = kernels.viewed;
  for (const Kernel& kernel : kernels.kernels) {
    Entry& entry = program.entries.emplace_back();
    entry.name = kernel.name;
    entry.workgroup_size = kernel.workgroup_size;
    entry.shared_bytes = kernel.shared_bytes;
    entry.buffers = used_buffers(kernel, kernels.buffers.size());
    entry.texture = loads_through(kernel, litmus::Proxy::texture);
    entry.constant = loads_through(kernel, litmus::Proxy::constant);
    // A browser is given whole programs.
    if (target == Target::wgsl) continue;
    print({kernels.buffers, {kernel}, kernels.viewed}, target, limits, entry.text, entry.words);
  }
  print(kernels, target, limits, program.text, program.words, &program.lines);
  if (target == Target::opencl) program.mapping = to_string(limits.opencl.mapping);
  return program;
}

}  // namespace weakspot::codegen
