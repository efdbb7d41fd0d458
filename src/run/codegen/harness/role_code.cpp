// SPDX-License-Identifier: MIT
#include "codegen/harness/role_code.h"

#include <algorithm>

#include "base/check.h"
#include "litmus/visit.h"

namespace weakspot::codegen {
namespace {

using namespace litmus;

Expr constant_of(std::int64_t number, Width width) {
  if (width == Width::w64) return constant64(static_cast<std::uint64_t>(number));
  return Expr(static_cast<std::uint32_t>(static_cast<std::uint64_t>(number)));
}

class RoleWriter {
 public:
  RoleWriter(KernelBuilder& builder, const LitmusTest& test, const RoleContext& context,
             const std::vector<Region>& regions)
      : b_(builder), thread_(test.threads[context.thread]), arch_(test.arch), c_(context), regions_(regions) {}

  void run() { run({0, thread_.instructions.size()}); }

  void run(Segment segment) {
    if (segment.begin == 0) set_initial_registers();
    b_.block([&](std::uint32_t end) {
      end_ = end;
      write_range(segment.begin, segment.end, 0);
      b_.add(Origin{});
    });
  }

 private:
  void set_initial_registers() {
    for (std::size_t i = 0; i < thread_.registers.size(); ++i) {
      b_.set(c_.registers[i], value(thread_.registers[i].initial, c_.registers[i].width));
    }
  }

  // Instructions [begin, end); opens the regions from number `next` on where they begin.
  void write_range(std::size_t begin, std::size_t end, std::size_t next) {
    while (begin < end) {
      while (next < regions_.size() && regions_[next].begin < begin) ++next;
      if (next < regions_.size() && regions_[next].begin == begin && !is_open(next)) {
        open_region(next);
        begin = regions_[next].end;
        continue;
      }
      if (next < regions_.size() && regions_[next].begin == begin) {
        // Already open: another region inside it may begin here.
        ++next;
        continue;
      }
      b_.add(Origin{{{static_cast<std::uint32_t>(c_.thread), static_cast<std::uint32_t>(begin)}}});
      write_guarded(begin, thread_.instructions[begin]);
      ++begin;
    }
  }

  struct Open {
    std::size_t region;
    std::uint32_t label;
    Var rounds;
  };

  bool is_open(std::size_t region) const {
    return std::any_of(open_.begin(), open_.end(), [&](const Open& o) { return o.region == region; });
  }

  void open_region(std::size_t number) {
    const Region& region = regions_[number];
    Var rounds;
    if (region.loop) rounds = b_.let(0u);
    auto body = [&](std::uint32_t label) {
      open_.push_back({number, label, rounds});
      write_range(region.begin, region.end, number);
      b_.add(Origin{});
      open_.pop_back();
    };
    if (region.loop) {
      b_.loop([&](std::uint32_t label) {
        body(label);
        b_.add(Break{label});
      });
    } else {
      b_.block(body);
    }
  }

  void write_guarded(std::size_t position, const Instruction& instruction) {
    if (!instruction.guard) return write(position, instruction);
    const Var predicate = c_.registers[instruction.guard->predicate.index];
    const Expr zero = constant_of(0, predicate.width);
    const Expr condition = instruction.guard->negated ? equal(predicate, zero) : not_equal(predicate, zero);
    b_.if_(condition, [&] { write(position, instruction); });
  }

  void write(std::size_t position, const Instruction& instruction) {
    if (c_.gap && (access_of(instruction) != nullptr || is_asynchronous(instruction))) {
      if (began_) c_.gap();
      began_ = true;
    }
    if (const auto* load = std::get_if<Load>(&instruction.operation)) {
      write_load(*load);
    } else if (const auto* store = std::get_if<Store>(&instruction.operation)) {
      b_.add(StoreTo{access(store->access), operand(store->value, width_of(store->access.type))});
    } else if (const auto* rmw = std::get_if<Rmw>(&instruction.operation)) {
      write_rmw(*rmw);
    } else if (const auto* fence = std::get_if<Fence>(&instruction.operation)) {
      b_.add(FenceOf{*fence, vulkan_words(fence->tags, fence->semantics)});
    } else if (const auto* barrier = std::get_if<Barrier>(&instruction.operation)) {
      c_.barrier(*barrier);
    } else if (is_asynchronous(instruction)) {
      c_.asynchronous(instruction);
    } else if (const auto* compute = std::get_if<Compute>(&instruction.operation)) {
      write_compute(*compute);
    } else if (const auto* select_ = std::get_if<Select>(&instruction.operation)) {
      write_select(*select_);
    } else if (const auto* branch = std::get_if<Branch>(&instruction.operation)) {
      write_branch(position, *branch);
    }
  }

