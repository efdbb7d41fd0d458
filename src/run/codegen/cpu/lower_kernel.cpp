// SPDX-License-Identifier: MIT
// Values of 32 bits are kept zero-extended, so that a signed comparison of 64 bits compares them as unsigned numbers.
#include "codegen/cpu/lower_kernel.h"

#include <map>
#include <variant>

#include "base/check.h"
#include "codegen/cpu/cpu_instructions.h"
#include "litmus/instruction.h"

namespace weakspot::codegen {
namespace {

using litmus::CompareOp;
using Reg = CpuInstructionWriter::Reg;
using CpuPlace = CpuInstructionWriter::Place;

// The deepest expression that the temporaries hold.
constexpr std::size_t kTemporaries = 4;

int bytes_of(Width width) { return width == Width::w64 ? 8 : 4; }

litmus::Access access_of(const MemoryAccess& access) {
  litmus::Access made;
  made.type = access.type;
  made.order = access.order;
  made.scope = access.scope;
  return made;
}

class KernelLowering {
 public:
  KernelLowering(const Kernel& kernel, std::uint32_t buffers, const CpuFeatures& features)
      : kernel_(kernel), buffers_(buffers), to_(make_instruction_writer(features, false)) {}

  CpuKernel run() {
    WEAKSPOT_CHECK(kernel_.workgroup_size == 1 && kernel_.shared_bytes == 0);
    const CpuInstructionWriter::Pool pool = to_->pool();
    std::vector<Reg> all = pool.free_to_use;
    all.insert(all.end(), pool.to_save.begin(), pool.to_save.end());
    frame_ = all[0];
    for (std::size_t i = 0; i < kTemporaries; ++i) temporaries_.push_back(all[1 + i]);
    std::size_t next = 1 + kTemporaries;
    for (std::size_t i = 0; i < kernel_.variables.size(); ++i) {
      homes_.push_back(next < all.size() ? Home{all[next++], 0} : Home{std::nullopt, slots_++});
    }
    const std::vector<Reg> saved(pool.to_save.begin(), pool.to_save.end());
    to_->enter(saved);
    to_->frame_pointer(frame_, 0, 0, 0);
    write(kernel_.body);
    to_->leave(saved);
    return {to_->take(), slots_};
  }

 private:
  // A variable has a register as long as there are some, then a place in the frame.
  struct Home {
    std::optional<Reg> reg;
    std::uint32_t slot = 0;
  };
  struct Jumps {
    std::uint32_t top = 0;
    std::uint32_t end = 0;
  };

  CpuPlace frame_place(std::uint32_t word) const { return {frame_, std::nullopt, std::int64_t{8} * word}; }
  CpuPlace slot_place(std::uint32_t slot) const { return frame_place(kCpuKernelHead + buffers_ + slot); }
  static litmus::Access frame_access() {
    litmus::Access access;
    access.type = litmus::Type::u64;
    return access;
  }

  // ---- values ----

  Reg temporary(std::size_t depth) const {
    WEAKSPOT_CHECK(depth < temporaries_.size());
    return temporaries_[depth];
  }

  // The register that holds the value: a variable's own, or the temporary of that depth.
  Reg evaluate(const Expr& expr, std::size_t depth) {
    const ExprNode& node = expr.node();
    const Reg own = temporary(depth);
    switch (node.kind) {
      case ExprNode::Kind::constant:
        to_->set(own, static_cast<std::int64_t>(node.value), bytes_of(node.width));
        return own;
      case ExprNode::Kind::variable: {
        const Home& home = homes_[node.value];
        if (home.reg) return *home.reg;
        to_->load(own, frame_access(), slot_place(home.slot));
        return own;
      }
      case ExprNode::Kind::builtin:
        if (node.builtin == Builtin::local_id) {
          to_->set(own, 0, 4);
        } else {
          to_->load(own, frame_access(), frame_place(1));
        }
        return own;
      case ExprNode::Kind::buffer:
        to_->load(own, frame_access(), frame_place(kCpuKernelHead + static_cast<std::uint32_t>(node.value)));
        return own;
      case ExprNode::Kind::op:
        return operation(expr, depth);
    }
    return own;
  }

  Reg operation(const Expr& expr, std::size_t depth) {
    const ExprNode& node = expr.node();
    const Reg own = temporary(depth);
    if (is_comparison(node)) {
      to_->set_if(own, compare(node, depth));
      return own;
    }
    if (node.op == Op::select) return select(node, depth);
    const Reg left = evaluate(node.args[0], depth);
    if (node.op == Op::widen) return left;
    if (node.op == Op::narrow) {
      to_->extend(own, left, 4, false);
      return own;
    }
    const Reg right = evaluate(node.args.at(1), depth + 1);
    to_->alu(alu_of(node.op), own, left, right, node.op == Op::mul_wide ? 8 : bytes_of(node.width));
    return own;
  }

  static CpuAlu alu_of(Op op) {
    switch (op) {
      case Op::add:
        return CpuAlu::add;
      case Op::sub:
        return CpuAlu::sub;
      case Op::mul:
      case Op::mul_wide:
        return CpuAlu::mul;
      case Op::and_:
        return CpuAlu::and_;
      case Op::or_:
        return CpuAlu::or_;
      case Op::xor_:
        return CpuAlu::xor_;
      case Op::shl:
        return CpuAlu::shl;
      case Op::shr:
        return CpuAlu::shr;
      default:
        WEAKSPOT_CHECK(false);
        return CpuAlu::add;
    }
  }

