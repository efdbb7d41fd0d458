// SPDX-License-Identifier: MIT
#include "lsp/features/litmus_meaning.h"

#include <fmt/format.h>

#include <vector>

#include "litmus/instruction.h"
#include "litmus/text.h"

namespace weakspot::lsp {
namespace {

using namespace litmus;

std::string_view name_of_scope(Scope scope) {
  switch (scope) {
    case Scope::thread:
      return "thread";
    case Scope::subgroup:
      return "subgroup";
    case Scope::workgroup:
      return "workgroup";
    case Scope::cluster:
      return "cluster";
    case Scope::queue_family:
      return "queue family";
    case Scope::device:
      return "device";
    case Scope::system:
      return "system";
  }
  return "";
}

// Describes one instruction. Instructions that it does not know have no sentence.
class Sentence {
 public:
  Sentence(const LitmusTest& test, ThreadId thread) : test_(test), thread_(thread) {}

  std::string of(const Instruction& instruction) {
    std::string text = operation(instruction.operation);
    if (text.empty()) return text;
    if (instruction.guard) {
      text +=
          fmt::format(", if `{}` is {}0", reg(instruction.guard->predicate), instruction.guard->negated ? "" : "not ");
    }
    for (const std::string& remark : remarks_) text += fmt::format("\n\n- {}", remark);
    return text;
  }

 private:
  std::string operation(const Operation& operation) {
    if (const auto* load = std::get_if<Load>(&operation)) return describe(*load);
    if (const auto* store = std::get_if<Store>(&operation)) return describe(*store);
    if (const auto* rmw = std::get_if<Rmw>(&operation)) return describe(*rmw);
    if (const auto* fence = std::get_if<Fence>(&operation)) return describe(*fence);
    if (const auto* barrier = std::get_if<Barrier>(&operation)) return describe(*barrier);
    if (const auto* compute = std::get_if<Compute>(&operation)) {
      return fmt::format("`{}` becomes {}{}{}", reg(compute->target), operand(compute->left),
                         compute->op == ComputeOp::mov ? "" : fmt::format(" `{}`", to_string(compute->op)),
                         compute->right ? " " + operand(*compute->right) : "");
    }
    if (const auto* branch = std::get_if<Branch>(&operation)) {
      if (!branch->condition) return fmt::format("jumps to `{}`", branch->label);
      return fmt::format("jumps to `{}` if {} {} {}", branch->label, operand(branch->condition->left),
                         symbol(branch->condition->op), operand(branch->condition->right));
    }
    if (const auto* label = std::get_if<Label>(&operation)) return fmt::format("the label `{}`", label->name);
    if (const auto* select = std::get_if<Select>(&operation)) {
      return fmt::format("`{}` becomes {} if {} {} {}, else {}", reg(select->target), operand(select->yes),
                         operand(select->condition.left), symbol(select->condition.op),
                         operand(select->condition.right), operand(select->no));
    }
    if (const auto* copy = std::get_if<AsyncCopy>(&operation)) return describe(*copy);
    if (const auto* mbarrier = std::get_if<Mbarrier>(&operation)) return describe(*mbarrier);
    if (const auto* control = std::get_if<AsyncControl>(&operation)) return describe(*control);
    return {};
  }

  std::string describe(const AsyncCopy& copy) {
    if (copy.engine == AsyncEngine::wgmma) {
      remarks_.emplace_back("not ordered after earlier instructions of the thread without `wgfence`");
      remarks_.emplace_back("through the **async** proxy: it sees plain stores only after `fence.proxy.async`");
      return fmt::format(
          "issues a product of a warpgroup (`wgmma.mma_async`) that reads {}; the accumulator {} is "
          "valid after `wait.wgmma`",
          address(copy.from), address(copy.targets.front().to));
    }
    if (is_tensor(copy.engine)) return describe_tensor(copy);
    std::string text = "issues an asynchronous copy";
    if (copy.mapped) remarks_.emplace_back("its source is in a tensor map, read through the **tensormap** proxy");
    if (copy.reduce) text = fmt::format("issues an asynchronous reduction (`{}`)", to_string(*copy.reduce));
    if (copy.engine != AsyncEngine::remote) text += " from " + address(copy.from);
    if (copy.engine == AsyncEngine::remote) text += " of " + operand(copy.value);
    for (std::size_t i = 0; i < copy.targets.size(); ++i) {
      const AsyncCopy::Target& target = copy.targets[i];
      text += fmt::format(" {} {}", i == 0 ? "to" : "and", address(target.to));
      if (target.mbarrier) text += fmt::format(", counted on `{}`", test_[*target.mbarrier].name);
    }
    remarks_.emplace_back("it goes on by itself: later accesses of the thread are not ordered with it until a wait");
    if (copy.engine != AsyncEngine::lane) {
      remarks_.emplace_back("through the **async** proxy: it sees plain stores only after `fence.proxy.async`");
    }
    return text;
  }