  MemoryAccess access(const Access& from) {
    MemoryAccess to;
    to.address = constant64(0);
    if (from.address.location) {
      to.address = c_.addresses[from.address.location->index];
      to.shared = c_.shared[from.address.location->index];
      to.cluster = !c_.remote.empty() && c_.remote[from.address.location->index];
    }
    if (from.address.index) to.address = to.address + reg(*from.address.index, Width::w64);
    if (from.address.offset != 0) to.address = to.address + constant_of(from.address.offset, Width::w64);
    if (from.proxy != Proxy::generic && c_.after_gap) to.address = to.address + widen(Expr(*c_.after_gap) & c_.zero);
    to.type = from.type;
    to.order = from.order;
    to.scope = from.scope;
    to.cache = from.cache;
    to.proxy = from.proxy;
    to.is_volatile = from.tags.has(Tag::volatile_);
    to.vulkan = vulkan_words(from.tags, from.semantics);
    return to;
  }

  std::optional<VulkanWords> vulkan_words(Tags tags, Spaces semantics) const {
    if (arch_ != Arch::vulkan) return std::nullopt;
    return VulkanWords{tags, semantics};
  }

  // The register's value in that width, extended as its type says.
  Expr reg(RegisterId id, Width width) {
    const Var var = c_.registers[id.index];
    if (var.width == width) return var;
    if (width == Width::w32) return apply(Op::narrow, {var});
    return apply(is_signed(thread_.registers[id.index].type) ? Op::widen_signed : Op::widen, {var});
  }

  Expr value(const Value& value, Width width) {
    if (!value.base) return constant_of(value.number, width);
    WEAKSPOT_CHECK(width == Width::w64);
    return c_.addresses[value.base->index] + constant_of(value.number, Width::w64);
  }

  Expr operand(const Operand& operand, Width width) {
    if (const auto* id = std::get_if<RegisterId>(&operand)) return reg(*id, width);
    return value(std::get<Value>(operand), width);
  }

  // Puts a value into a register, cut to the register's type.
  void set_register(RegisterId id, Expr value) {
    const Var target = c_.registers[id.index];
    if (value.width() == Width::w64 && target.width == Width::w32) value = apply(Op::narrow, {value});
    if (value.width() == Width::w32 && target.width == Width::w64) value = apply(Op::widen_signed, {value});
    const Type type = thread_.registers[id.index].type;
    const auto bits = static_cast<std::uint32_t>(size_in_bytes(type)) * 8;
    if (type == Type::pred) {
      value = not_equal(value, 0u);
    } else if (bits < 32 && is_signed(type)) {
      value = apply(Op::sar, {value << Expr(32 - bits), 32 - bits});
    } else if (bits < 32) {
      value = value & Expr((1u << bits) - 1);
    }
    b_.set(target, value);
  }

  void write_load(const Load& load) {
    const Var target = c_.registers[load.target.index];
    const Type type = thread_.registers[load.target.index].type;
    // The load goes straight into the register if it needs no conversion.
    const bool fits = size_in_bytes(load.access.type) >= 4 && size_in_bytes(type) == size_in_bytes(load.access.type);
    if (fits) {
      b_.add(LoadFrom{target, access(load.access)});
      return;
    }
    const Var loaded = b_.var(width_of(load.access.type));
    b_.add(LoadFrom{loaded, access(load.access)});
    set_register(load.target, loaded);
  }

