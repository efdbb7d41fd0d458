// SPDX-License-Identifier: MIT
#include "compile/write/wgsl.h"

#include <fmt/format.h>

#include <set>

#include "base/names.h"
#include "litmus/instruction.h"

namespace weakspot::compile {
namespace {

using namespace litmus;

constexpr base::Named<RmwOp> kWgslUpdates[] = {
    {"atomicExchange", RmwOp::exch}, {"atomicAdd", RmwOp::add},  {"atomicSub", RmwOp::sub}, {"atomicAnd", RmwOp::and_},
    {"atomicOr", RmwOp::or_},        {"atomicXor", RmwOp::xor_}, {"atomicMin", RmwOp::min}, {"atomicMax", RmwOp::max},
};
constexpr base::Named<ComputeOp> kWgslOperators[] = {
    {"+", ComputeOp::add},  {"-", ComputeOp::sub}, {"*", ComputeOp::mul},
    {"&", ComputeOp::and_}, {"|", ComputeOp::or_}, {"^", ComputeOp::xor_},
};

// Locations that some thread accesses atomically.
std::set<LocationId> atomic_locations(const LitmusTest& test) {
  std::set<LocationId> atomics;
  for (const Thread& thread : test.threads) {
    for (const Instruction& instruction : thread.instructions) {
      const Access* access = access_of(instruction);
      if (access != nullptr && access->order != Order::plain && access->address.location) {
        atomics.insert(*access->address.location);
      }
    }
  }
  return atomics;
}

class WgslThread {
 public:
  WgslThread(const LitmusTest& test, ThreadId thread)
      : test_(test), id_(thread), thread_(test[thread]), atomics_(atomic_locations(test)) {}

  base::Result<ThreadSource> write() {
    source_.language = Language::wgsl;
    for (const Register& reg : thread_.registers) {
      if (size_in_bytes(reg.type) == 8) refuse("the test has registers of 64 bits; WGSL has 32");
      line(fmt::format("var {}: i32 = 0;", name(reg)));
    }
    for (const Instruction& instruction : thread_.instructions) {
      if (instruction.guard) refuse("the test has a guarded instruction");
      std::visit([this](const auto& operation) { write(operation); }, instruction.operation);
    }
    if (!open_.empty()) refuse(std::string(kJumps));
    for (const Observable& observable : test_.observed()) store_result(observable);
    if (!refusal_.empty()) return base::error(refusal_);
    return std::move(source_);
  }

 private:
  static constexpr std::string_view kJumps = "the test has jumps that are not those of an if";

  void refuse(std::string why) {
    if (refusal_.empty()) refusal_ = std::move(why);
  }
  void line(std::string_view text) { source_.body += fmt::format("{:{}}{}\n", "", 2 + 2 * open_.size(), text); }

  // With a prefix of its own, because a register may have the name of a word of the language.
  static std::string name(const Register& reg) { return "v_" + reg.name; }
  std::string name(RegisterId reg) const { return name(thread_.registers[reg.index]); }

  std::string text(const Operand& operand) {
    if (const auto* reg = std::get_if<RegisterId>(&operand)) return name(*reg);
    const Value& value = std::get<Value>(operand);
    if (value.base) refuse("the test uses an address as a value, and WGSL has no addresses");
    return fmt::format("i32({})", value.number);
  }

  // The location, declared.
  std::string location(const Access& access) {
    if (!access.address.location || access.address.index || access.address.offset != 0) {
      refuse("the test computes an address, and WGSL has no addresses");
      return {};
    }
    const Location& location = test_[*access.address.location];
    if (size_in_bytes(location.type) != 4 || size_in_bytes(access.type) != 4) {
      refuse("the test has accesses that are not of 32 bits");
    }
    const bool atomic = atomics_.contains(*access.address.location);
    if (atomic != (access.order != Order::plain)) {
      refuse("the test accesses a location both plainly and atomically; in WGSL it is one or the other");
    }
    if (access.order != Order::plain && access.order != Order::relaxed) refuse("WGSL has only relaxed atomics");
    if (atomic && access.scope != Scope::device && access.scope != Scope::queue_family) {
      refuse("WGSL's atomics on storage buffers have device scope");
    }
    if (!access.tags.empty() || access.cache != CacheOp::none || access.proxy != Proxy::generic) {
      refuse("WGSL has no volatile accesses, cache operators or proxies");
    }
    const std::string symbol = std::string(kLocationPrefix) + location.name;
    source_.declarations[symbol] =
        fmt::format("var<storage, read_write> {}: {};", symbol, atomic ? "atomic<i32>" : "i32");
    return symbol;
  }

  void write(const Load& load) {
    const std::string from = location(load.access);
    const bool plain = load.access.order == Order::plain;
    line(plain ? fmt::format("{} = {};", name(load.target), from)
               : fmt::format("{} = atomicLoad(&{});", name(load.target), from));
  }

  void write(const Store& store) {
    const std::string to = location(store.access);
    const std::string value = text(store.value);
    if (store.status) refuse("WGSL has no store-exclusive");
    line(store.access.order == Order::plain ? fmt::format("{} = {};", to, value)
                                            : fmt::format("atomicStore(&{}, {});", to, value));
  }

