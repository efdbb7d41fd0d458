// SPDX-License-Identifier: MIT
// Runs kernels as a device would, in plain C++ and slowly: the oracle for the harness and the printers. Memory is
// sequentially consistent; the threads of a grid are interleaved by a seeded scheduler.
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "base/rng.h"
#include "codegen/device_program.h"
#include "codegen/kernel/kernel.h"

namespace weakspot::testing_support {

using namespace codegen;

// Buffers live at addresses that no offset within one leads out of.
constexpr std::uint64_t kBufferSpacing = std::uint64_t{1} << 40;

// A statement, or a jump, after flattening.
struct FlatOp {
  const Stmt* statement = nullptr;
  bool jump = false;
  const Expr* unless = nullptr;  // a jump that is taken if this is 0
  std::size_t target = 0;
};

inline void flatten(const Body& body, std::vector<FlatOp>& code, std::map<std::uint32_t, std::size_t>& begins,
                    std::map<std::uint32_t, std::vector<std::size_t>>& breaks) {
  for (const Stmt& statement : body) {
    if (const auto* choice = std::get_if<If>(&statement.node)) {
      const std::size_t test = code.size();
      code.push_back({nullptr, true, &choice->condition, 0});
      flatten(choice->yes, code, begins, breaks);
      const std::size_t skip = code.size();
      code.push_back({nullptr, true, nullptr, 0});
      code[test].target = code.size();
      flatten(choice->no, code, begins, breaks);
      code[skip].target = code.size();
    } else if (const auto* block = std::get_if<Block>(&statement.node)) {
      flatten(block->body, code, begins, breaks);
      for (const std::size_t at : breaks[block->label]) code[at].target = code.size();
    } else if (const auto* loop = std::get_if<Loop>(&statement.node)) {
      begins[loop->label] = code.size();
      flatten(loop->body, code, begins, breaks);
      for (const std::size_t at : breaks[loop->label]) code[at].target = code.size();
    } else if (const auto* leave = std::get_if<Break>(&statement.node)) {
      breaks[leave->label].push_back(code.size());
      code.push_back({nullptr, true, nullptr, 0});
    } else if (const auto* again = std::get_if<Continue>(&statement.node)) {
      code.push_back({nullptr, true, nullptr, begins.at(again->label)});
    } else if (!std::holds_alternative<Comment>(statement.node)) {
      code.push_back({&statement, false, nullptr, 0});
    }
  }
}

class Interpreter {
 public:
  explicit Interpreter(const KernelModule& module) : module_(module), buffers_(module.buffers.size()) {}

  struct Options {
    std::uint64_t seed = 1;
    // Steps that a thread makes before another one is chosen: 1 interleaves finely, a large number runs threads one
    // after the other as far as they can go.
    std::uint32_t stride = 1;
    std::uint64_t most_steps = 200'000'000;
  };

  // Records every 32-bit word of a buffer that a kernel's store or atomic writes.
  void watch(std::uint32_t buffer) { watched_ = static_cast<int>(buffer); }
  const std::set<std::uint64_t>& touched() const { return touched_; }

  // Runs all rounds of a launch and returns the buffers that are read back.
  std::vector<std::vector<std::uint32_t>> run(const Launch& launch, const Options& options) {
    base::Rng rng(options.seed);
    for (std::size_t i = 0; i < launch.buffers.size(); ++i) {
      const BufferSetup& setup = launch.buffers[i];
      // Memory that nobody clears holds garbage.
      buffers_[i].assign(setup.words, setup.zero_first ? 0u : 0xdeadbeefu);
      std::copy(setup.content.begin(), setup.content.end(), buffers_[i].begin());
    }
    for (std::uint32_t round = 0; round < launch.rounds; ++round) {
      for (std::size_t i = 0; i < launch.buffers.size(); ++i) {
        if (launch.buffers[i].zero_each_round) std::fill(buffers_[i].begin(), buffers_[i].end(), 0u);
      }
      buffers_[launch.control][launch.round_word] = round;
      for (const Pass& pass : launch.passes) run_kernel(module_.kernels.at(pass.entry), pass.workgroups, options, rng);
    }
    std::vector<std::vector<std::uint32_t>> result(launch.buffers.size());
    for (std::size_t i = 0; i < launch.buffers.size(); ++i) {
      if (launch.buffers[i].read_back) result[i] = buffers_[i];
    }
    return result;
  }

 private:
  struct Thread {
    std::uint32_t workgroup = 0;
    std::uint32_t local = 0;
    std::size_t at = 0;
    std::vector<std::uint64_t> variables;
    int waiting = -1;  // at the barrier of that number; -1: not waiting
    bool ended = false;
  };