  void write_rmw(const Rmw& rmw) {
    const Width width = width_of(rmw.access.type);
    MemoryAccess where = access(rmw.access);
    // One order for both ends of a compare-and-swap: strong enough for either.
    if (rmw.op == RmwOp::cas && is_acquire(rmw.failure_order) && !is_acquire(where.order)) {
      where.order = is_release(where.order) ? Order::acq_rel : Order::acquire;
    }
    std::optional<Expr> expected;
    if (rmw.expected) expected = b_.let(operand(*rmw.expected, width));
    std::optional<Var> old;
    if (rmw.target || rmw.success) old = b_.var(width);
    b_.add(AtomicOn{rmw.op, old, where, operand(rmw.operand, width), expected});
    if (rmw.success) set_register(*rmw.success, equal(*old, *expected));
    if (rmw.target) set_register(*rmw.target, *old);
  }

  // A register combined with itself or with a constant so that the result is always 0.
  std::optional<RegisterId> vanishing(const Compute& compute) {
    const auto* left = std::get_if<RegisterId>(&compute.left);
    if (left == nullptr || !compute.right) return std::nullopt;
    const bool same = *compute.right == compute.left;
    const bool zero = *compute.right == Operand(integer(0));
    if (same && (compute.op == ComputeOp::xor_ || compute.op == ComputeOp::sub)) return *left;
    if (zero && (compute.op == ComputeOp::and_ || compute.op == ComputeOp::mul)) return *left;
    return std::nullopt;
  }

  void write_compute(const Compute& compute) {
    const Width width = c_.registers[compute.target.index].width;
    if (const std::optional<RegisterId> source = vanishing(compute)) {
      const Expr zero = width == Width::w64 ? widen(c_.zero) : c_.zero;
      return set_register(compute.target, reg(*source, width) & zero);
    }
    if (compute.op >= ComputeOp::eq) return set_register(compute.target, comparison(compute));
    const Expr left = operand(compute.left, width);
    if (compute.op == ComputeOp::mov) return set_register(compute.target, left);
    if (is_unary(compute.op)) {
      return set_register(compute.target, apply(compute.op == ComputeOp::not_ ? Op::not_ : Op::neg, {left}));
    }
    const Expr right = operand(*compute.right, width);
    set_register(compute.target, binary(compute, left, right, width));
  }

  Expr binary(const Compute& compute, const Expr& left, const Expr& right, Width width) {
    switch (compute.op) {
      case ComputeOp::add:
        return left + right;
      case ComputeOp::sub:
        return left - right;
      case ComputeOp::mul:
        return left * right;
      case ComputeOp::and_:
        return left & right;
      case ComputeOp::or_:
        return left | right;
      case ComputeOp::xor_:
        return left ^ right;
      default:
        break;
    }
    const Expr amount = width == Width::w64 ? apply(Op::narrow, {right}) : right;
    if (compute.op == ComputeOp::shl) return left << amount;
    const bool is_signed_shift = is_signed(thread_.registers[compute.target.index].type);
    return apply(is_signed_shift ? Op::sar : Op::shr, {left, amount});
  }

  // Comparisons are signed and at the width of the wider side.
  Expr compare(CompareOp op, const Operand& left, const Operand& right) {
    const Width width = wider(left) || wider(right) ? Width::w64 : Width::w32;
    Expr a = operand(left, width);
    Expr b = operand(right, width);
    switch (op) {
      case CompareOp::eq:
        return equal(a, b);
      case CompareOp::ne:
        return not_equal(a, b);
      case CompareOp::lt:
        return apply(Op::lt_signed, {a, b});
      case CompareOp::le:
        return apply(Op::le_signed, {a, b});
      case CompareOp::gt:
        return apply(Op::lt_signed, {b, a});
      case CompareOp::ge:
        return apply(Op::le_signed, {b, a});
    }
    return equal(a, b);
  }

  Expr comparison(const Compute& compute) { return compare(as_compare(compute.op), compute.left, *compute.right); }

