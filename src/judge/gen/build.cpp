// SPDX-License-Identifier: MIT
#include "gen/build.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "gen/name.h"
#include "gen/shape/check_cycle.h"
#include "litmus/instruction.h"
#include "litmus/normalize.h"

namespace weakspot::gen {
namespace {

using litmus::Access;
using litmus::Arch;
using litmus::Fence;
using litmus::FenceKind;
using litmus::LitmusTest;
using litmus::LocationId;
using litmus::Operand;
using litmus::Order;
using litmus::RegisterId;
using litmus::Scope;
using litmus::Space;
using litmus::ThreadId;

// No value of a test has this bit, so `and r, kMask` is 0 and yet depends on r, also for compilers.
constexpr std::int64_t kMask = 128;

bool places_threads(Arch arch) {
  return arch == Arch::ptx2015 || arch == Arch::ptx || arch == Arch::vulkan || arch == Arch::opencl;
}

// Only PTX has asynchronous copies, and its tests alone have threads on a CPU beside a GPU.
bool needs_ptx(const Cycle& cycle) {
  return std::any_of(cycle.steps.begin(), cycle.steps.end(), [](const Step& step) {
    return step.event.copy || step.event.cpu || step.edge.kind == EdgeKind::wait;
  });
}

std::string location_name(std::size_t index) {
  static constexpr std::string_view kNames = "xyzwvuts";
  if (index < kNames.size()) return std::string(1, kNames[index]);
  return fmt::format("x{}", index);
}

Order combined(Order read, Order write) {
  if (read == Order::seq_cst || write == Order::seq_cst) return Order::seq_cst;
  const bool acquire = litmus::is_acquire(read) || litmus::is_acquire(write);
  const bool release = litmus::is_release(read) || litmus::is_release(write);
  if (acquire && release) return Order::acq_rel;
  if (acquire) return Order::acquire;
  return release ? Order::release : Order::relaxed;
}

class Builder {
 public:
  Builder(const Layout& layout, const TestOptions& options) : layout_(layout), options_(options) {}

  LitmusTest run() {
    test_.name = options_.name.empty() ? name_of(layout_.cycle) : options_.name;
    test_.info.emplace_back("Cycle", to_string(layout_.cycle));
    make_locations();
    make_scopes();
    test_.threads.resize(layout_.threads);
    registers_.resize(layout_.events.size());
    for (std::size_t i = 0; i < layout_.events.size(); ++i) add_event(i);
    for (litmus::Thread& thread : test_.threads) end_thread(thread);
    add_observers();
    make_condition();
    return std::move(test_);
  }

 private:
  // ---- what is around the program ----

  void make_locations() {
    test_.locations.resize(layout_.locations);
    for (std::size_t i = 0; i < layout_.locations; ++i) {
      test_.locations[i].name = i < options_.locations.size() ? options_.locations[i] : location_name(i);
    }
    for (const Event& event : layout_.events) test_.locations[event.location].space = event.annotation.space;
  }

  bool has_cpus() const {
    return std::any_of(layout_.events.begin(), layout_.events.end(),
                       [](const Event& event) { return event.annotation.cpu; });
  }

  void make_scopes() {
    const auto apart = [](const Step& step) { return step.edge.together == Scope::device; };
    const bool all_default = std::all_of(layout_.cycle.steps.begin(), layout_.cycle.steps.end(), apart);
    if (all_default && !options_.place_threads && !places_threads(options_.arch)) return;
    test_.scopes = litmus::ScopeTree{layout_.placements, {}, {}};
    for (const Event& event : layout_.events) test_.scopes->placements[event.thread].cpu = event.annotation.cpu;
  }

  bool spans_devices() const {
    const auto elsewhere = [&](const litmus::Placement& place) { return place.device != 0; };
    return std::any_of(layout_.placements.begin(), layout_.placements.end(), elsewhere);
  }

  // ---- events ----

  litmus::Thread& thread(ThreadId id) { return test_.threads[id.index]; }

  RegisterId new_register(litmus::Thread& thread) {
    const auto index = static_cast<std::uint32_t>(thread.registers.size());
    thread.registers.emplace_back().name = "r" + std::to_string(index);
    return RegisterId{index};
  }

  static void emit(litmus::Thread& thread, litmus::Operation operation) {
    thread.instructions.push_back({std::move(operation), std::nullopt, {}});
  }