  // Leaves the comparison in the machine's flags.
  CompareOp compare(const ExprNode& node, std::size_t depth) {
    const Reg left = evaluate(node.args[0], depth);
    const Reg right = evaluate(node.args[1], depth + 1);
    to_->compare(left, right, 8);
    switch (node.op) {
      case Op::eq:
        return CompareOp::eq;
      case Op::ne:
        return CompareOp::ne;
      case Op::lt:
        return CompareOp::lt;
      case Op::le:
        return CompareOp::le;
      default:
        WEAKSPOT_CHECK(false);
        return CompareOp::eq;
    }
  }

  CompareOp condition(const Expr& expr, std::size_t depth) {
    if (is_comparison(expr.node())) return compare(expr.node(), depth);
    const Reg value = evaluate(expr, depth);
    const Reg zero = temporary(depth + 1);
    to_->set(zero, 0, 8);
    to_->compare(value, zero, 8);
    return CompareOp::ne;
  }

  Reg select(const ExprNode& node, std::size_t depth) {
    const Reg own = temporary(depth);
    const Reg yes = evaluate(node.args[1], depth);
    const Reg no = evaluate(node.args[2], depth + 1);
    const CompareOp op = condition(node.args[0], depth + 2);
    to_->select_if(own, op, yes, no, 8);
    return own;
  }

  // The register to compute a variable's new value in; keep() must follow.
  Reg room(Var variable) const { return homes_[variable.index].reg.value_or(temporaries_[0]); }
  void keep(Var variable, Reg value) {
    const Home& home = homes_[variable.index];
    if (!home.reg) return to_->store(value, frame_access(), slot_place(home.slot), std::nullopt);
    if (*home.reg != value) to_->move(*home.reg, value, bytes_of(variable.width));
  }

  // ---- statements ----

  void write(const Body& body) {
    for (const Stmt& statement : body) {
      std::visit([&](const auto& node) { write(node); }, statement.node);
    }
  }
  void write(const Assign& assign) { keep(assign.target, evaluate(assign.value, 0)); }
  void write(const LoadFrom& load) {
    const Reg address = evaluate(load.access.address, 0);
    const Reg target = room(load.target);
    to_->load(target, access_of(load.access), {address, std::nullopt, 0});
    keep(load.target, target);
  }
  void write(const StoreTo& store) {
    const Reg address = evaluate(store.access.address, 0);
    const Reg value = evaluate(store.value, 1);
    to_->store(value, access_of(store.access), {address, std::nullopt, 0}, std::nullopt);
  }
  void write(const AtomicOn& atomic) {
    const int bytes = litmus::size_in_bytes(atomic.access.type);
    const Reg address = evaluate(atomic.access.address, 0);
    std::optional<Reg> expected;
    const Reg operand = evaluate(atomic.operand, 1);
    if (atomic.expected) {
      const Reg from = evaluate(*atomic.expected, 2);
      expected = to_->scratch(2);
      to_->move(*expected, from, bytes);
    }
    litmus::Rmw rmw;
    rmw.op = atomic.op;
    rmw.access = access_of(atomic.access);
    to_->rmw(rmw, atomic.access.order, to_->scratch(3), operand, expected, {address, std::nullopt, 0});
    if (atomic.target) keep(*atomic.target, to_->scratch(3));
  }
  void write(const FenceOf& fence) { to_->fence(fence.fence); }
  void write(const BarrierOf&) { WEAKSPOT_CHECK(false); }
  void write(const AsyncOf&) { WEAKSPOT_CHECK(false); }
  void write(const If& statement) {
    const std::uint32_t other = to_->new_label();
    to_->branch_if(litmus::negate(condition(statement.condition, 0)), other);
    write(statement.yes);
    if (statement.no.empty()) return to_->label(other);
    const std::uint32_t end = to_->new_label();
    to_->branch(end);
    to_->label(other);
    write(statement.no);
    to_->label(end);
  }
  void write(const Block& block) {
    const Jumps jumps = open(block.label);
    write(block.body);
    to_->label(jumps.end);
  }
  void write(const Loop& loop) {
    const Jumps jumps = open(loop.label);
    to_->label(jumps.top);
    write(loop.body);
    to_->label(jumps.end);
  }
  void write(const Break& jump) { to_->branch(jumps_.at(jump.label).end); }
  void write(const Continue& jump) { to_->branch(jumps_.at(jump.label).top); }
  void write(const ForReaders auto&) {}

  Jumps open(std::uint32_t label) {
    const std::uint32_t top = to_->new_label();
    const Jumps jumps{top, to_->new_label()};
    jumps_[label] = jumps;
    return jumps;
  }

  const Kernel& kernel_;
  std::uint32_t buffers_;
  std::unique_ptr<CpuInstructionWriter> to_;
  Reg frame_ = 0;
  std::vector<Reg> temporaries_;
  std::vector<Home> homes_;  // by variable
  std::uint32_t slots_ = 0;
  std::map<std::uint32_t, Jumps> jumps_;
};

}  // namespace

CpuKernels lower_kernels(const KernelModule& module, const CpuFeatures& features) {
  CpuKernels made;
  made.isa = features.isa;
  made.buffers = static_cast<std::uint32_t>(module.buffers.size());
  for (const Kernel& kernel : module.kernels) {
    made.kernels.push_back(KernelLowering(kernel, made.buffers, features).run());
  }
  return made;
}

}  // namespace weakspot::codegen