  void write_select(const Select& select_) {
    const Width width = c_.registers[select_.target.index].width;
    const Comparison& condition = select_.condition;
    set_register(select_.target, select(compare(condition.op, condition.left, condition.right),
                                        operand(select_.yes, width), operand(select_.no, width)));
  }

  bool wider(const Operand& operand) {
    if (const auto* id = std::get_if<RegisterId>(&operand)) return c_.registers[id->index].width == Width::w64;
    return std::get<Value>(operand).base.has_value();
  }

  void write_branch(std::size_t position, const Branch& branch) {
    const std::size_t label = position_of_label(thread_.instructions, branch.label);
    const bool backward = label <= position;
    const Open* target = nullptr;
    for (const Open& open : open_) {
      if (regions_[open.region].label == label && regions_[open.region].loop == backward) target = &open;
    }
    WEAKSPOT_CHECK(target != nullptr);
    auto jump = [&] {
      if (!backward) return b_.add(Break{target->label});
      b_.set(target->rounds, Expr(target->rounds) + 1u);
      b_.if_(less(c_.loop_bound - 1, target->rounds), [&] {
        b_.set(c_.unfinished, 1u);
        b_.add(Break{end_});
      });
      b_.add(Continue{target->label});
    };
    if (!branch.condition) return jump();
    b_.if_(compare(branch.condition->op, branch.condition->left, branch.condition->right), jump);
  }

  KernelBuilder& b_;
  const Thread& thread_;
  const Arch arch_;
  const RoleContext& c_;
  const std::vector<Region>& regions_;
  std::vector<Open> open_;
  std::uint32_t end_ = 0;
  bool began_ = false;  // an access was written
};

}  // namespace

Width width_of(Type type) { return size_in_bytes(type) == 8 ? Width::w64 : Width::w32; }

std::vector<std::uint32_t> used_locations(const Thread& thread) {
  std::vector<std::uint32_t> used;
  auto use = [&](const std::optional<LocationId>& id) {
    if (id && std::find(used.begin(), used.end(), id->index) == used.end()) used.push_back(id->index);
  };
  for (const Instruction& instruction : thread.instructions) {
    for_each_location(instruction, [&](const LocationId& id) { use(id); });
    for_each_operand(instruction, [&](const Operand& operand) {
      if (const auto* value = std::get_if<Value>(&operand)) use(value->base);
    });
  }
  for (const Register& reg : thread.registers) use(reg.initial.base);
  return used;
}

std::vector<std::uint32_t> read_locations(const Thread& thread) {
  std::vector<std::uint32_t> read;
  for (const Instruction& instruction : thread.instructions) {
    const Access* access = access_of(instruction);
    if (access == nullptr || !access->address.location) continue;
    if (std::holds_alternative<litmus::Store>(instruction.operation)) continue;
    const std::uint32_t index = access->address.location->index;
    if (std::find(read.begin(), read.end(), index) == read.end()) read.push_back(index);
  }
  return read;
}

std::vector<Var> make_registers(KernelBuilder& builder, const Thread& thread) {
  std::vector<Var> registers;
  for (const Register& reg : thread.registers) registers.push_back(builder.var(width_of(reg.type)));
  return registers;
}

void write_role(KernelBuilder& builder, const LitmusTest& test, const RoleContext& context,
                const std::vector<Region>& regions) {
  RoleWriter(builder, test, context, regions).run();
}

std::vector<Segment> segments_between_barriers(const Thread& thread) {
  std::vector<Segment> segments(1);
  for (std::size_t i = 0; i < thread.instructions.size(); ++i) {
    segments.back().end = i;
    if (std::holds_alternative<Barrier>(thread.instructions[i].operation)) segments.push_back({i + 1, i + 1});
  }
  segments.back().end = thread.instructions.size();
  return segments;
}

void write_role_segment(KernelBuilder& builder, const LitmusTest& test, const RoleContext& context,
                        const std::vector<Region>& regions, Segment segment) {
  RoleWriter(builder, test, context, regions).run(segment);
}

bool has_loops(const std::vector<Region>& regions) {
  return std::any_of(regions.begin(), regions.end(), [](const Region& region) { return region.loop; });
}

}  // namespace weakspot::codegen