  struct Workgroup {
    std::vector<std::uint8_t> shared;
  };

  void run_kernel(const Kernel& kernel, std::uint32_t workgroups, const Options& options, base::Rng& rng) {
    std::vector<FlatOp> code;
    std::map<std::uint32_t, std::size_t> begins;
    std::map<std::uint32_t, std::vector<std::size_t>> breaks;
    flatten(kernel.body, code, begins, breaks);
    kernel_ = &kernel;
    groups_.assign(workgroups, {std::vector<std::uint8_t>(kernel.shared_bytes, 0xcd)});
    std::vector<Thread> threads;
    for (std::uint32_t w = 0; w < workgroups; ++w) {
      for (std::uint32_t l = 0; l < kernel.workgroup_size; ++l) {
        // Variables hold garbage until they are assigned.
        threads.push_back({w, l, 0, std::vector<std::uint64_t>(kernel.variables.size(), 0xabadcafe), -1, false});
      }
    }
    std::vector<std::size_t> runnable(threads.size());
    for (std::size_t i = 0; i < threads.size(); ++i) runnable[i] = i;
    std::uint64_t steps = 0;
    std::size_t ended = 0;
    while (ended < threads.size()) {
      if (runnable.empty()) throw std::runtime_error("deadlock: every thread waits at a barrier");
      const std::size_t pick = rng.below(runnable.size());
      const std::size_t chosen = runnable[pick];
      Thread& thread = threads[chosen];
      for (std::uint32_t i = 0; i < options.stride && !thread.ended && thread.waiting < 0; ++i) {
        step(thread, code);
        if (++steps > options.most_steps) throw std::runtime_error("too many steps");
      }
      if (!thread.ended && thread.waiting < 0) continue;
      if (thread.ended) ++ended;
      runnable[pick] = runnable.back();
      runnable.pop_back();
      release(threads, thread.workgroup, runnable);
    }
  }

  // Lets the threads of a workgroup go whose barrier is complete.
  void release(std::vector<Thread>& threads, std::uint32_t workgroup, std::vector<std::size_t>& runnable) {
    const std::size_t first = std::size_t{workgroup} * kernel_->workgroup_size;
    std::map<int, std::vector<std::size_t>> waiting;
    std::size_t alive = 0;
    for (std::size_t i = first; i < first + kernel_->workgroup_size; ++i) {
      if (threads[i].ended) continue;
      ++alive;
      if (threads[i].waiting >= 0) waiting[threads[i].waiting].push_back(i);
    }
    for (const auto& [id, members] : waiting) {
      const std::size_t needed = id == 0 ? alive : needed_.at({workgroup, id});
      if (members.size() < needed) continue;
      for (const std::size_t i : members) {
        threads[i].waiting = -1;
        runnable.push_back(i);
      }
    }
  }

  std::uint64_t value(const Thread& thread, const Expr& expr) const {
    const ExprNode& node = expr.node();
    switch (node.kind) {
      case ExprNode::Kind::constant:
        return node.value;
      case ExprNode::Kind::variable:
        return thread.variables.at(node.value);
      case ExprNode::Kind::builtin:
        return node.builtin == Builtin::local_id ? thread.local : thread.workgroup;
      case ExprNode::Kind::buffer:
        return (node.value + 1) * kBufferSpacing;
      case ExprNode::Kind::op:
        break;
    }
    std::uint64_t args[3] = {};
    for (std::size_t i = 0; i < node.args.size(); ++i) args[i] = value(thread, node.args[i]);
    const Width width = node.op == Op::select ? node.args[1].width() : node.args[0].width();
    return evaluate(node.op, width, args[0], args[1], args[2]);
  }

  std::uint8_t* memory(const Thread& thread, const MemoryAccess& access, bool writes) {
    const std::uint64_t address = value(thread, access.address);
    const auto size = static_cast<std::uint64_t>(litmus::size_in_bytes(access.type));
    if (address % size != 0) throw std::runtime_error("misaligned access");
    if (access.shared) {
      std::vector<std::uint8_t>& shared = groups_[thread.workgroup].shared;
      if (address + size > shared.size()) throw std::runtime_error("access outside the workgroup's memory");
      return shared.data() + address;
    }
    const std::uint64_t buffer = address / kBufferSpacing;
    const std::uint64_t offset = address % kBufferSpacing;
    if (buffer == 0 || buffer > buffers_.size() || offset + size > buffers_[buffer - 1].size() * 4) {
      throw std::runtime_error("access outside buffer " +
                               (buffer == 0 || buffer > buffers_.size() ? "?" : module_.buffers[buffer - 1]));
    }
    if (writes && watched_ == static_cast<int>(buffer - 1)) touched_.insert(offset / 4);
    return reinterpret_cast<std::uint8_t*>(buffers_[buffer - 1].data()) + offset;
  }

