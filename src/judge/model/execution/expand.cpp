// SPDX-License-Identifier: MIT
#include "model/execution/expand.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "litmus/instruction.h"

namespace weakspot::model {
namespace {

using litmus::Access;
using litmus::Address;
using litmus::AsyncCopy;
using litmus::AsyncEngine;
using litmus::ComputeOp;
using litmus::LocationId;
using litmus::MbarrierOp;
using litmus::Operand;
using litmus::Order;
using litmus::Proxy;
using litmus::RegisterId;
using litmus::Scope;
using litmus::Type;

bool is_expanded(const litmus::Instruction& instruction) {
  if (const Access* access = litmus::access_of(instruction)) return litmus::is_tensor(*access);
  return std::holds_alternative<AsyncCopy>(instruction.operation) ||
         std::holds_alternative<litmus::Mbarrier>(instruction.operation);
}

bool has_asynchronous(const litmus::LitmusTest& test) {
  return std::any_of(test.threads.begin(), test.threads.end(), [](const litmus::Thread& thread) {
    return std::any_of(thread.instructions.begin(), thread.instructions.end(), litmus::is_asynchronous);
  });
}

std::int64_t bytes_to_come(std::int64_t bytes) { return bytes * (std::int64_t{1} << kMbarrierBytes); }

// At an mbarrier: how many end a phase, before any was dropped.
struct Arrivals {
  std::int64_t expected = 0;
  bool dropped = false;
};

// One thread of the test.
class Expander {
 public:
  Expander(Expansion& expansion, std::uint32_t thread, const std::map<LocationId, Arrivals>& counts)
      : test_(expansion.test),
        thread_(expansion.test.threads[thread]),
        origin_(expansion.origin[thread]),
        agents_(expansion.agents[thread]),
        counts_(counts) {}

  void run() {
    const std::vector<litmus::Instruction> code = std::move(thread_.instructions);
    thread_.instructions.clear();
    for (std::uint32_t i = 0; i < code.size(); ++i) {
      from_ = &code[i];
      if (is_expanded(code[i])) {
        expand_guarded();
      } else {
        thread_.instructions.push_back(code[i]);
      }
      origin_.resize(thread_.instructions.size(), i);
    }
  }

 private:
  void expand_guarded() {
    const std::string skip = fresh_label();
    if (const std::optional<litmus::Guard>& guard = from_->guard) {
      const litmus::CompareOp skips = guard->negated ? litmus::CompareOp::ne : litmus::CompareOp::eq;
      put(litmus::Branch{skip, litmus::Comparison{skips, guard->predicate, litmus::integer(0)}});
    }
    if (const auto* copy = std::get_if<AsyncCopy>(&from_->operation)) {
      expand(*copy);
    } else if (const auto* mbarrier = std::get_if<litmus::Mbarrier>(&from_->operation)) {
      expand(*mbarrier);
    } else {
      const bool load = std::holds_alternative<litmus::Load>(from_->operation);
      put(from_->operation, new_agent({load ? AsyncEngine::tcld : AsyncEngine::tcst, true, false}));
    }
    if (from_->guard) put(litmus::Label{skip});
  }

  // No text can have this name.
  std::string fresh_label() { return fmt::format("@{}", labels_++); }

  void put(litmus::Operation operation, std::uint32_t agent = 0) {
    litmus::Instruction instruction;
    instruction.operation = std::move(operation);
    instruction.span = from_->span;
    instruction.agent = agent;
    if (agent != 0) instruction.engine = agents_[agent - 1].engine;
    thread_.instructions.push_back(std::move(instruction));
  }

  RegisterId fresh_register(Type type) {
    thread_.registers.push_back({fmt::format("@{}", thread_.registers.size()), type, {}});
    return RegisterId{static_cast<std::uint32_t>(thread_.registers.size() - 1)};
  }

  std::uint32_t new_agent(Agent agent) {
    agents_.push_back(agent);
    return static_cast<std::uint32_t>(agents_.size());
  }

  // ---- copies ----

  Access element(const AsyncCopy& copy, const Address& address, std::int64_t index, bool written) const {
    Access access;
    access.address = address;
    access.address.offset += index * litmus::size_in_bytes(copy.type);
    access.order = Order::plain;
    access.type = copy.type;
    // An accumulator is in registers, or in tensor memory, which has no proxies.
    const bool product = copy.engine == AsyncEngine::wgmma || litmus::is_tensor(copy.engine);
    const bool generic = copy.engine == AsyncEngine::lane || (product && written);
    access.proxy = generic || in_tensor_memory(address) ? Proxy::generic : Proxy::async;
    if (index > 0) access.tags.insert(litmus::Tag::vector);
    return access;
  }

  bool in_tensor_memory(const Address& address) const {
    return address.location && test_[*address.location].space == litmus::Space::tensor;
  }