  // The next free register, which holds op(left, right).
  RegisterId compute(litmus::Thread& thread, litmus::ComputeOp op, Operand left, Operand right) {
    const RegisterId target = new_register(thread);
    emit(thread, litmus::Compute{op, target, left, right});
    return target;
  }

  void add_event(std::size_t i) {
    const Event& event = layout_.events[i];
    litmus::Thread& thread = this->thread(ThreadId{event.thread});
    const Edge& into = layout_.cycle.edge_into(i);
    Operand value = litmus::integer(event.value);
    std::optional<RegisterId> index;
    if (!into.external) {
      if (into.kind == EdgeKind::rmw) return;  // done with the read
      const std::size_t before = i - 1;
      if (into.kind == EdgeKind::fence) emit(thread, into.fence.value_or(strongest_fence()));
      if (into.kind == EdgeKind::barrier) emit(thread, next_barrier(thread));
      if (into.kind == EdgeKind::wait) wait(thread, *into.wait);
      if (into.kind == EdgeKind::ctrl) branch(thread, before, into);
      if (into.kind == EdgeKind::addr || into.kind == EdgeKind::data) {
        const RegisterId zero = compute(thread, litmus::ComputeOp::and_, registers_[before], litmus::integer(kMask));
        if (into.kind == EdgeKind::addr) index = zero;
        if (into.kind == EdgeKind::data) value = compute(thread, litmus::ComputeOp::add, zero, value);
      }
    }
    if (event.annotation.copy) return copy(thread, i);
    Access access = access_of(event);
    access.address.index = index;
    if (layout_.cycle.steps[i].edge.kind == EdgeKind::rmw) {
      const Event& write = layout_.events[i + 1];
      access.order = combined(rmw_order(event), rmw_order(write));
      registers_[i] = new_register(thread);
      emit(thread, litmus::Rmw{.op = litmus::RmwOp::exch,
                               .target = registers_[i],
                               .access = access,
                               .operand = litmus::integer(write.value)});
    } else if (event.direction == Direction::read) {
      registers_[i] = new_register(thread);
      if (event.annotation.atomic) {
        emit(thread,
             litmus::Rmw{
                 .op = litmus::RmwOp::add, .target = registers_[i], .access = access, .operand = litmus::integer(0)});
      } else {
        emit(thread, litmus::Load{registers_[i], access});
      }
    } else if (event.annotation.atomic) {
      emit(thread, litmus::Rmw{.op = litmus::RmwOp::exch, .target = std::nullopt, .access = access, .operand = value});
    } else {
      emit(thread, litmus::Store{access, value, std::nullopt});
    }
  }

  // ---- asynchronous copies ----

  LocationId new_location(std::string name, Space space, std::int64_t initial) {
    litmus::Location& location = test_.locations.emplace_back();
    location.name = std::move(name);
    location.space = space;
    location.initial = litmus::integer(initial);
    return LocationId{static_cast<std::uint32_t>(test_.locations.size() - 1)};
  }

  // A write copies from a location that holds the value, a read to one that the condition asks for. Copies go between
  // global and shared memory. Bulk copies to shared memory are counted on an mbarrier, the others are groups. A product
  // comes with the fence that it needs.
  void copy(litmus::Thread& thread, std::size_t i) {
    const Event& event = layout_.events[i];
    const bool writes = event.direction == Direction::write;
    const bool shared = test_.locations[event.location].space == Space::shared;
    const LocationId other = new_location(fmt::format("{}{}", test_.locations[event.location].name, i),
                                          shared ? Space::none : Space::shared, writes ? event.value : 0);
    copied_.emplace(i, other);
    litmus::AsyncCopy copy;
    copy.engine = *event.annotation.copy;
    copy.from.location = writes ? other : LocationId{event.location};
    litmus::AsyncCopy::Target& target = copy.targets.emplace_back();
    target.to.location = writes ? LocationId{event.location} : other;
    const bool counted = copy.engine == litmus::AsyncEngine::bulk && writes == shared;
    if (counted) {
      target.mbarrier = new_location(fmt::format("b{}", i), Space::shared, 1);
      litmus::Mbarrier arrive;
      arrive.barrier = *target.mbarrier;
      arrive.order = Order::release;
      arrive.bytes = litmus::size_in_bytes(copy.type);
      emit(thread, arrive);
      pending_[event.thread].push_back(*target.mbarrier);
    }
    if (copy.engine == litmus::AsyncEngine::wgmma) {
      litmus::Fence fence;
      fence.kind = litmus::FenceKind::wgmma;
      emit(thread, fence);
    }
    emit(thread, copy);
    if (!counted) emit(thread, litmus::AsyncControl{litmus::AsyncControl::Kind::commit, copy.engine, 0});
  }

