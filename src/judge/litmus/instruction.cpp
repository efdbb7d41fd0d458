// SPDX-License-Identifier: MIT
#include "litmus/instruction.h"

#include "base/names.h"

namespace weakspot::litmus {
namespace {

using base::Named;

constexpr Named<RmwOp> kRmwOps[] = {
    {"exch", RmwOp::exch}, {"add", RmwOp::add},  {"sub", RmwOp::sub}, {"inc", RmwOp::inc},
    {"dec", RmwOp::dec},   {"and", RmwOp::and_}, {"or", RmwOp::or_},  {"xor", RmwOp::xor_},
    {"min", RmwOp::min},   {"max", RmwOp::max},  {"cas", RmwOp::cas},
};
constexpr Named<ComputeOp> kComputeOps[] = {
    {"mov", ComputeOp::mov},  {"not", ComputeOp::not_}, {"neg", ComputeOp::neg},  {"add", ComputeOp::add},
    {"sub", ComputeOp::sub},  {"mul", ComputeOp::mul},  {"and", ComputeOp::and_}, {"or", ComputeOp::or_},
    {"xor", ComputeOp::xor_}, {"shl", ComputeOp::shl},  {"shr", ComputeOp::shr},  {"eq", ComputeOp::eq},
    {"ne", ComputeOp::ne},    {"lt", ComputeOp::lt},    {"le", ComputeOp::le},    {"gt", ComputeOp::gt},
    {"ge", ComputeOp::ge},
};
constexpr Named<CompareOp> kCompareOps[] = {
    {"eq", CompareOp::eq}, {"ne", CompareOp::ne}, {"lt", CompareOp::lt},
    {"le", CompareOp::le}, {"gt", CompareOp::gt}, {"ge", CompareOp::ge},
};
constexpr Named<FenceName> kFenceNames[] = {
    {"riscv.r.r", FenceName::riscv_r_r},
    {"riscv.r.w", FenceName::riscv_r_w},
    {"riscv.r.rw", FenceName::riscv_r_rw},
    {"riscv.w.r", FenceName::riscv_w_r},
    {"riscv.w.w", FenceName::riscv_w_w},
    {"riscv.w.rw", FenceName::riscv_w_rw},
    {"riscv.rw.r", FenceName::riscv_rw_r},
    {"riscv.rw.w", FenceName::riscv_rw_w},
    {"riscv.rw.rw", FenceName::riscv_rw_rw},
    {"riscv.tso", FenceName::riscv_tso},
    {"riscv.i", FenceName::riscv_i},
    {"linux.mb", FenceName::linux_mb},
    {"linux.rmb", FenceName::linux_rmb},
    {"linux.wmb", FenceName::linux_wmb},
    {"linux.barrier", FenceName::linux_barrier},
    {"linux.before_atomic", FenceName::linux_before_atomic},
    {"linux.after_atomic", FenceName::linux_after_atomic},
    {"linux.after_spinlock", FenceName::linux_after_spinlock},
    {"linux.after_unlock_lock", FenceName::linux_after_unlock_lock},
    {"linux.after_srcu_read_unlock", FenceName::linux_after_srcu_read_unlock},
    {"linux.rcu_lock", FenceName::linux_rcu_lock},
    {"linux.rcu_unlock", FenceName::linux_rcu_unlock},
    {"linux.sync_rcu", FenceName::linux_sync_rcu},
};
constexpr Named<CompareOp> kCompareSymbols[] = {
    {"==", CompareOp::eq}, {"!=", CompareOp::ne}, {"<", CompareOp::lt},
    {"<=", CompareOp::le}, {">", CompareOp::gt},  {">=", CompareOp::ge},
};

constexpr Named<AsyncEngine> kAsyncEngines[] = {{"lane", AsyncEngine::lane},     {"bulk", AsyncEngine::bulk},
                                                {"remote", AsyncEngine::remote}, {"wgmma", AsyncEngine::wgmma},
                                                {"tcld", AsyncEngine::tcld},     {"tcst", AsyncEngine::tcst},
                                                {"tccp", AsyncEngine::tccp},     {"tcmma", AsyncEngine::tcmma}};
constexpr Named<MbarrierOp> kMbarrierOps[] = {{"init", MbarrierOp::init},     {"arrive", MbarrierOp::arrive},
                                              {"expect", MbarrierOp::expect}, {"complete", MbarrierOp::complete},
                                              {"follow", MbarrierOp::follow}, {"test", MbarrierOp::test},
                                              {"wait", MbarrierOp::wait},     {"drop", MbarrierOp::drop},
                                              {"inval", MbarrierOp::inval},   {"commit", MbarrierOp::commit}};
constexpr Named<AsyncControl::Kind> kAsyncControls[] = {{"commit", AsyncControl::Kind::commit},
                                                        {"wait", AsyncControl::Kind::wait},
                                                        {"wait_read", AsyncControl::Kind::wait_read},
                                                        {"launch_dependents", AsyncControl::Kind::launch_dependents},
                                                        {"wait_grids", AsyncControl::Kind::wait_grids}};

template <typename AccessType, typename InstructionRef>
AccessType* find_access(InstructionRef& instruction) {
  if (auto* load = std::get_if<Load>(&instruction.operation)) return &load->access;
  if (auto* store = std::get_if<Store>(&instruction.operation)) return &store->access;
  if (auto* rmw = std::get_if<Rmw>(&instruction.operation)) return &rmw->access;
  return nullptr;
}

}  // namespace

bool is_asynchronous(const Instruction& instruction) {
  if (const Access* access = access_of(instruction)) return is_tensor(*access);
  return std::visit([](const auto& operation) { return kIsAsynchronous<std::remove_cvref_t<decltype(operation)>>; },
                    instruction.operation);
}

bool is_tensor(const Instruction& instruction) {
  if (const Access* access = access_of(instruction)) return is_tensor(*access);
  if (const auto* copy = std::get_if<AsyncCopy>(&instruction.operation)) return is_tensor(copy->engine);
  if (const auto* control = std::get_if<AsyncControl>(&instruction.operation)) return is_tensor(control->engine);
  const auto* mbarrier = std::get_if<Mbarrier>(&instruction.operation);
  if (mbarrier != nullptr) return mbarrier->op == MbarrierOp::commit;
  const auto* fence = std::get_if<Fence>(&instruction.operation);
  return fence != nullptr && (fence->kind == FenceKind::tensor_before || fence->kind == FenceKind::tensor_after);
}

std::string_view to_string(AsyncEngine engine) { return base::name_of(kAsyncEngines, engine); }
std::string_view to_string(MbarrierOp op) { return base::name_of(kMbarrierOps, op); }
std::string_view to_string(AsyncControl::Kind kind) { return base::name_of(kAsyncControls, kind); }
std::optional<AsyncEngine> async_engine_named(std::string_view name) { return base::value_of(kAsyncEngines, name); }
std::optional<MbarrierOp> mbarrier_op_named(std::string_view name) { return base::value_of(kMbarrierOps, name); }

Order default_order(MbarrierOp op) {
  switch (op) {
    case MbarrierOp::init:
    case MbarrierOp::inval:
      return Order::plain;
    case MbarrierOp::arrive:
    case MbarrierOp::drop:
    case MbarrierOp::follow:
    case MbarrierOp::commit:
      return Order::release;
    case MbarrierOp::test:
    case MbarrierOp::wait:
      return Order::acquire;
    case MbarrierOp::expect:
    case MbarrierOp::complete:
      break;
  }
  return Order::relaxed;
}

bool is_unary(ComputeOp op) { return op == ComputeOp::mov || op == ComputeOp::not_ || op == ComputeOp::neg; }

CompareOp negate(CompareOp op) {
  switch (op) {
    case CompareOp::eq:
      return CompareOp::ne;
    case CompareOp::ne:
      return CompareOp::eq;
    case CompareOp::lt:
      return CompareOp::ge;
    case CompareOp::le:
      return CompareOp::gt;
    case CompareOp::gt:
      return CompareOp::le;
    case CompareOp::ge:
      return CompareOp::lt;
  }
  return op;
}

ComputeOp as_compute(CompareOp op) { return *compute_op_named(to_string(op)); }
CompareOp as_compare(ComputeOp op) { return *compare_op_named(to_string(op)); }

const Access* access_of(const Instruction& instruction) { return find_access<const Access>(instruction); }
Access* access_of(Instruction& instruction) { return find_access<Access>(instruction); }

std::string_view to_string(RmwOp op) { return base::name_of(kRmwOps, op); }
std::string_view to_string(ComputeOp op) { return base::name_of(kComputeOps, op); }
std::string_view to_string(FenceName name) { return base::name_of(kFenceNames, name); }
std::optional<FenceName> fence_name_named(std::string_view name) { return base::value_of(kFenceNames, name); }
std::string_view to_string(CompareOp op) { return base::name_of(kCompareOps, op); }
std::string_view symbol(CompareOp op) { return base::name_of(kCompareSymbols, op); }

std::optional<RmwOp> rmw_op_named(std::string_view name) { return base::value_of(kRmwOps, name); }
std::optional<ComputeOp> compute_op_named(std::string_view name) { return base::value_of(kComputeOps, name); }
std::optional<CompareOp> compare_op_named(std::string_view name) { return base::value_of(kCompareOps, name); }

}  // namespace weakspot::litmus
