// SPDX-License-Identifier: MIT
#include "codegen/harness/support.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "codegen/harness/assignment.h"
#include "codegen/harness/resident_layout.h"
#include "codegen/harness/support_targets.h"
#include "litmus/instruction.h"

namespace weakspot::codegen {
namespace {

using namespace litmus;

class Checker {
 public:
  Checker(const LitmusTest& test, Target target, const TargetLimits& limits)
      : test_(test), target_(target), limits_(limits), resident_(target == Target::ptx && is_resident(test)) {}

  base::Status run() {
    check_asynchronous();
    if (!problems_.empty()) return problems_;
    for (const Location& location : test_.locations) check_location(location);
    for (std::size_t t = 0; t < test_.threads.size(); ++t) check_thread(t);
    if (!resident_) check_shared();
    if (!resident_ && has_barriers(test_)) check_barriers();
    const Refuse because = [this](const std::string& why) { refuse(why); };
    if (target_ == Target::cpu) refuse_for_cpu(test_, limits_.cpu, because);
    if (target_ == Target::opencl) refuse_for_opencl(test_, limits_.opencl, because);
    if (target_ == Target::wgsl) refuse_for_wgsl(test_, because);
    if (target_ == Target::spirv) refuse_for_spirv(test_, because);
    if (!problems_.empty()) return problems_;
    return base::ok_status();
  }

 private:
  void refuse(const std::string& why) {
    if (reasons_.insert(why).second) problems_.push_back(cannot_run(test_, why));
  }

  void check_asynchronous() {
    if (test_.scopes && test_.scopes->has_cpus()) {
      refuse("the test has threads on a CPU and on a GPU; devices such as cuda:0+cpu run it");
    }
    if (test_.scopes && !test_.scopes->launches.empty()) return check_launches();
    if (resident_) return refuse_for_resident(test_, limits_, [this](const std::string& why) { refuse(why); });
    for (const Thread& thread : test_.threads) {
      for (const Instruction& instruction : thread.instructions) {
        if (is_asynchronous(instruction)) refuse("the test has asynchronous operations");
        const auto* fence = std::get_if<Fence>(&instruction.operation);
        if (fence != nullptr && fence->kind == FenceKind::mbarrier_init) refuse("the test has fences of mbarriers");
        const auto* barrier = std::get_if<Barrier>(&instruction.operation);
        if (barrier != nullptr && barrier->kind == Barrier::Kind::wait) refuse("the test has cluster barriers");
      }
    }
  }

  // Dependent launches must be a chain of grids of one thread each.
  void check_launches() {
    if (target_ != Target::ptx) return refuse("the test has dependent launches");
    refuse_for_grids(test_, limits_, [this](const std::string& why) { refuse(why); });
  }

  void check_location(const Location& location) {
    if (location.is_array() && location.element == 0 && !resident_)
      refuse(fmt::format("'{}' is an array", location.name));
    if (location.alias_of) check_alias(location);
    if (location.space == Space::constant) refuse(fmt::format("'{}' is in constant memory", location.name));
    if (location.initial.base && size_in_bytes(location.type) != 8) {
      refuse(fmt::format("'{}' holds an address but does not have 64 bits", location.name));
    }
  }

  // Refuses aliases other than views through another proxy: another address would need memory that is mapped twice.
  void check_alias(const Location& location) {
    if (target_ != Target::ptx) return refuse(fmt::format("'{}' is an alias of another location", location.name));
    if (location.proxy == Proxy::surface) return refuse_surface(location);
    if (location.proxy != Proxy::texture && location.proxy != Proxy::constant) {
      return refuse(fmt::format("'{}' is an alias of another location", location.name));
    }
    if (resident_) {
      refuse(fmt::format("'{}' is a {}, in a test with asynchronous operations", location.name,
                         location.proxy == Proxy::texture ? "texture" : "constant"));
    }
    if (is_shared(location) || is_shared(test_[physical_location(test_, *location.alias_of)])) {
      refuse(fmt::format("'{}' is an alias of shared memory", location.name));
    }
  }

  void refuse_surface(const Location& location) {
    refuse(fmt::format("'{}' is a surface: CUDA's surfaces are arrays, which have no addresses to store to",
                       location.name));
  }

  // PTX reads through textures and from constant memory, and nothing else.
  void check_proxy(const Instruction& instruction, const Access& access) {
    if (target_ == Target::ptx && access.proxy == Proxy::surface && access.address.location) {
      return refuse_surface(test_[*access.address.location]);
    }
    const bool known = access.proxy == Proxy::texture || access.proxy == Proxy::constant;
    if (target_ != Target::ptx || resident_ || !known) {
      return refuse(fmt::format("the test uses the {} proxy", to_string(access.proxy)));
    }
    const std::string_view proxy = to_string(access.proxy);
    if (!std::holds_alternative<Load>(instruction.operation)) {
      return refuse(fmt::format("the {} proxy only reads", proxy));
    }
    if (access.order != Order::plain || access.tags.has(Tag::volatile_) || access.cache != CacheOp::none) {
      refuse(fmt::format("loads through the {} proxy are weak and have no cache operator", proxy));
    }
    if (access.proxy == Proxy::texture && size_in_bytes(access.type) != 4) {
      refuse("loads through the texture proxy have 32 bits");
    }
    if (!access.address.location || is_shared(test_[*access.address.location])) {
      refuse(fmt::format("a load through the {} proxy names no location in global memory", proxy));
    }
  }

