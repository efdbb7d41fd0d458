// SPDX-License-Identifier: MIT
#include "codegen/as_emitted.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "litmus/instruction.h"

namespace weakspot::codegen {
namespace {

using namespace litmus;

bool acquires(Order order) { return is_acquire(order) || order == Order::consume; }

Order made_of(bool acquire, bool release) {
  if (acquire && release) return Order::acq_rel;
  return acquire ? Order::acquire : release ? Order::release : Order::relaxed;
}

// One order serves both ends of a compare-and-swap: strong enough for either.
Order order_of_both_ends(const Rmw& rmw) {
  const Order order = rmw.access.order;
  if (rmw.op != RmwOp::cas || !is_acquire(rmw.failure_order) || is_acquire(order)) return order;
  return is_release(order) ? Order::acq_rel : Order::acquire;
}

void set_order(Rmw& rmw, Order order) {
  rmw.access.order = order;
  if (rmw.op == RmwOp::cas) rmw.failure_order = is_acquire(order) ? Order::acquire : Order::relaxed;
}

// Replaces each instruction by those that the target has for it: the part that all targets share.
class Emission {
 public:
  virtual ~Emission() = default;

  LitmusTest run(LitmusTest test) {
    begin(test);
    for (Thread& thread : test.threads) {
      thread_ = &thread;
      std::vector<Instruction> emitted;
      for (Instruction& instruction : thread.instructions) {
        out_ = &emitted;
        guard_ = instruction.guard;
        if (replace(instruction)) emitted.push_back(std::move(instruction));
        std::move(after_.begin(), after_.end(), std::back_inserter(emitted));
        after_.clear();
      }
      thread.instructions = std::move(emitted);
    }
    return test;
  }

 protected:
  virtual void begin(LitmusTest& /*test*/) {}
  virtual void load(Load& /*load*/) {}
  virtual void store(Store& /*store*/) {}
  virtual void rmw(Rmw& /*rmw*/) {}
  virtual bool fence(Fence& /*fence*/) { return true; }  // false: nothing is emitted
  virtual void barrier(Barrier& /*barrier*/) {}
  virtual void other(Instruction& /*instruction*/) {}

  Thread& thread() { return *thread_; }
  // Puts an operation before or after the current instruction, under the same guard.
  void emit_before(const Operation& operation) { out_->push_back({operation, guard_, {}}); }
  void emit_after(const Operation& operation) { after_.push_back({operation, guard_, {}}); }

 private:
  bool replace(Instruction& instruction) {
    if (auto* fence_ = std::get_if<Fence>(&instruction.operation)) return fence(*fence_);
    if (auto* load_ = std::get_if<Load>(&instruction.operation)) {
      load(*load_);
    } else if (auto* store_ = std::get_if<Store>(&instruction.operation)) {
      store(*store_);
    } else if (auto* rmw_ = std::get_if<Rmw>(&instruction.operation)) {
      rmw(*rmw_);
    } else if (auto* barrier_ = std::get_if<Barrier>(&instruction.operation)) {
      barrier(*barrier_);
    } else {
      other(instruction);
    }
    return true;
  }

  Thread* thread_ = nullptr;
  std::vector<Instruction>* out_ = nullptr;
  std::vector<Instruction> after_;
  std::optional<Guard> guard_;
};

// ---- CPUs: no scopes, one kind of memory, every access single-copy atomic ----

class CpuEmission : public Emission {
 protected:
  void begin(LitmusTest& test) override {
    for (Location& location : test.locations) location.space = Space::none;
  }

  static void strip(Access& access, Order order) {
    const bool exclusive = access.tags.has(Tag::exclusive);
    access.order = order;
    access.scope = Scope::device;
    access.space = Space::none;
    access.cache = CacheOp::none;
    access.tags = {};
    if (exclusive) access.tags.insert(Tag::exclusive);
    access.semantics = {};
  }

  // A comparison is a conditional set, which picks one of two constants.
  void other(Instruction& instruction) override {
    const auto* compute = std::get_if<Compute>(&instruction.operation);
    if (compute == nullptr || !is_comparison(compute->op)) return;
    const Comparison condition{as_compare(compute->op), compute->left, *compute->right};
    instruction.operation = Select{compute->target, condition, integer(1), integer(0)};
  }
};

class AArch64Emission final : public CpuEmission {
 public:
  explicit AArch64Emission(const CpuFeatures& features) : features_(features) {}

 private:
  void begin(LitmusTest& test) override {
    CpuEmission::begin(test);
    native_ = test.arch == Arch::aarch64;
    test.arch = Arch::aarch64;
  }

  void load(Load& load) override { strip(load.access, load_order(load.access)); }

  Order load_order(const Access& access) const {
    if (access.tags.has(Tag::exclusive)) return is_acquire(access.order) ? Order::acquire : Order::relaxed;
    if (access.order == Order::acquire_pc) return Order::acquire_pc;
    if (access.order == Order::acquire || access.order == Order::consume) {
      return !native_ && features_.rcpc ? Order::acquire_pc : Order::acquire;
    }
    return is_acquire(access.order) ? Order::acquire : Order::relaxed;
  }