  // For all copies of the engine that the thread issued so far.
  void wait(litmus::Thread& thread, const litmus::AsyncControl& control) {
    const auto index = static_cast<std::uint32_t>(&thread - test_.threads.data());
    const auto is_group = [&](const litmus::Instruction& instruction) {
      const auto* commit = std::get_if<litmus::AsyncControl>(&instruction.operation);
      return commit != nullptr && commit->engine == control.engine;
    };
    const bool groups = std::any_of(thread.instructions.begin(), thread.instructions.end(), is_group);
    if (groups || pending_[index].empty()) emit(thread, control);
    if (control.engine != litmus::AsyncEngine::bulk) return;
    for (LocationId barrier : pending_[index]) {
      litmus::Mbarrier wait;
      wait.op = litmus::MbarrierOp::wait;
      wait.barrier = barrier;
      wait.order = Order::acquire;
      emit(thread, wait);
    }
    pending_[index].clear();
  }

  // Every read-modify-write of x86 is a full fence.
  Order default_rmw_order() const { return options_.arch == Arch::x86_64 ? Order::seq_cst : Order::relaxed; }

  Order rmw_order(const Event& event) const { return event.annotation.order.value_or(default_rmw_order()); }

  Order default_order(const Annotation& annotation) const {
    if (annotation.atomic) return default_rmw_order();
    if (options_.arch == Arch::ptx2015) return Order::plain;
    // Current PTX has cache operators on weak accesses alone.
    if (options_.arch == Arch::ptx && annotation.cache != litmus::CacheOp::none) return Order::plain;
    return Order::relaxed;
  }

  Access access_of(const Event& event) const {
    const Annotation& annotation = event.annotation;
    Access access;
    access.address.location = LocationId{event.location};
    access.order = annotation.order.value_or(default_order(annotation));
    // A GPU reaches a CPU at system scope.
    access.scope = annotation.scope.value_or(has_cpus() && !annotation.cpu ? Scope::system : Scope::device);
    access.cache = annotation.cache;
    if (annotation.is_volatile) {
      access.tags.insert(litmus::Tag::volatile_);
      if (options_.arch == Arch::ptx && !annotation.scope) access.scope = Scope::system;
    }
    if (access.order == Order::plain) access.scope = Scope::device;
    return access;
  }

  Fence strongest_fence() const {
    Fence fence;
    if (spans_devices()) fence.scope = Scope::system;
    switch (options_.arch) {
      case Arch::ptx2015:
        fence.kind = FenceKind::membar;
        break;
      case Arch::vulkan:
        fence.order = Order::acq_rel;
        break;
      case Arch::aarch64:
        fence.kind = FenceKind::dmb;
        break;
      case Arch::x86_64:
        fence.kind = FenceKind::mfence;
        break;
      default:
        break;
    }
    return fence;
  }

  litmus::Barrier next_barrier(const litmus::Thread& thread) const {
    litmus::Barrier barrier;
    std::int64_t earlier = 0;
    for (const litmus::Instruction& instruction : thread.instructions) {
      earlier += std::holds_alternative<litmus::Barrier>(instruction.operation);
    }
    barrier.id = litmus::integer(earlier);
    // OpenCL's barriers say which memory they order.
    if (options_.arch == Arch::opencl) barrier.semantics = {Space::global, Space::shared};
    return barrier;
  }

  // The rest of the thread comes after the branch; if the read gives another value, the thread ends.
  void branch(litmus::Thread& thread, std::size_t read, const Edge& edge) {
    const bool reads_zero = layout_.events[read].value == 0;
    const litmus::CompareOp op = reads_zero ? litmus::CompareOp::ne : litmus::CompareOp::eq;
    emit(thread, litmus::Branch{"end", litmus::Comparison{op, registers_[read], litmus::integer(0)}});
    if (edge.fence) emit(thread, *edge.fence);
  }

