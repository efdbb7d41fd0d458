// SPDX-License-Identifier: MIT
#include "race_jit/lower/amd_scopes.h"

#include <llvm/IR/MemoryModelRelaxationAnnotations.h>

#include "race_jit/hooks/hooks.h"

namespace weakspot::race_jit {
namespace {

// Without what follows the scope's name: such an operation orders one address space, that of its own access.
llvm::StringRef scope_name(llvm::LLVMContext& context, llvm::SyncScope::ID scope) {
  llvm::SmallVector<llvm::StringRef, 12> names;
  context.getSyncScopeNames(names);
  llvm::StringRef name = scope < names.size() ? names[scope] : "";
  name.consume_back("one-as");
  name.consume_back("-");
  return name;
}

}  // namespace

std::optional<int> amd_scope(llvm::LLVMContext& context, llvm::SyncScope::ID scope) {
  const llvm::StringRef name = scope_name(context, scope);
  if (name == "agent" || name == "cluster") return kDeviceScope;
  if (name == "workgroup") return kBlockScope;
  if (name == "wavefront" || name == "singlethread") return std::nullopt;
  return kSystemScope;
}

bool is_of_block(llvm::LLVMContext& context, llvm::SyncScope::ID scope) {
  return scope_name(context, scope) == "workgroup";
}

bool is_of_wave(llvm::LLVMContext& context, llvm::SyncScope::ID scope) {
  return scope_name(context, scope) == "wavefront";
}

std::optional<int> fenced_memory(const llvm::Instruction& fence) {
  const llvm::MMRAMetadata tags(fence);
  bool any = false, shared = false, global = false;
  for (const char* prefix : {"amdgpu-as", "amdgpu-synchronize-as"}) {
    any = any || tags.hasTagWithPrefix(prefix);
    shared = shared || tags.hasTag(prefix, "local");
    global = global || tags.hasTag(prefix, "global");
  }
  if (shared == global) return any && !shared ? std::nullopt : std::optional<int>(kAllMemory);
  return shared ? kSharedAlone : kGlobalAlone;
}

}  // namespace weakspot::race_jit
