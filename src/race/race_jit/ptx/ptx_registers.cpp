// SPDX-License-Identifier: MIT
#include "race_jit/ptx/ptx_registers.h"

#include <cstddef>
#include <map>

#include "race_jit/hooks/context.h"
#include "race_jit/machine/meetings.h"

namespace weakspot::race_jit {

llvm::Value* ptx_special_register(
    PtxBuilder& builder, const std::string& name, const std::function<llvm::Value*(std::size_t)>& field,
    const std::function<llvm::Value*(const char*, llvm::Type*, std::vector<llvm::Value*>)>& hook) {
  static const std::map<std::string, std::size_t> kVectors = {{"%tid", offsetof(ThreadContext, thread)},
                                                              {"%ctaid", offsetof(ThreadContext, block)},
                                                              {"%ntid", offsetof(ThreadContext, block_size)},
                                                              {"%nctaid", offsetof(ThreadContext, grid_size)}};
  if (const std::optional<std::uint32_t> which = cluster_register_number(name)) {
    return hook("weakspot_cluster_register", builder.getInt32Ty(), {builder.getInt32(*which)});
  }
  if (name.size() > 2 && name[name.size() - 2] == '.') {
    auto found = kVectors.find(name.substr(0, name.size() - 2));
    const std::size_t axis = static_cast<std::size_t>(name.back() - 'x');
    return found == kVectors.end() || axis > 2 ? nullptr : field(found->second + 4 * axis);
  }
  llvm::Value* number = field(offsetof(ThreadContext, number));
  llvm::Value* lane = builder.CreateAnd(number, 31);
  llvm::Value* bit = builder.CreateShl(builder.getInt32(1), lane);
  llvm::Value* below = builder.CreateSub(bit, builder.getInt32(1));
  if (name == "%laneid") return lane;
  if (name == "%warpid") return builder.CreateLShr(number, 5);
  if (name == "%lanemask_eq") return bit;
  if (name == "%lanemask_lt") return below;
  if (name == "%lanemask_le") return builder.CreateOr(below, bit);
  if (name == "%lanemask_ge") return builder.CreateNot(below);
  if (name == "%lanemask_gt") return builder.CreateNot(builder.CreateOr(below, bit));
  // Set by the driver: where a grid keeps its barrier, which we provide, and reserved shared memory.
  if (name.starts_with("%envreg")) return builder.getInt32(1);
  if (name == "%reserved_smem_offset_1") return builder.getInt32(0);
  if (name == "%smid" || name == "%gridid") return builder.getInt32(0);
  if (name == "%nsmid") return builder.getInt32(1);
  if (name == "%clock" || name == "%clock64" || name == "%globaltimer") {
    return hook("weakspot_clock", builder.getInt64Ty(), {});
  }
  return nullptr;
}

}  // namespace weakspot::race_jit