  bool is_shared(const Location& location) const { return location.space == Space::shared; }

  void check_value(const Value& value, bool wide) {
    if (!value.base) return;
    if (!wide) refuse("the test keeps an address in fewer than 64 bits");
    if (is_shared(test_[*value.base])) {
      refuse(fmt::format("the test uses the address of '{}', which is in shared memory, as a value",
                         test_[*value.base].name));
    }
  }

  bool wide(std::size_t thread, RegisterId id) const {
    return size_in_bytes(test_.threads[thread].registers[id.index].type) == 8;
  }

  void check_thread(std::size_t t) {
    for (const Register& reg : test_.threads[t].registers) check_value(reg.initial, size_in_bytes(reg.type) == 8);
    for (const Instruction& instruction : test_.threads[t].instructions) {
      if (const Access* access = access_of(instruction)) check_access(t, instruction, *access);
      if (const auto* store = std::get_if<Store>(&instruction.operation)) {
        if (const auto* value = std::get_if<Value>(&store->value)) {
          check_value(*value, size_in_bytes(store->access.type) == 8);
        }
      } else if (const auto* rmw = std::get_if<Rmw>(&instruction.operation)) {
        check_rmw(*rmw);
      } else if (const auto* fence = std::get_if<Fence>(&instruction.operation)) {
        check_fence(*fence);
      } else if (const auto* compute = std::get_if<Compute>(&instruction.operation)) {
        if (const auto* value = std::get_if<Value>(&compute->left)) check_value(*value, wide(t, compute->target));
      } else if (const auto* select = std::get_if<Select>(&instruction.operation)) {
        for (const Operand* choice : {&select->yes, &select->no}) {
          if (const auto* value = std::get_if<Value>(choice)) check_value(*value, wide(t, select->target));
        }
      }
    }
  }

  void check_access(std::size_t thread, const Instruction& instruction, const Access& access) {
    if (access.tags.has(Tag::exclusive) && target_ != Target::cpu) {
      refuse("the test uses exclusive accesses, which GPUs do not have");
    }
    if (access.tags.has(Tag::vector)) refuse("the test uses vector accesses");
    if (access.proxy != Proxy::generic) check_proxy(instruction, access);
    if (access.address.index && !access.address.location && !wide(thread, *access.address.index)) {
      refuse("the test keeps an address in fewer than 64 bits");
    }
    if (speaks_ptx()) check_ptx_access(access, std::holds_alternative<Store>(instruction.operation));
  }

  bool speaks_ptx() const {
    return target_ == Target::ptx || (target_ == Target::opencl && limits_.opencl.mapping == OpenclMapping::inline_ptx);
  }

  void check_ptx_access(const Access& access, bool store) {
    if (access.cache != CacheOp::none && access.order != Order::plain) {
      refuse("PTX has cache operators for weak accesses only");
    }
    const bool for_loads = access.cache == CacheOp::ca || access.cache == CacheOp::lu || access.cache == CacheOp::cv;
    const bool for_stores = access.cache == CacheOp::wb || access.cache == CacheOp::wt;
    if (store ? for_loads : for_stores) {
      refuse(
          fmt::format("PTX has no {} with the cache operator '{}'", store ? "store" : "load", to_string(access.cache)));
    }
    if (access.scope == Scope::cluster && limits_.ptx_arch < 90) refuse("the device has no clusters");
  }

  void check_rmw(const Rmw& rmw) {
    const int size = size_in_bytes(rmw.access.type);
    if (size < 4) refuse(fmt::format("the test has a read-modify-write of {} bits", size * 8));
    if (size == 8 && (rmw.op == RmwOp::inc || rmw.op == RmwOp::dec)) {
      refuse(fmt::format("the test has a 64-bit atom.{}", to_string(rmw.op)));
    }
    if (const auto* value = std::get_if<Value>(&rmw.operand)) check_value(*value, size == 8);
    if (rmw.access.cache != CacheOp::none) refuse("the test has a read-modify-write with a cache operator");
  }

  void check_fence(const Fence& fence) {
    if (target_ == Target::cpu) return;
    switch (fence.kind) {
      case FenceKind::order:
      case FenceKind::membar:
        if (fence.scope == Scope::cluster && speaks_ptx() && limits_.ptx_arch < 90)
          refuse("the device has no clusters");
        return;
      case FenceKind::proxy:
        if (fence.proxy == Proxy::alias || fence.proxy == Proxy::generic) return;
        if (fence.proxy == Proxy::async && (resident_ || (target_ == Target::ptx && limits_.ptx_arch >= 90))) return;
        if (fence.proxy == Proxy::tensormap) return refuse("the test has a tensor map, which is judged only");
        if (target_ == Target::ptx && fence.proxy != Proxy::async) {
          return refuse(fmt::format("PTX has no fence for the {} proxy", to_string(fence.proxy)));
        }
        return refuse(fmt::format("the test has a fence for the {} proxy", to_string(fence.proxy)));
      case FenceKind::mbarrier_init:
        return;
      case FenceKind::wgmma:
        return refuse("the test has products of warpgroups (wgmma), which are judged only");
      case FenceKind::tensor_before:
      case FenceKind::tensor_after:
        return refuse("the test has tensor memory (tcgen05), which is judged only");
      default:
        return refuse("the test uses fences of a CPU or of another GPU language");
    }
  }