  static std::uint64_t read(const std::uint8_t* from, litmus::Type type) {
    std::uint64_t raw = 0;
    std::memcpy(&raw, from, static_cast<std::size_t>(litmus::size_in_bytes(type)));
    const auto wrapped = static_cast<std::uint64_t>(litmus::wrap(static_cast<std::int64_t>(raw), type));
    return litmus::size_in_bytes(type) == 8 ? wrapped : wrapped & 0xffffffffu;
  }

  void step(Thread& thread, const std::vector<FlatOp>& code) {
    if (thread.at == code.size()) {
      thread.ended = true;
      return;
    }
    const FlatOp& op = code[thread.at++];
    if (op.jump) {
      if (op.unless == nullptr || value(thread, *op.unless) == 0) thread.at = op.target;
      return;
    }
    std::visit([&](const auto& node) { execute(thread, node); }, op.statement->node);
  }

  void execute(Thread& thread, const Assign& assign) {
    thread.variables[assign.target.index] = value(thread, assign.value);
  }
  void execute(Thread& thread, const LoadFrom& load) {
    thread.variables[load.target.index] = read(memory(thread, load.access, false), load.access.type);
  }
  void execute(Thread& thread, const StoreTo& store) {
    const std::uint64_t bits = value(thread, store.value);
    std::memcpy(memory(thread, store.access, true), &bits,
                static_cast<std::size_t>(litmus::size_in_bytes(store.access.type)));
  }
  void execute(Thread& thread, const AtomicOn& atomic) {
    std::uint8_t* where = memory(thread, atomic.access, true);
    const std::uint64_t old = read(where, atomic.access.type);
    const std::uint64_t operand = value(thread, atomic.operand);
    const Width width = litmus::size_in_bytes(atomic.access.type) == 8 ? Width::w64 : Width::w32;
    const std::uint64_t expected = atomic.expected ? value(thread, *atomic.expected) : 0;
    const std::uint64_t result =
        combine(atomic.op, old, operand, expected, width, litmus::is_signed(atomic.access.type));
    std::memcpy(where, &result, static_cast<std::size_t>(litmus::size_in_bytes(atomic.access.type)));
    if (atomic.target) thread.variables[atomic.target->index] = old;
  }

  static std::uint64_t combine(litmus::RmwOp op, std::uint64_t old, std::uint64_t operand, std::uint64_t expected,
                               Width width, bool is_signed) {
    using litmus::RmwOp;
    switch (op) {
      case RmwOp::exch:
        return operand;
      case RmwOp::cas:
        return old == expected ? operand : old;
      case RmwOp::add:
        return evaluate(Op::add, width, old, operand);
      case RmwOp::sub:
        return evaluate(Op::sub, width, old, operand);
      case RmwOp::and_:
        return old & operand;
      case RmwOp::or_:
        return old | operand;
      case RmwOp::xor_:
        return old ^ operand;
      case RmwOp::inc:
        return old >= operand ? 0 : old + 1;
      case RmwOp::dec:
        return old == 0 || old > operand ? operand : old - 1;
      case RmwOp::min:
      case RmwOp::max:
        break;
    }
    const bool less = evaluate(is_signed ? Op::lt_signed : Op::lt, width, old, operand) != 0;
    return less == (op == RmwOp::min) ? old : operand;
  }

  void execute(Thread&, const FenceOf&) {}
  void execute(Thread& thread, const BarrierOf& barrier) {
    switch (barrier.kind) {
      case BarrierOf::Kind::workgroup:
        thread.waiting = 0;
        return;
      case BarrierOf::Kind::named: {
        const auto id = static_cast<int>(value(thread, barrier.id));
        if (id < 1 || id > 15) throw std::runtime_error("barrier number out of range");
        thread.waiting = id;
        needed_[{thread.workgroup, id}] = barrier.threads;
        return;
      }
      case BarrierOf::Kind::subgroup:
        thread.waiting = 1000 + static_cast<int>(thread.local / 32);
        needed_[{thread.workgroup, thread.waiting}] = std::min(32u, kernel_->workgroup_size);
        return;
      case BarrierOf::Kind::cluster_arrive:
      case BarrierOf::Kind::cluster_wait:
        throw std::runtime_error("clusters are not interpreted");
    }
  }