  std::string describe_tensor(const AsyncCopy& copy) {
    const bool product = copy.engine == AsyncEngine::tcmma;
    remarks_.emplace_back("not ordered after earlier instructions of the thread without `tcfence.after`");
    remarks_.emplace_back("reads shared memory through the **async** proxy");
    remarks_.emplace_back("complete for those that see `mbar.commit` arrive");
    return fmt::format("issues a {} {} {} (`tcgen05.{}`), which reads {}", product ? "product" : "copy",
                       copy.reduce ? "added to" : "into", address(copy.targets.front().to), product ? "mma" : "cp",
                       address(copy.from));
  }

  std::string describe(const Mbarrier& mbarrier) {
    const std::string name = fmt::format("`{}`", test_[mbarrier.barrier].name);
    if (mbarrier.op != MbarrierOp::init && mbarrier.op != MbarrierOp::inval) {
      remarks_.push_back(std::string(meaning_of(mbarrier.order)));
      remarks_.push_back(std::string(meaning_of(mbarrier.scope)));
    }
    switch (mbarrier.op) {
      case MbarrierOp::init:
        return fmt::format("makes {} an mbarrier: {} arrivals end a phase", name, mbarrier.count);
      case MbarrierOp::arrive:
        if (mbarrier.bytes == 0) return fmt::format("arrives at mbarrier {}", name);
        return fmt::format("arrives at mbarrier {} and expects {} bytes in this phase", name, mbarrier.bytes);
      case MbarrierOp::expect:
        return fmt::format("expects {} more bytes at mbarrier {}", mbarrier.bytes, name);
      case MbarrierOp::complete:
        return fmt::format("counts {} bytes as come at mbarrier {}", mbarrier.bytes, name);
      case MbarrierOp::follow:
        return fmt::format("arrives at mbarrier {} when the thread's earlier lane copies are complete", name);
      case MbarrierOp::commit:
        return fmt::format(
            "arrives at mbarrier {} when the thread's earlier `copy.tccp` and `copy.tcmma` are complete "
            "(`tcgen05.commit`)",
            name);
      case MbarrierOp::test:
        return fmt::format("asks whether the phase of parity {} of mbarrier {} is over", operand(mbarrier.phase), name);
      case MbarrierOp::drop:
        return fmt::format("arrives at mbarrier {}; later phases expect {} arrivals less", name, mbarrier.count);
      case MbarrierOp::inval:
        return fmt::format("ends the life of mbarrier {}: only `mbar.init` may follow", name);
      case MbarrierOp::wait:
        return fmt::format("waits until the phase of parity {} of mbarrier {} is over", operand(mbarrier.phase), name);
    }
    return {};
  }

  static std::string describe(const AsyncControl& control) {
    switch (control.kind) {
      case AsyncControl::Kind::commit:
        return fmt::format("makes the thread's {} copies since the last commit a group", to_string(control.engine));
      case AsyncControl::Kind::wait:
        if (is_tensor(control.engine)) {
          const bool loads = control.engine == AsyncEngine::tcld;
          return fmt::format("waits until the thread's {} tensor memory are complete (`tcgen05.wait::{}`)",
                             loads ? "loads from" : "stores to", loads ? "ld" : "st");
        }
        return fmt::format("waits until all groups of {} copies but the youngest {} are complete",
                           to_string(control.engine), control.pending);
      case AsyncControl::Kind::wait_read:
        return fmt::format("waits until all groups of {} copies but the youngest {} have read their sources",
                           to_string(control.engine), control.pending);
      case AsyncControl::Kind::launch_dependents:
        return "lets dependent grids start; a release fence of device scope before it publishes earlier accesses";
      case AsyncControl::Kind::wait_grids:
        return "waits until the grids that this one depends on are complete and their memory is visible";
    }
    return {};
  }

  void remark_on_tensor(std::string_view name, std::string_view wait) {
    remarks_.push_back(
        fmt::format("`tcgen05.{}`: it goes on by itself, and is not ordered with other operations on "
                    "tensor memory until `{}`, or after earlier instructions without `tcfence.after`",
                    name, wait));
  }