  void write(const Rmw& rmw) {
    const std::string at = location(rmw.access);
    const std::string value = text(rmw.operand);
    if (rmw.op == RmwOp::cas) return write_compare_exchange(rmw, at, value);
    const std::string_view function = base::name_of(kWgslUpdates, rmw.op);
    if (function.empty()) refuse(fmt::format("WGSL has no atom.{}", to_string(rmw.op)));
    const bool ordered = rmw.op == RmwOp::min || rmw.op == RmwOp::max;
    if (ordered && !is_signed(rmw.access.type)) refuse("the test has an unsigned minimum or maximum");
    const std::string target = rmw.target ? name(*rmw.target) : "_";
    line(fmt::format("{} = {}(&{}, {});", target, function, at, value));
  }

  void write_compare_exchange(const Rmw& rmw, const std::string& at, const std::string& value) {
    if (!rmw.may_fail) refuse("WGSL has only the weak compare-exchange, which may fail for no reason");
    const std::string pair = fmt::format("pair{}", ++pairs_);
    line(fmt::format("let {} = atomicCompareExchangeWeak(&{}, {}, {});", pair, at, text(*rmw.expected), value));
    if (rmw.target) line(fmt::format("{} = {}.old_value;", name(*rmw.target), pair));
    if (rmw.success) line(fmt::format("{} = select(0, 1, {}.exchanged);", name(*rmw.success), pair));
  }

  void write(const Fence& fence) {
    if (fence.kind != FenceKind::order || fence.order != Order::relaxed) {
      refuse("WGSL has no fences, only workgroup barriers");
    }
  }

  void write(const Barrier& barrier) {
    if (barrier.kind != Barrier::Kind::sync || barrier.scope != Scope::workgroup || barrier.quorum || barrier.name) {
      refuse("WGSL's barriers are for the whole workgroup");
    }
    if (barrier.memory_scope != Scope::workgroup) refuse("WGSL's barriers order memory only within a workgroup");
    if (!barrier.semantics.empty() && !barrier.semantics.has(Space::global)) {
      refuse("the test has a barrier that does not order storage buffers");
    }
    line("storageBarrier();");
  }

  void write(const Compute& compute) {
    const std::string left = text(compute.left);
    const std::string right = compute.right ? text(*compute.right) : std::string();
    line(fmt::format("{} = {};", name(compute.target), value_of(compute, left, right)));
  }

  static std::string value_of(const Compute& compute, const std::string& left, const std::string& right) {
    switch (compute.op) {
      case ComputeOp::mov:
        return left;
      case ComputeOp::not_:
        return "~" + left;
      case ComputeOp::neg:
        return fmt::format("-({})", left);
      case ComputeOp::shl:
        return fmt::format("{} << u32({})", left, right);
      case ComputeOp::shr:
        return fmt::format("{} >> u32({})", left, right);
      default:
        break;
    }
    if (!is_comparison(compute.op)) {
      return fmt::format("{} {} {}", left, base::name_of(kWgslOperators, compute.op), right);
    }
    return fmt::format("select(0, 1, {} {} {})", left, symbol(as_compare(compute.op)), right);
  }

  std::string condition(const Comparison& comparison, bool negated) {
    const std::string left = text(comparison.left);
    const CompareOp op = negated ? negate(comparison.op) : comparison.op;
    return fmt::format("{} {} {}", left, symbol(op), text(comparison.right));
  }

  void write(const Select& select) {
    const std::string decides = condition(select.condition, false);
    const std::string yes = text(select.yes);
    line(fmt::format("{} = select({}, {}, {});", name(select.target), text(select.no), yes, decides));
  }

  // A jump over some instructions is an if with the opposite condition.
  void write(const Branch& branch) {
    if (!branch.condition) return refuse(std::string(kJumps));
    line(fmt::format("if ({}) {{", condition(*branch.condition, true)));
    open_.push_back(branch.label);
  }

  void write(const Label& label) {
    bool closed = false;
    while (!open_.empty() && open_.back() == label.name) {
      open_.pop_back();
      line("}");
      closed = true;
    }
    if (!closed) refuse(std::string(kJumps));
  }

  template <typename Op>
    requires kIsAsynchronous<Op>
  void write(const Op&) {
    refuse("WGSL has no asynchronous operations");
  }

  void store_result(const Observable& observable) {
    const auto* reg = std::get_if<ObservedRegister>(&observable);
    if (reg == nullptr || reg->thread != id_) return;
    const std::string symbol = std::string(kResultPrefix) + test_[*reg].name;
    source_.declarations[symbol] = fmt::format("var<storage, read_write> {}: i32;", symbol);
    line(fmt::format("{} = {};", symbol, name(reg->reg)));
  }

  const LitmusTest& test_;
  ThreadId id_;
  const Thread& thread_;
  std::set<LocationId> atomics_;
  ThreadSource source_;
  std::vector<std::string> open_;  // the labels that end the ifs around the next line
  int pairs_ = 0;
  std::string refusal_;
};

}  // namespace

base::Result<ThreadSource> wgsl_thread(const LitmusTest& test, ThreadId thread) {
  return WgslThread(test, thread).write();
}

}  // namespace weakspot::compile