  // Copies are done as soon as they are issued.
  void execute(Thread& thread, const AsyncOf& operation) {
    std::visit([&](const auto& step) { perform(thread, step); }, operation.step);
  }

  void perform(Thread& thread, const CopyStep& copy) {
    auto bytes = [&](const Place& place, std::uint64_t at, bool writes) {
      MemoryAccess access;
      access.address = place.address + constant64(at);
      access.shared = place.shared;
      return memory(thread, access, writes);
    };
    if (copy.engine == litmus::AsyncEngine::bulk && copy.bytes % 16 != 0) throw std::runtime_error("odd bulk copy");
    for (std::uint64_t at = 0; at < copy.bytes; at += 4) {
      std::uint8_t* to = bytes(copy.to, at, true);
      const std::uint64_t moved = read(bytes(copy.from, at, false), litmus::Type::u32);
      std::uint64_t result = moved;
      if (copy.reduce) result = combine(*copy.reduce, read(to, litmus::Type::u32), moved, 0, Width::w32, false);
      std::memcpy(to, &result, 4);
    }
    if (copy.mbarrier) count_on(mbarrier(thread, *copy.mbarrier), 0, -static_cast<std::int64_t>(copy.bytes));
  }

  struct MbarrierState {
    std::int64_t count = 0;
    std::int64_t pending = 0;
    std::int64_t bytes = 0;
    std::uint64_t phase = 0;
  };

  MbarrierState& mbarrier(const Thread& thread, const Place& place) {
    const auto found = mbarriers_.find({thread.workgroup, value(thread, place.address)});
    if (found == mbarriers_.end()) throw std::runtime_error("an mbarrier that is not initialised");
    return found->second;
  }

  static void count_on(MbarrierState& state, std::int64_t arrivals, std::int64_t bytes) {
    state.pending -= arrivals;
    state.bytes += bytes;
    if (state.pending < 0) throw std::runtime_error("an arrival that the phase does not expect");
    if (state.pending != 0 || state.bytes != 0) return;
    state.pending = state.count;
    ++state.phase;
  }

  void perform(Thread& thread, const MbarrierStep& step) {
    using Kind = MbarrierStep::Op;
    const std::pair<std::uint32_t, std::uint64_t> where{thread.workgroup, value(thread, step.mbarrier.address)};
    switch (step.op) {
      case Kind::init:
        if (!mbarriers_.emplace(where, MbarrierState{step.count, step.count}).second) {
          throw std::runtime_error("an mbarrier that is initialised twice");
        }
        return;
      case Kind::invalidate:
        if (mbarriers_.erase(where) == 0) throw std::runtime_error("an mbarrier that is not initialised");
        return;
      case Kind::arrive:
        mbarrier(thread, step.mbarrier).bytes += step.bytes;
        return count_on(mbarrier(thread, step.mbarrier), step.bytes != 0 ? 1 : step.count, 0);
      case Kind::drop:
        mbarrier(thread, step.mbarrier).count -= step.count;
        mbarrier(thread, step.mbarrier).bytes += step.bytes;
        return count_on(mbarrier(thread, step.mbarrier), step.bytes != 0 ? 1 : step.count, 0);
      case Kind::follow:
        return count_on(mbarrier(thread, step.mbarrier), 1, 0);
      case Kind::expect:
        return count_on(mbarrier(thread, step.mbarrier), 0, step.bytes);
      case Kind::complete:
        return count_on(mbarrier(thread, step.mbarrier), 0, -static_cast<std::int64_t>(step.bytes));
      case Kind::test:
      case Kind::attempt:
        break;
    }
    const bool over = mbarrier(thread, step.mbarrier).phase % 2 != value(thread, step.phase);
    thread.variables[step.target.index] = over ? 1 : 0;
  }

  void perform(Thread&, const litmus::AsyncControl&) {}
  void perform(Thread&, const MapStep&) { throw std::runtime_error("clusters are not interpreted"); }
  // Flattened away.
  template <typename Node>
  void execute(Thread&, const Node&) {}

  const KernelModule& module_;
  std::vector<std::vector<std::uint32_t>> buffers_;
  std::vector<Workgroup> groups_;
  std::map<std::pair<std::uint32_t, int>, std::size_t> needed_;
  std::map<std::pair<std::uint32_t, std::uint64_t>, MbarrierState> mbarriers_;  // by workgroup and address
  const Kernel* kernel_ = nullptr;
  int watched_ = -1;
  std::set<std::uint64_t> touched_;
};

}  // namespace weakspot::testing_support