  void store(Store& store) override {
    strip(store.access, is_release(store.access.order) ? Order::release : Order::relaxed);
  }

  // A single instruction if there is one, otherwise a loop of load-exclusive and store-exclusive. The forms without a
  // result are not emitted: their loads would not acquire.
  void rmw(Rmw& rmw) override {
    const Order order = order_of_both_ends(rmw);
    const bool loop = !features_.lse || rmw.op == RmwOp::inc || rmw.op == RmwOp::dec;
    const bool acquire = loop ? is_acquire(order) : acquires(order);
    strip(rmw.access, order);
    set_order(rmw, made_of(acquire, is_release(order)));
    if (loop) rmw.access.tags.insert(Tag::exclusive);
    rmw.may_fail = false;
    if (rmw.success) return split_success(rmw);
    if (!rmw.target) rmw.target = scratch(rmw.access.type);
  }

  // Success is a comparison of the old value with the expected one, and a conditional set.
  void split_success(Rmw& rmw) {
    const RegisterId old = scratch(rmw.access.type);
    emit_after(Select{*rmw.success, {CompareOp::eq, old, *rmw.expected}, integer(1), integer(0)});
    if (rmw.target) emit_after(Compute{ComputeOp::mov, *rmw.target, old, std::nullopt});
    rmw.target = old;
    rmw.success.reset();
  }

  RegisterId scratch(Type type) {
    const auto id = static_cast<std::uint32_t>(thread().registers.size());
    thread().registers.push_back({"scratch" + std::to_string(id), type, {}});
    return {id};
  }

  bool fence(Fence& fence) override {
    if (fence.kind != FenceKind::order && fence.kind != FenceKind::membar) return true;
    const bool orders = fence.kind == FenceKind::membar || acquires(fence.order) || is_release(fence.order);
    if (!orders) return false;
    const bool loads = fence.kind == FenceKind::order && acquires(fence.order) && !is_release(fence.order);
    fence = {};
    fence.kind = FenceKind::dmb;
    fence.accesses = loads ? FenceAccesses::loads : FenceAccesses::all;
    fence.shareability = Shareability::inner;
    return true;
  }

  const CpuFeatures& features_;
  bool native_ = false;
};

class X86Emission final : public CpuEmission {
  void begin(LitmusTest& test) override {
    CpuEmission::begin(test);
    test.arch = Arch::x86_64;
  }

  void load(Load& load) override { strip(load.access, Order::relaxed); }
  void store(Store& store) override {
    strip(store.access, store.access.order == Order::seq_cst ? Order::seq_cst : Order::relaxed);
  }
  void rmw(Rmw& rmw) override {
    strip(rmw.access, Order::relaxed);
    set_order(rmw, Order::relaxed);
    rmw.may_fail = false;
  }

  bool fence(Fence& fence) override {
    if (fence.kind != FenceKind::order && fence.kind != FenceKind::membar) return true;
    if (fence.kind == FenceKind::order && fence.order != Order::seq_cst) return false;
    fence = {};
    fence.kind = FenceKind::mfence;
    return true;
  }
};

// ---- GPUs ----

class PtxEmission final : public Emission {
  static Scope scope(Scope asked) {
    switch (asked) {
      case Scope::thread:
      case Scope::subgroup:
        return Scope::workgroup;
      case Scope::queue_family:
        return Scope::device;
      default:
        return asked;
    }
  }

  // A sequentially consistent access is a fence.sc and then an acquire or a release.
  void access(Access& access, bool reads, bool writes) {
    if (access.order == Order::plain) return;
    access.scope = scope(access.scope);
    if (access.order == Order::seq_cst) {
      Fence before;
      before.scope = access.scope;
      emit_before(before);
    }
    access.order = made_of(reads && acquires(access.order), writes && is_release(access.order));
  }

  void load(Load& load) override { access(load.access, true, false); }
  void store(Store& store) override { access(store.access, false, true); }
  void rmw(Rmw& rmw) override {
    rmw.access.order = order_of_both_ends(rmw);
    access(rmw.access, true, true);
    set_order(rmw, rmw.access.order);
  }

  bool fence(Fence& fence) override {
    if (fence.kind != FenceKind::order && fence.kind != FenceKind::membar) return true;
    fence.scope = scope(fence.scope);
    if (fence.kind == FenceKind::membar) return true;
    if (fence.order == Order::relaxed) return false;
    if (fence.order != Order::seq_cst) fence.order = Order::acq_rel;
    return true;
  }
};

// A volatile access that is not atomic may race, whatever it is in other languages.
void drop_volatile(Access& access) {
  if (access.order == Order::plain) access.tags.erase(Tag::volatile_);
}

// A target that treats loads, stores and read-modify-writes alike.
class AlikeEmission : public Emission {
 protected:
  virtual void access(Access& access) = 0;