  std::string describe(const Load& load) {
    if (is_tensor(load.access)) {
      remark_on_tensor("ld", "wait.tcld");
    } else {
      remark(load.access);
    }
    return fmt::format("loads {} into `{}`", address(load.access.address), reg(load.target));
  }

  std::string describe(const Store& store) {
    if (is_tensor(store.access)) {
      remark_on_tensor("st", "wait.tcst");
    } else {
      remark(store.access);
    }
    if (store.status) remarks_.push_back(fmt::format("`{}` becomes 0 if it stored, else 1", reg(*store.status)));
    return fmt::format("stores {} to {}", operand(store.value), address(store.access.address));
  }

  std::string describe(const Rmw& rmw) {
    remark(rmw.access);
    const std::string place = address(rmw.access.address);
    std::string text = "in one step ";
    if (rmw.op == RmwOp::cas && rmw.expected) {
      text += fmt::format("stores {} to {} if it holds {}", operand(rmw.operand), place, operand(*rmw.expected));
    } else if (rmw.op == RmwOp::exch) {
      text += fmt::format("stores {} to {}", operand(rmw.operand), place);
    } else {
      text += fmt::format("does `{}` {} to {}", to_string(rmw.op), operand(rmw.operand), place);
    }
    if (rmw.target) text += fmt::format("; the old value goes into `{}`", reg(*rmw.target));
    if (rmw.success) remarks_.push_back(fmt::format("`{}` becomes 1 if it wrote, else 0", reg(*rmw.success)));
    if (rmw.may_fail) remarks_.emplace_back("**weak**: it may fail for no reason");
    return text;
  }

  std::string describe(const Fence& fence) {
    switch (fence.kind) {
      case FenceKind::order:
        remarks_.push_back(std::string(meaning_of(fence.order)));
        remarks_.push_back(std::string(meaning_of(fence.scope)));
        return "a fence: it orders accesses of its thread before it with those after it";
      case FenceKind::membar:
        remarks_.push_back(std::string(meaning_of(fence.scope)));
        return "`membar`: a sequentially consistent fence";
      case FenceKind::proxy:
        return fmt::format("a proxy fence: it orders accesses through the {} proxy with others",
                           to_string(fence.proxy));
      case FenceKind::av_device:
        return "an availability operation: writes become available to the device";
      case FenceKind::vis_device:
        return "a visibility operation: what is available on the device becomes visible";
      case FenceKind::dmb:
      case FenceKind::dsb:
        return fmt::format("{}: {}",
                           fence.kind == FenceKind::dmb ? "a data memory barrier" : "a data synchronisation barrier",
                           accesses(fence.accesses));
      case FenceKind::isb:
        return "an instruction synchronisation barrier: with a branch before it, later loads wait for the branch";
      case FenceKind::mfence:
        return "a full fence: earlier stores are seen before later loads are done";
      case FenceKind::sfence:
        return "a store fence";
      case FenceKind::lfence:
        return "a load fence";
      case FenceKind::mbarrier_init:
        return "releases the thread's earlier `mbar.init` to the cluster";
      case FenceKind::wgmma:
        return "`wgmma.fence`: what the thread did before it comes before the products behind it";
      case FenceKind::tensor_before:
        return "`tcgen05.fence::before_thread_sync`: the thread's tensor operations before it come before those that "
               "another thread issues behind a `tcfence.after`";
      case FenceKind::tensor_after:
        return "`tcgen05.fence::after_thread_sync`: what the thread did before it comes before the tensor operations "
               "behind it";
      case FenceKind::named:
        return fmt::format("the fence `{}`, whose meaning is its model's", to_string(fence.name));
      default:
        return {};
    }
  }

  static std::string_view accesses(FenceAccesses accesses) {
    switch (accesses) {
      case FenceAccesses::all:
        return "accesses before it are ordered with accesses after it";
      case FenceAccesses::loads:
        return "loads before it are ordered with accesses after it";
      case FenceAccesses::stores:
        return "stores before it are ordered with stores after it";
    }
    return "";
  }

  std::string describe(const Barrier& barrier) {
    return fmt::format("{} the other threads of the {} at barrier {}",
                       barrier.kind == Barrier::Kind::arrive ? "tells" : "waits for", name_of_scope(barrier.scope),
                       operand(barrier.id));
  }

