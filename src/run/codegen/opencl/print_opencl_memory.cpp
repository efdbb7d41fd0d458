// SPDX-License-Identifier: MIT
#include "codegen/opencl/print_opencl_memory.h"

#include <fmt/format.h>

#include "base/check.h"

namespace weakspot::codegen {
namespace {

using namespace litmus;

std::string_view plain_type(Type type) {
  switch (type) {
    case Type::s8:
      return "char";
    case Type::u8:
    case Type::pred:
      return "uchar";
    case Type::s16:
      return "short";
    case Type::u16:
      return "ushort";
    case Type::s32:
    case Type::u32:
    case Type::b32:
      return "uint";
    case Type::s64:
    case Type::u64:
    case Type::b64:
      return "ulong";
  }
  return "uint";
}

}  // namespace

std::string opencl_pointer(const OpenclAccess& access, std::string_view type, bool is_volatile) {
  const char* qualifier = is_volatile ? "volatile " : "";
  if (access.how.shared) {
    return fmt::format("({}local {}*)((local uchar*)workgroup_memory + {})", qualifier, type, access.address);
  }
  return fmt::format("({}global {}*)({})", qualifier, type, access.address);
}

std::string opencl_flags(const Spaces& semantics) {
  const bool global = semantics.has(Space::global);
  const bool shared = semantics.has(Space::shared);
  if (global != shared) return global ? "CLK_GLOBAL_MEM_FENCE" : "CLK_LOCAL_MEM_FENCE";
  return "CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE";
}

std::string OpenclMemory::load(const OpenclAccess& access) const {
  if (access.how.order != Order::plain) return atomic_load(access);
  std::string loaded = "*" + opencl_pointer(access, plain_type(access.how.type), access.how.is_volatile);
  if (size_in_bytes(access.how.type) < 4) {
    const bool wide = access.target_width == Width::w64;
    const char* extended = is_signed(access.how.type) ? (wide ? "(long)" : "(int)") : "";
    loaded = fmt::format("({}){}{}", wide ? "ulong" : "uint", extended, loaded);
  }
  return fmt::format("{} = {};", access.target, loaded);
}

std::string OpenclMemory::store(const OpenclAccess& access) const {
  if (access.how.order != Order::plain) return atomic_store(access);
  const std::string_view type = plain_type(access.how.type);
  const bool narrow = size_in_bytes(access.how.type) < 4;
  return fmt::format("*{} = {};", opencl_pointer(access, type, access.how.is_volatile),
                     narrow ? fmt::format("({})({})", type, access.value) : access.value);
}

std::string OpenclMemory::barrier(const BarrierOf& barrier) const {
  WEAKSPOT_CHECK(barrier.kind != BarrierOf::Kind::named);
  const char* function = barrier.kind == BarrierOf::Kind::subgroup ? "sub_group_barrier" : "work_group_barrier";
  const char* scope = barrier.memory_scope == Scope::workgroup ? "" : ", memory_scope_device";
  return fmt::format("{}({}{});", function, opencl_flags(barrier.semantics), scope);
}

// The counters of the harness have 64 bits.
std::string OpenclMemory::head() const {
  return "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"
         "#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable\n\n";
}

std::unique_ptr<OpenclMemory> make_opencl_memory(const OpenclLimits& limits) {
  switch (limits.mapping) {
    case OpenclMapping::c11:
      return make_c11_memory(limits);
    case OpenclMapping::legacy:
      return make_legacy_memory();
    case OpenclMapping::inline_ptx:
      return make_inline_ptx_memory();
  }
  WEAKSPOT_CHECK(false);
  return nullptr;
}

}  // namespace weakspot::codegen