  static void end_thread(litmus::Thread& thread) {
    const auto branches = [](const litmus::Instruction& instruction) {
      return std::holds_alternative<litmus::Branch>(instruction.operation);
    };
    if (std::any_of(thread.instructions.begin(), thread.instructions.end(), branches)) {
      emit(thread, litmus::Label{"end"});
    }
  }

  // ---- what is asked ----

  void ask(litmus::Observable observable, std::int64_t value) {
    asked_.push_back(litmus::equals(observable, litmus::integer(value)));
  }

  void add_observers() {
    for (const Witness& witness : layout_.witnesses) {
      if (witness.observed.empty()) continue;
      const ThreadId id{static_cast<std::uint32_t>(test_.threads.size())};
      litmus::Thread& thread = test_.threads.emplace_back();
      Event event;
      event.location = witness.location;
      for (std::int64_t value : witness.observed) {
        const RegisterId reg = new_register(thread);
        emit(thread, litmus::Load{reg, access_of(event)});
        observed_.emplace_back(litmus::ObservedRegister{id, reg}, value);
      }
      place_observer(witness.location);
    }
  }

  // In the workgroup of the others if they have one, in a workgroup of its own if not.
  void place_observer(std::uint32_t location) {
    if (!test_.scopes) return;
    std::vector<litmus::Placement>& places = test_.scopes->placements;
    litmus::Placement place = places.front();
    std::uint32_t subgroups = 0, workgroups = 0, clusters = 0;
    bool one_workgroup = true;
    for (const litmus::Placement& other : places) {
      one_workgroup = one_workgroup && other.workgroup == place.workgroup;
      subgroups = std::max(subgroups, other.subgroup + 1);
      workgroups = std::max(workgroups, other.workgroup + 1);
      clusters = std::max(clusters, other.cluster + 1);
    }
    if (test_.locations[location].space == Space::shared) {
      for (const Event& event : layout_.events) {
        if (event.location == location) place = places[event.thread];
      }
    } else if (!one_workgroup) {
      place.workgroup = workgroups;
      place.cluster = clusters;
    }
    place.subgroup = subgroups;
    places.push_back(place);
  }

  void make_condition() {
    for (std::size_t i = 0; i < layout_.events.size(); ++i) {
      const Event& event = layout_.events[i];
      if (!event.asked) continue;
      if (const auto copied = copied_.find(i); copied != copied_.end()) {
        ask(copied->second, event.value);
      } else {
        ask(litmus::ObservedRegister{ThreadId{event.thread}, registers_[i]}, event.value);
      }
    }
    for (const auto& [reg, value] : observed_) ask(reg, value);
    for (const Witness& witness : layout_.witnesses) {
      if (witness.final_value) ask(LocationId{witness.location}, *witness.final_value);
    }
    test_.condition.proposition = litmus::all_of(std::move(asked_));
  }

  const Layout& layout_;
  const TestOptions& options_;
  LitmusTest test_;
  std::vector<RegisterId> registers_;                         // by event: what a read gave
  std::map<std::size_t, LocationId> copied_;                  // by event: the other location of its copy
  std::map<std::uint32_t, std::vector<LocationId>> pending_;  // by thread: mbarriers that nobody has waited for
  std::vector<std::pair<litmus::ObservedRegister, std::int64_t>> observed_;
  std::vector<litmus::Proposition> asked_;
};

}  // namespace

base::Result<LitmusTest> to_test(const Cycle& cycle, const TestOptions& options) {
  base::Diagnostics errors;
  for (const CycleMistake& mistake : check(cycle)) {
    errors.push_back(base::error(fmt::format("cycle '{}': {}", to_string(cycle), mistake.message)));
  }
  if (!errors.empty()) return errors;
  TestOptions own = options;
  if (own.arch == Arch::generic && needs_ptx(cycle)) own.arch = Arch::ptx;
  LitmusTest test = Builder(lay_out(cycle, own.layout), own).run();
  if (own.arch == Arch::generic) return test;
  if (own.arch == Arch::ptx && test.scopes && test.scopes->has_cpus()) {
    test.arch = Arch::ptx;  // the dialect has no words for CPUs
    return test;
  }
  return litmus::adapt(test, litmus::dialect_of(own.arch));
}

}  // namespace weakspot::gen