  // A shared location is in one workgroup.
  void check_shared() {
    const ScopeTree tree = test_.scope_tree();
    std::map<std::uint32_t, std::uint32_t> workgroup_of;
    for (std::size_t t = 0; t < test_.threads.size(); ++t) {
      for (const Instruction& instruction : test_.threads[t].instructions) {
        const Access* access = access_of(instruction);
        if (access == nullptr || !access->address.location) continue;
        const LocationId id = *access->address.location;
        if (!is_shared(test_[id])) continue;
        const auto [entry, first] = workgroup_of.emplace(id.index, tree.placements[t].workgroup);
        if (entry->second != tree.placements[t].workgroup) {
          refuse(fmt::format("two workgroups use '{}', which is in shared memory", test_[id].name));
        }
      }
    }
  }

  // The threads of a workgroup must reach the same barriers in the same order on every path, or they could wait
  // forever.
  void check_barriers() {
    const ScopeTree tree = test_.scope_tree();
    std::map<std::uint32_t, std::vector<Barrier>> sequence;
    for (std::size_t t = 0; t < test_.threads.size(); ++t) {
      std::vector<Barrier> met;
      bool jumps = false;
      for (const Instruction& instruction : test_.threads[t].instructions) {
        jumps = jumps || std::holds_alternative<Branch>(instruction.operation);
        const auto* barrier = std::get_if<Barrier>(&instruction.operation);
        if (barrier == nullptr) continue;
        if (jumps || instruction.guard) return refuse("a barrier follows a branch or has a guard");
        if (barrier->kind == Barrier::Kind::arrive || barrier->quorum) {
          return refuse("the test has a barrier at which only some threads wait");
        }
        if (barrier->scope != Scope::workgroup && barrier->scope != Scope::subgroup) {
          return refuse(fmt::format("the test has a barrier of scope '{}'", to_string(barrier->scope)));
        }
        const bool in_register = barrier->name && std::holds_alternative<RegisterId>(*barrier->name);
        if (in_register || std::holds_alternative<RegisterId>(barrier->id)) {
          return refuse("the number of a barrier is in a register");
        }
        met.push_back(*barrier);
      }
      const auto [entry, first] = sequence.emplace(tree.placements[t].workgroup, met);
      if (entry->second != met) return refuse("the threads of a workgroup do not reach the same barriers");
    }
  }

  const LitmusTest& test_;
  Target target_;
  const TargetLimits& limits_;
  bool resident_;
  base::Diagnostics problems_;
  std::set<std::string> reasons_;  // each is told once
};

Type widened(Type type) {
  switch (type) {
    case Type::s32:
      return Type::s64;
    case Type::u32:
      return Type::u64;
    case Type::b32:
      return Type::b64;
    default:
      return type;
  }
}

}  // namespace

base::Diagnostic cannot_run(const LitmusTest& test, std::string reason, std::string with) {
  return base::error({base::Refusal::Of::running, test.name, std::move(with), std::move(reason)});
}

base::Status check_runnable(const LitmusTest& test, Target target, const TargetLimits& limits) {
  if (target == Target::mixed) {
    return check_mixed(test, [&](const LitmusTest& half, Target of) { return check_runnable(half, of, limits); });
  }
  return Checker(test, target, limits).run();
}

base::Result<LitmusTest> widened(LitmusTest test) {
  auto refuse = [&](const char* why) { return cannot_run(test, why, "access_width=wide"); };
  for (Location& location : test.locations) {
    if (size_in_bytes(location.type) < 4) return refuse("the test has locations of fewer than 32 bits");
    location.type = widened(location.type);
  }
  for (Thread& thread : test.threads) {
    for (Register& reg : thread.registers) reg.type = widened(reg.type);
    for (Instruction& instruction : thread.instructions) {
      if (is_asynchronous(instruction)) return refuse("the test has asynchronous operations");
      if (Access* access = access_of(instruction)) {
        if (access->address.offset != 0 || size_in_bytes(access->type) < 4)
          return refuse("the test accesses part of a location");
        if (access->proxy == Proxy::texture) return refuse("the test reads through a texture, of 32-bit words");
        access->type = widened(access->type);
      }
      if (const auto* rmw = std::get_if<Rmw>(&instruction.operation)) {
        if (rmw->op == RmwOp::inc || rmw->op == RmwOp::dec) return refuse("the test uses atom.inc or atom.dec");
      }
    }
  }
  return test;
}

}  // namespace weakspot::codegen