  void expand(const AsyncCopy& copy) {
    const bool counted = copy.targets.front().mbarrier.has_value();
    const std::uint32_t agent = new_agent({copy.engine, !counted, false});
    std::vector<Operand> values;
    Address from = copy.from;
    if (copy.mapped) {
      Access map;
      map.address = std::exchange(from, Address{});
      map.order = Order::plain;
      map.type = Type::s64;
      map.proxy = Proxy::tensormap;
      from.index = fresh_register(Type::s64);
      put(litmus::Load{*from.index, map}, agent);
    }
    for (std::int64_t i = 0; i < copy.elements; ++i) {
      if (copy.engine == AsyncEngine::remote) {
        values.push_back(copy.value);
        continue;
      }
      const RegisterId read = fresh_register(copy.type);
      put(litmus::Load{read, element(copy, from, i, false)}, agent);
      values.emplace_back(read);
    }
    for (const AsyncCopy::Target& target : copy.targets) {
      for (std::int64_t i = 0; i < copy.elements; ++i) {
        write(copy, element(copy, target.to, i, true), values[static_cast<std::size_t>(i)], agent);
      }
    }
    // PTX ISA, "Shared Memory Accesses" of tcgen05: no such fence is said to follow these.
    if (copy.engine == AsyncEngine::lane || litmus::is_tensor(copy.engine)) return;
    // PTX ISA, "Async proxy": a generic-async proxy fence follows the completion.
    litmus::Fence fence;
    fence.kind = litmus::FenceKind::proxy;
    fence.proxy = Proxy::async;
    put(fence, agent);
    const std::int64_t bytes = copy.elements * litmus::size_in_bytes(copy.type);
    for (const AsyncCopy::Target& target : copy.targets) {
      if (target.mbarrier) count(*target.mbarrier, -bytes_to_come(bytes), Order::release, Scope::cluster, agent);
    }
  }

  // PTX ISA, cp.reduce.async.bulk: each reduction is .relaxed.gpu; red.async: .relaxed.cluster.
  void write(const AsyncCopy& copy, Access access, const Operand& value, std::uint32_t agent) {
    if (!copy.reduce) return put(litmus::Store{access, value, std::nullopt}, agent);
    if (copy.engine == AsyncEngine::tcmma) return accumulate(access, copy.type, value, agent);
    access.order = Order::relaxed;
    access.scope = copy.engine == AsyncEngine::remote ? Scope::cluster : Scope::device;
    access.tags.erase(litmus::Tag::vector);
    litmus::Rmw rmw;
    rmw.op = *copy.reduce;
    rmw.access = access;
    rmw.operand = value;
    put(rmw, agent);
  }

  // PTX ISA, tcgen05.mma: D = A * B + D. Nothing says that this is one step.
  void accumulate(const Access& access, Type type, const Operand& value, std::uint32_t agent) {
    const RegisterId sum = fresh_register(type);
    put(litmus::Load{sum, access}, agent);
    put(litmus::Compute{ComputeOp::add, sum, sum, value}, agent);
    put(litmus::Store{access, sum, std::nullopt}, agent);
  }

  // ---- mbarriers ----

  static Access state_of(LocationId barrier, Order order, Scope scope) {
    Access access;
    access.address.location = barrier;
    access.order = order;
    access.scope = scope;
    access.type = Type::s64;
    return access;
  }

  void count(LocationId barrier, std::int64_t change, Order order, Scope scope, std::uint32_t agent,
             std::optional<RegisterId> before = std::nullopt) {
    litmus::Rmw rmw;
    rmw.op = litmus::RmwOp::add;
    rmw.target = before;
    rmw.access = state_of(barrier, order, scope);
    rmw.operand = litmus::integer(change);
    rmw.refill = counts_.at(barrier).expected + (std::int64_t{1} << kMbarrierPhase);
    rmw.drops = counts_.at(barrier).dropped;
    put(rmw, agent);
  }

  // The parity of the phase in a state.
  void parity(RegisterId state, RegisterId into) {
    const RegisterId phase = fresh_register(Type::s64);
    put(litmus::Compute{ComputeOp::shr, phase, state, litmus::integer(kMbarrierPhase)});
    put(litmus::Compute{ComputeOp::and_, into, phase, litmus::integer(1)});
  }

