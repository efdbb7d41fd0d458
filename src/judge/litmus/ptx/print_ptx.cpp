// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "litmus/ptx/ptx_printer.h"
#include "litmus/text/cursor.h"
#include "litmus/text/printers.h"
#include "litmus/visit.h"

namespace weakspot::litmus {
namespace {

constexpr base::Named<Scope> kScopeLevels[] = {
    {"gpu", Scope::device}, {"cluster", Scope::cluster}, {"cta", Scope::workgroup}, {"warp", Scope::subgroup}};

class CurrentPrinter : public PtxPrinter {
 public:
  explicit CurrentPrinter(const LitmusTest& test) : PtxPrinter(test, PtxEdition::current) {
    if (test.scopes) levels_ = ptx_levels(*test.scopes, PtxEdition::current).value_or(std::vector<Scope>());
  }

 private:
  // Declares what the reader cannot infer from the program.
  std::vector<std::string> end_thread(std::uint32_t thread, std::vector<std::string>&) override {
    std::vector<std::optional<Type>> written(thread_->registers.size());
    std::vector<bool> used(thread_->registers.size());
    for (const Instruction& instruction : thread_->instructions) {
      for_each_register(instruction, [&](const RegisterId& id) { used[id.index] = true; });
      for_each_written(instruction, [&](const RegisterId& id) {
        if (!written[id.index]) written[id.index] = type_of_write(instruction);
      });
    }
    std::vector<std::string> items;
    for (std::uint32_t r = 0; r < thread_->registers.size(); ++r) {
      const Register& reg = thread_->registers[r];
      const Type assumed = reg.initial.base ? Type::b64 : written[r].value_or(Type::s32);
      if (reg.type != assumed) {
        items.push_back(
            fmt::format("{}:.reg .{} {} = {}", thread, to_string(reg.type), reg.name, value_text(test_, reg.initial)));
      } else if (reg.initial != Value{} || !used[r] || !is_numbered_register(reg.name)) {
        items.push_back(fmt::format("{}:{} = {}", thread, reg.name, value_text(test_, reg.initial)));
      }
    }
    return items;
  }

  static Type type_of_write(const Instruction& instruction) {
    if (const Access* access = access_of(instruction)) return access->type;
    if (const auto* mbarrier = std::get_if<Mbarrier>(&instruction.operation)) {
      return mbarrier->op == MbarrierOp::test ? Type::pred : Type::b64;
    }
    const auto* compute = std::get_if<Compute>(&instruction.operation);
    return compute != nullptr && compute->op >= ComputeOp::eq ? Type::pred : Type::s32;
  }

  std::string address(const Address& address) override {
    const bool simple = address.location && !address.index && address.offset == 0;
    return simple ? test_[*address.location].name : sum(address);
  }

  std::string order(const Access& access) const override {
    if (access.tags.has(Tag::volatile_)) return ".volatile";
    if (access.order == Order::plain) return ".weak";
    return fmt::format(".{}.{}", base::name_of(kPtxOrders, access.order), base::name_of(kPtxScopes, access.scope));
  }

  std::string type(const Access& access) const override {
    const std::optional<LocationId>& location = access.address.location;
    const bool typed = location && (is_typed(*location) || test_[*location].initial.base);
    const Type assumed = typed ? test_[*location].type : Type::s32;
    return access.type == assumed ? "" : fmt::format(".{}", to_string(access.type));
  }

  // `ld r0, 1` is how the public tests move; it reads better with a number than with an address.
  std::string compute_text(const Compute& compute) const override {
    if (compute.op >= ComputeOp::eq) return fmt::format("setp.{} {}", to_string(compute.op), operands(compute));
    const auto* value = std::get_if<Value>(&compute.left);
    if (compute.op == ComputeOp::mov && (value == nullptr || !value->base)) return "ld " + operands(compute);
    return fmt::format("{} {}", to_string(compute.op), operands(compute));
  }

  std::string branch_text(const Branch& branch) const override {
    if (!branch.condition) return "goto " + branch.label;
    const Comparison& condition = *branch.condition;
    return fmt::format("b{} {}, {}, {}", to_string(condition.op), operand_text(condition.left),
                       operand_text(condition.right), branch.label);
  }

  std::string fence_text(const Fence& fence) const override {
    if (fence.kind == FenceKind::membar) return PtxPrinter::fence_text(fence);
    if (fence.kind == FenceKind::mbarrier_init) return "fence.mbarrier_init.release.cluster";
    if (fence.kind == FenceKind::tensor_before) return "tcgen05.fence::before_thread_sync";
    if (fence.kind == FenceKind::tensor_after) return "tcgen05.fence::after_thread_sync";
    if (fence.kind == FenceKind::wgmma) return "wgmma.fence.sync.aligned";
    if (fence.kind == FenceKind::proxy) return proxy_fence_text(fence);
    return fmt::format("fence.{}.{}", base::name_of(kPtxOrders, fence.order), base::name_of(kPtxScopes, fence.scope));
  }

  std::string proxy_fence_text(const Fence& fence) const {
    if (fence.proxy == Proxy::tensormap) {
      return fmt::format("fence.proxy.tensormap::generic.{}.{}{}", base::name_of(kPtxOrders, fence.order),
                         base::name_of(kPtxScopes, fence.scope),
                         fence.map ? fmt::format(" [{}], 128", test_[*fence.map].name) : "");
    }
    if (fence.order == Order::acquire) {
      return "fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster";
    }
    if (fence.order == Order::release) return "fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster";
    std::string text = fmt::format("fence.proxy.{}", base::name_of(kPtxProxyFences, fence.proxy));
    if (fence.semantics.has(Space::global)) text += ".global";
    if (fence.semantics.has(Space::shared)) text += ".shared::cta";
    return text;
  }

  std::string tail() const override {
    std::string text;
    for (auto [first, second] : test_.scopes ? test_.scopes->launches : decltype(ScopeTree::launches)()) {
      text += fmt::format("launch P{} P{}\n", first.index, second.index);
    }
    return text;
  }

  // P0@cta 0,gpu 0: the innermost level comes first.
  std::string thread_name(std::uint32_t thread) const override {
    std::string text = fmt::format("P{}", thread);
    for (std::size_t i = levels_.size(); i-- > 0;) {
      const Placement& place = test_.scopes->placements[thread];
      const bool cpu = levels_[i] == Scope::device && place.cpu;
      text += fmt::format("{}{} {}", i + 1 == levels_.size() ? "@" : ",",
                          cpu ? "cpu" : base::name_of(kScopeLevels, levels_[i]), place.at(levels_[i]));
    }
    return text;
  }

  std::vector<Scope> levels_;
};

}  // namespace

std::string print_ptx(const LitmusTest& test) { return CurrentPrinter(test).print(); }

}  // namespace weakspot::litmus