  void remark(const Access& access) {
    remarks_.push_back(std::string(meaning_of(access.order)));
    if (access.order != Order::plain && test_.scopes) remarks_.push_back(std::string(meaning_of(access.scope)));
    if (access.proxy != Proxy::generic) {
      remarks_.push_back(fmt::format("through the **{}** proxy: other paths see it only after a proxy fence",
                                     to_string(access.proxy)));
    }
    if (access.cache != CacheOp::none) {
      remarks_.push_back(fmt::format("cache operator **{}**", to_string(access.cache)));
    }
    if (access.tags.has(Tag::volatile_)) remarks_.emplace_back("**volatile**");
    if (access.tags.has(Tag::exclusive)) {
      remarks_.emplace_back("**exclusive**: a store succeeds only if nobody wrote since the load of its pair");
    }
    if (access.tags.has(Tag::non_private))
      remarks_.emplace_back("**non-private**: takes part in inter-thread ordering");
    if (access.tags.has(Tag::available)) remarks_.emplace_back("makes writes **available** to its scope");
    if (access.tags.has(Tag::visible)) remarks_.emplace_back("makes what is available **visible**");
  }

  std::string reg(RegisterId id) const {
    const std::vector<Register>& registers = test_[thread_].registers;
    return id.index < registers.size() ? registers[id.index].name : "_";
  }

  std::string operand(const Operand& operand) const {
    if (const auto* id = std::get_if<RegisterId>(&operand)) return fmt::format("`{}`", reg(*id));
    return fmt::format("`{}`", value_text(test_, std::get<Value>(operand)));
  }

  std::string address(const Address& address) const {
    std::string text = address.location ? test_[*address.location].name : "";
    if (address.index) text += fmt::format("{}{}", text.empty() ? "" : "+", reg(*address.index));
    if (address.offset != 0) text += fmt::format("+{}", address.offset);
    return address.location ? fmt::format("`{}`", text) : fmt::format("what `{}` points to", text);
  }

  const LitmusTest& test_;
  ThreadId thread_;
  std::vector<std::string> remarks_;
};

}  // namespace

std::string_view meaning_of(Order order) {
  switch (order) {
    case Order::plain:
      return "**non-atomic** (PTX: weak): orders nothing; unordered conflicting accesses are a data race";
    case Order::relaxed:
      return "**relaxed**: atomic; ordered only with accesses to the same location";
    case Order::consume:
      return "**consume**: later accesses that depend on what it reads come after the release it reads from";
    case Order::acquire_pc:
      return "**acquire-PC** (LDAPR): an acquire that an earlier release of another location may pass";
    case Order::acquire:
      return "**acquire**: later accesses of the thread stay after it and see what the release it reads from published";
    case Order::release:
      return "**release**: earlier accesses of the thread stay before it; who acquires from it sees them";
    case Order::acq_rel:
      return "**acquire and release**: earlier accesses stay before it, later ones after it";
    case Order::seq_cst:
      return "**sequentially consistent**: acquire and release, and all of its kind are in one order";
  }
  return "";
}

std::string_view meaning_of(Scope scope) {
  switch (scope) {
    case Scope::thread:
      return "scope **thread**: no other thread takes part";
    case Scope::subgroup:
      return "scope **subgroup** (warp): synchronises with threads of the same subgroup only";
    case Scope::workgroup:
      return "scope **workgroup** (CTA): synchronises with threads of the same workgroup only";
    case Scope::cluster:
      return "scope **cluster**: synchronises with threads of the same cluster only";
    case Scope::queue_family:
      return "scope **queue family**: synchronises with threads of the same queue family only";
    case Scope::device:
      return "scope **device** (GPU): synchronises with all threads of the device";
    case Scope::system:
      return "scope **system**: synchronises with all threads, also of the host and of other devices";
  }
  return "";
}

std::string meaning_of(const LitmusTest& test, ThreadId thread, const Instruction& instruction) {
  const std::string sentence = Sentence(test, thread).of(instruction);
  return sentence.empty() ? sentence : fmt::format("**P{}** {}", thread.index, sentence);
}

std::string meaning_of(const Location& location, const LitmusTest& test) {
  std::string text = fmt::format("`{}`: a location of type `{}`", location.name, to_string(location.type));
  if (location.is_array()) text += fmt::format(", {} elements", location.elements);
  text +=
      location.space == Space::none ? " in global memory" : fmt::format(" in `{}` memory", to_string(location.space));
  if (location.alias_of) text += fmt::format(", another name of `{}`", test[*location.alias_of].name);
  return text + fmt::format(", initially `{}`", value_text(test, location.initial));
}

}  // namespace weakspot::lsp