  void expand(const litmus::Mbarrier& mbarrier) {
    const LocationId barrier = mbarrier.barrier;
    switch (mbarrier.op) {
      case MbarrierOp::init:
        put(litmus::Store{state_of(barrier, Order::plain, Scope::device),
                          litmus::integer(kMbarrierDone + mbarrier.count), std::nullopt});
        break;
      // PTX ISA, mbarrier.inval: no operation but mbarrier.init may follow. Here it is as if there was none before.
      case MbarrierOp::inval:
        put(litmus::Store{state_of(barrier, Order::plain, Scope::device), litmus::integer(0), std::nullopt});
        break;
      case MbarrierOp::arrive:
      case MbarrierOp::drop: {
        std::optional<RegisterId> before;
        if (mbarrier.target) before = fresh_register(Type::s64);
        std::int64_t change = bytes_to_come(mbarrier.bytes) - mbarrier.count;
        if (mbarrier.op == MbarrierOp::drop) change += mbarrier.count * (std::int64_t{1} << kMbarrierDropped);
        count(barrier, change, mbarrier.order, mbarrier.scope, 0, before);
        if (before) parity(*before, *mbarrier.target);
        break;
      }
      case MbarrierOp::expect:
        count(barrier, bytes_to_come(mbarrier.bytes), mbarrier.order, mbarrier.scope, 0);
        break;
      case MbarrierOp::complete:
        count(barrier, -bytes_to_come(mbarrier.bytes), mbarrier.order, mbarrier.scope, 0);
        break;
      case MbarrierOp::follow:
        count(barrier, -1, mbarrier.order, mbarrier.scope, new_agent({AsyncEngine::lane, false, true}));
        break;
      // PTX ISA, tcgen05.commit: an arrive-on operation of cluster scope, with a count of 1. Its semantics are not
      // said: here those that mbarrier.arrive has by default.
      case MbarrierOp::commit:
        count(barrier, -1, Order::release, Scope::cluster, new_agent({AsyncEngine::tcmma, false, true}));
        break;
      case MbarrierOp::test:
      case MbarrierOp::wait:
        ask(mbarrier);
        break;
    }
  }

  // A wait is the loop around a test.
  void ask(const litmus::Mbarrier& mbarrier) {
    const std::string again = fresh_label();
    const RegisterId state = fresh_register(Type::s64);
    const RegisterId current = fresh_register(Type::s64);
    if (mbarrier.op == MbarrierOp::wait) put(litmus::Label{again});
    put(litmus::Load{state, state_of(mbarrier.barrier, mbarrier.order, mbarrier.scope)});
    parity(state, current);
    if (mbarrier.op == MbarrierOp::wait) {
      put(litmus::Branch{again, litmus::Comparison{litmus::CompareOp::eq, current, mbarrier.phase}});
    } else {
      put(litmus::Compute{ComputeOp::ne, *mbarrier.target, current, mbarrier.phase});
    }
  }

  const litmus::LitmusTest& test_;
  litmus::Thread& thread_;
  std::vector<std::uint32_t>& origin_;
  std::vector<Agent>& agents_;
  const std::map<LocationId, Arrivals>& counts_;
  const litmus::Instruction* from_ = nullptr;
  std::size_t labels_ = 0;
};

// By the initial value of each mbarrier or its initialisation.
std::map<LocationId, Arrivals> arrivals(const litmus::LitmusTest& test) {
  std::map<LocationId, Arrivals> counts;
  for (const litmus::Thread& thread : test.threads) {
    for (const litmus::Instruction& instruction : thread.instructions) {
      if (const auto* copy = std::get_if<AsyncCopy>(&instruction.operation)) {
        for (const AsyncCopy::Target& target : copy->targets) {
          if (target.mbarrier) counts.try_emplace(*target.mbarrier);
        }
      }
      const auto* mbarrier = std::get_if<litmus::Mbarrier>(&instruction.operation);
      if (mbarrier == nullptr) continue;
      Arrivals& count = counts[mbarrier->barrier];
      if (mbarrier->op == MbarrierOp::init) count.expected = mbarrier->count;
      if (mbarrier->op == MbarrierOp::drop) count.dropped = true;
    }
  }
  for (auto& [barrier, count] : counts) {
    if (count.expected == 0) count.expected = test[barrier].initial.number;
  }
  return counts;
}

}  // namespace

std::shared_ptr<const Expansion> expand(const litmus::LitmusTest& test) {
  if (!has_asynchronous(test)) return nullptr;
  auto expansion = std::make_shared<Expansion>();
  expansion->original = test;
  expansion->test = test;
  expansion->origin.resize(test.threads.size());
  expansion->agents.resize(test.threads.size());
  const std::map<LocationId, Arrivals> counts = arrivals(test);
  for (const auto& [barrier, count] : counts) {
    expansion->mbarriers.insert(barrier);
    litmus::Location& location = expansion->test.locations[barrier.index];
    location.type = Type::s64;
    if (location.initial.number != 0) location.initial = litmus::integer(kMbarrierDone + location.initial.number);
  }
  for (std::uint32_t t = 0; t < test.threads.size(); ++t) Expander(*expansion, t, counts).run();
  return expansion;
}

}  // namespace weakspot::model
