// SPDX-License-Identifier: MIT
#include "codegen/spirv_module.h"

#include "codegen/kernel/kernel_builder.h"
#include "codegen/spirv/print_spirv.h"
#include "codegen/spirv/spirv_words.h"

namespace weakspot::codegen {

std::vector<std::uint32_t> spirv_capabilities(std::span<const std::uint32_t> module) {
  std::vector<std::uint32_t> capabilities;
  // Capabilities come first, two words each.
  for (std::size_t at = spirv::kHeaderWords; at + 1 < module.size(); at += 2) {
    if ((module[at] & spv::OpCodeMask) != spirv::word_of(spv::Op::OpCapability)) break;
    capabilities.push_back(module[at + 1]);
  }
  return capabilities;
}

// Neighbouring threads write neighbouring words.
ClearingModule clearing_module() {
  constexpr std::uint32_t kThreads = 256;
  constexpr std::uint32_t kStores = 16;
  constexpr std::uint32_t kWords = kThreads * kStores;
  KernelBuilder b("clear");
  b.kernel().workgroup_size = kThreads;
  const Var first = b.let(buffer_address(0) + mul_wide(builtin(Builtin::workgroup_id), kWords * 4) +
                          mul_wide(builtin(Builtin::local_id), 4u));
  for (std::uint32_t i = 0; i < kStores; ++i) {
    MemoryAccess access;
    access.address = Expr(first) + constant64(std::uint64_t{i} * kThreads * 4);
    b.add(StoreTo{access, 0u});
  }
  KernelModule module;
  module.buffers = {"memory"};
  module.kernels.push_back(std::move(b).finish());
  return {print_spirv(module), kWords};
}

}  // namespace weakspot::codegen
