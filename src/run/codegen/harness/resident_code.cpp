// SPDX-License-Identifier: MIT
#include "codegen/harness/resident_code.h"

#include "base/check.h"
#include "codegen/harness/role_code.h"
#include "litmus/instruction.h"

namespace weakspot::codegen {
namespace {

using namespace litmus;

// An attempt waits for about half a microsecond; the slowest copy takes a few.
constexpr std::uint32_t kAttemptsPerRound = 4;

class StepWriter {
 public:
  StepWriter(KernelBuilder& builder, const Harness& harness, const ResidentRole& role)
      : b_(builder), h_(harness), layout_(*harness.resident()), r_(role), thread_(harness.test.threads[role.thread]) {}

  void write(const AsyncCopy& copy) {
    CopyStep step;
    step.engine = copy.engine;
    step.type = copy.type;
    step.reduce = copy.reduce;
    const AsyncCopy::Target& first = copy.targets.front();
    step.to = r_.places[first.to.location->index];
    if (copy.engine == AsyncEngine::remote) {
      step.value = operand(copy.value, width_of(copy.type));
    } else {
      step.from = r_.places[copy.from.location->index];
    }
    if (first.mbarrier) step.mbarrier = r_.places[first.mbarrier->index];
    if (copy.targets.size() > 1) {
      for (const AsyncCopy::Target& target : copy.targets) {
        step.multicast |= 1u << layout_.cells[target.to.location->index].owner;
      }
    }
    const std::uint32_t cell = layout_.cells[first.to.location->index].bytes;
    const bool joins = layout_.joined && copy.engine == AsyncEngine::bulk;
    step.bytes = copy.engine == AsyncEngine::bulk
                     ? cell * (joins ? 32 : 1)
                     : static_cast<std::uint32_t>(copy.elements * size_in_bytes(copy.type));
    if (!joins) return b_.add(AsyncOf{std::move(step)});
    elected([&] { b_.add(AsyncOf{std::move(step)}); });
  }

  // Sets together_ if one lane also did the instruction before this one: then the other lanes have done nothing since
  // they last met, and elected() needs no barrier.
  void look_back(const Instruction& instruction) {
    const std::ptrdiff_t position = &instruction - thread_.instructions.data();
    if (position == 0) return;
    const Instruction& before = thread_.instructions[static_cast<std::size_t>(position - 1)];
    const auto* copy = std::get_if<AsyncCopy>(&before.operation);
    const auto* mbarrier = std::get_if<Mbarrier>(&before.operation);
    together_ = (copy != nullptr && copy->engine == AsyncEngine::bulk) ||
                (mbarrier != nullptr && mbarrier->op != MbarrierOp::test && mbarrier->op != MbarrierOp::wait);
  }

  void write(const Mbarrier& mbarrier) {
    MbarrierStep step;
    step.mbarrier = r_.places[mbarrier.barrier.index];
    step.order = mbarrier.order;
    step.scope = mbarrier.scope;
    step.count = static_cast<std::uint32_t>(mbarrier.count);
    step.bytes = static_cast<std::uint32_t>(mbarrier.bytes) * layout_.tx_factor;
    step.phase = operand(mbarrier.phase, Width::w32);
    using Step = MbarrierStep::Op;
    switch (mbarrier.op) {
      case MbarrierOp::init:
        return once(Step::init, std::move(step));
      case MbarrierOp::arrive:
        return once(Step::arrive, std::move(step));
      case MbarrierOp::drop:
        return once(Step::drop, std::move(step));
      case MbarrierOp::inval:
        return once(Step::invalidate, std::move(step));
      case MbarrierOp::expect:
        return once(Step::expect, std::move(step));
      case MbarrierOp::complete:
        return once(Step::complete, std::move(step));
      case MbarrierOp::follow:
        return once(Step::follow, std::move(step));
      case MbarrierOp::test: {
        step.op = Step::test;
        step.target = b_.var();
        const Var over = step.target;
        b_.add(AsyncOf{std::move(step)});
        return b_.set(r_.registers[mbarrier.target->index], widened(over, *mbarrier.target));
      }
      case MbarrierOp::wait:
      case MbarrierOp::commit:  // refused before
        break;
    }
    write_mbarrier_wait(b_, step, static_cast<std::uint32_t>(h_.environment.loop_bound) * kAttemptsPerRound,
                        r_.unfinished);
  }

  void write(const AsyncControl& control) {
    b_.add(AsyncOf{control});
    const bool waits = control.kind == AsyncControl::Kind::wait || control.kind == AsyncControl::Kind::wait_read;
    // Only one lane has copies to wait for; the others wait for it.
    if (layout_.joined && waits && control.engine == AsyncEngine::bulk) meet();
  }

 private:
  void once(MbarrierStep::Op op, MbarrierStep step) {
    step.op = op;
    if (!layout_.joined) return b_.add(AsyncOf{std::move(step)});
    elected([&] { b_.add(AsyncOf{std::move(step)}); });
  }

  // Has one lane write for its row, after all have come here.
  void elected(const KernelBuilder::Write& write) {
    if (!together_) meet();
    b_.if_(equal(r_.lane, 0u), write);
  }

  void meet() {
    BarrierOf barrier;
    barrier.kind = BarrierOf::Kind::subgroup;
    b_.add(std::move(barrier));
  }

  Expr widened(Var flag, RegisterId target) const {
    return r_.registers[target.index].width == Width::w64 ? widen(flag) : Expr(flag);
  }

  Expr operand(const Operand& operand, Width width) {
    if (const auto* id = std::get_if<RegisterId>(&operand)) {
      const Var var = r_.registers[id->index];
      if (var.width == width) return var;
      return width == Width::w32 ? apply(Op::narrow, {var}) : widen(var);
    }
    const auto number = static_cast<std::uint64_t>(std::get<Value>(operand).number);
    return width == Width::w64 ? constant64(number) : Expr(static_cast<std::uint32_t>(number));
  }

  KernelBuilder& b_;
  const Harness& h_;
  const ResidentLayout& layout_;
  const ResidentRole& r_;
  const Thread& thread_;
  bool together_ = false;
};

}  // namespace

void write_mbarrier_wait(KernelBuilder& b, const MbarrierStep& wanted, std::uint32_t bound, Var unfinished) {
  const Var rounds = b.let(0u);
  b.loop([&](std::uint32_t label) {
    MbarrierStep step = wanted;
    step.op = MbarrierStep::Op::attempt;
    step.target = b.var();
    const Var over = step.target;
    b.add(AsyncOf{std::move(step)});
    b.break_if(not_equal(over, 0u), label);
    b.set(rounds, Expr(rounds) + 1u);
    b.if_(less(bound, rounds), [&] {
      b.set(unfinished, 1u);
      b.add(Break{label});
    });
    b.add(Continue{label});
  });
}

void write_resident_step(KernelBuilder& builder, const Harness& harness, const ResidentRole& role,
                         const Instruction& instruction) {
  StepWriter writer(builder, harness, role);
  writer.look_back(instruction);
  if (const auto* copy = std::get_if<AsyncCopy>(&instruction.operation)) return writer.write(*copy);
  if (const auto* mbarrier = std::get_if<Mbarrier>(&instruction.operation)) return writer.write(*mbarrier);
  if (const auto* control = std::get_if<AsyncControl>(&instruction.operation)) return writer.write(*control);
  WEAKSPOT_CHECK(false);
}

}  // namespace weakspot::codegen