 private:
  void load(Load& load) override { access(load.access); }
  void store(Store& store) override { access(store.access); }
  void rmw(Rmw& rmw) override {
    rmw.access.order = order_of_both_ends(rmw);
    access(rmw.access);
    set_order(rmw, rmw.access.order);
  }
};

class OpenclEmission final : public AlikeEmission {
 public:
  explicit OpenclEmission(const OpenclLimits& limits) : limits_(limits) {}

 private:
  bool legacy() const { return limits_.mapping == OpenclMapping::legacy; }
  bool ptx() const { return limits_.mapping == OpenclMapping::inline_ptx; }

  Scope scope(Scope asked) const {
    switch (asked) {
      case Scope::thread:
      case Scope::subgroup:
        return limits_.subgroups && !ptx() ? Scope::subgroup : Scope::workgroup;
      case Scope::queue_family:
        return Scope::device;
      default:
        return asked;
    }
  }

  // OpenCL has two memory regions; fences that name neither order both.
  static Spaces regions(const Spaces& semantics) {
    return semantics.has(Space::global) || semantics.has(Space::shared) ? semantics : Spaces();
  }

  // OpenCL 1.2: its atomics have device scope and no order. mem_fence is the fence beside them; between workgroups it
  // promises nothing.
  static Fence mem_fence(const Spaces& semantics) {
    Fence fence;
    fence.order = Order::acq_rel;
    fence.scope = Scope::workgroup;
    fence.semantics = regions(semantics);
    return fence;
  }

  void access(Access& access) override {
    if (!ptx()) drop_volatile(access);
    if (access.order == Order::plain) return;
    if (!legacy()) {
      access.scope = scope(access.scope);
      return;
    }
    access.scope = Scope::device;
    if (is_release(access.order)) emit_before(mem_fence({}));
    if (is_acquire(access.order)) emit_after(mem_fence({}));
    access.order = Order::relaxed;
  }

  bool fence(Fence& fence) override {
    if (fence.kind == FenceKind::membar) fence.kind = FenceKind::order;
    if (fence.kind != FenceKind::order) return true;
    if (fence.order == Order::relaxed) return false;
    fence.semantics = regions(fence.semantics);
    fence.scope = scope(fence.scope);
    if (legacy()) fence = mem_fence(fence.semantics);
    return true;
  }

  void barrier(Barrier& barrier) override { barrier.semantics = regions(barrier.semantics); }

  const OpenclLimits& limits_;
};

class SpirvEmission final : public AlikeEmission {
  void begin(LitmusTest& test) override {
    vulkan_ = test.arch == Arch::vulkan;
    if (!vulkan_) test.arch = Arch::generic;
  }

  static Scope scope(Scope asked) {
    return asked == Scope::thread ? Scope::subgroup : asked == Scope::system ? Scope::device : asked;
  }

  // Volatile accesses of 32 and 64 bits are atomic.
  void access(Access& access) override {
    if (access.order == Order::plain && access.tags.has(Tag::volatile_) && size_in_bytes(access.type) >= 4) {
      access.order = Order::relaxed;
    }
    drop_volatile(access);
    if (access.order == Order::consume || access.order == Order::acquire_pc) access.order = Order::acquire;
    access.scope = scope(access.scope);
  }

  bool fence(Fence& fence) override {
    fence.scope = scope(fence.scope);
    if (fence.kind != FenceKind::order) return true;
    if (fence.order == Order::consume) fence.order = Order::acquire;
    return fence.order != Order::relaxed;
  }

  // The barriers of other languages acquire and release the memory of the threads that meet.
  void barrier(Barrier& barrier) override {
    if (vulkan_) return;
    barrier.order = Order::acq_rel;
    barrier.memory_scope = barrier.scope;
  }

  bool vulkan_ = false;
};

// Threads as their own processors run them. The test stays PTX's.
LitmusTest mixed_emission(LitmusTest test, const TargetLimits& limits) {
  LitmusTest on_cpu = as_emitted(test, Target::cpu, limits);
  test = PtxEmission().run(std::move(test));
  for (std::size_t t = 0; t < test.threads.size(); ++t) {
    if (test.scopes && test.scopes->placements[t].cpu) test.threads[t] = std::move(on_cpu.threads[t]);
  }
  return test;
}

}  // namespace

LitmusTest as_emitted(LitmusTest test, Target target, const TargetLimits& limits) {
  switch (target) {
    case Target::cpu:
      if (limits.cpu.isa == CpuIsa::aarch64) return AArch64Emission(limits.cpu).run(std::move(test));
      return X86Emission().run(std::move(test));
    case Target::ptx:
      return PtxEmission().run(std::move(test));
    case Target::mixed:
      return mixed_emission(std::move(test), limits);
    case Target::opencl:
      return OpenclEmission(limits.opencl).run(std::move(test));
    case Target::spirv:
      return SpirvEmission().run(std::move(test));
    case Target::wgsl:
      // WGSL has only relaxed atomics and workgroup barriers, so a test that it accepts is emitted as written.
      return test;
  }
  return test;
}

}  // namespace weakspot::codegen
