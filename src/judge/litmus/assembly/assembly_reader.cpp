// SPDX-License-Identifier: MIT
#include "litmus/assembly/assembly_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "litmus/assembly/assembly.h"
#include "litmus/visit.h"

namespace weakspot::litmus {
namespace {

constexpr std::int64_t kLowerHalf = 0xFFFFFFFF;

}  // namespace

// The second pass over one thread: gives registers their types, then rewrites each instruction according to its Form.
class Lowering {
 public:
  Lowering(AssemblyDialect& dialect, TestBuilder& builder, ThreadId thread, Mistakes& mistakes)
      : dialect_(dialect), builder_(builder), thread_(thread), state_(dialect.state(thread)), mistakes_(mistakes) {}

  void run() {
    code_ = std::exchange(builder_.test.threads[thread_.index].instructions, {});
    find_writes();
    settle_types();
    const std::vector<Form> forms = std::exchange(state_.forms, {});
    for (at_ = 0; at_ < code_.size(); ++at_) {
      Instruction instruction = code_[at_];
      const Form form = forms[at_];
      span_ = instruction.span;
      if (Access* access = access_of(instruction)) address(access->address, form);
      std::visit([&](auto& operation) { lower(operation, form); }, instruction.operation);
    }
  }

 private:
  std::vector<Register>& registers() { return builder_.test.threads[thread_.index].registers; }
  const Register& reg(RegisterId id) { return registers()[id.index]; }
  bool is_wide(RegisterId id) { return size_in_bytes(reg(id).type) == 8; }

  // Counts the writes of each register and finds `straight_`: the instructions before the first branch or label run
  // once, in order.
  void find_writes() {
    writes_.resize(registers().size());
    last_write_.resize(registers().size());
    straight_ = code_.size();
    for (std::size_t i = code_.size(); i-- > 0;) {
      for_each_written(code_[i], [&](RegisterId id) {
        ++writes_[id.index];
        last_write_[id.index] = i;
      });
      const Operation& operation = code_[i].operation;
      if (std::holds_alternative<Branch>(operation) || std::holds_alternative<Label>(operation)) straight_ = i;
    }
  }

  void settle_types() {
    for (std::uint32_t i = 0; i < registers().size(); ++i) {
      Register& one = registers()[i];
      if (size_in_bytes(one.type) == 8) state_.declared_wide.insert(RegisterId{i});
      const bool wide = state_.wide.contains(RegisterId{i}) || size_in_bytes(one.type) == 8 || one.initial.base ||
                        !fits(one.initial.number, Type::s32);
      one.type = wide ? Type::s64 : Type::s32;
    }
  }

  bool never_written(RegisterId id) const { return id.index >= writes_.size() || writes_[id.index] == 0; }

  // The value that the register surely holds at this instruction: its initial value if it is never written, or the
  // constant of its only write, a mov before this instruction and before any branch or label.
  std::optional<Value> known(RegisterId id) {
    if (id.index >= writes_.size()) return std::nullopt;
    if (writes_[id.index] == 0) return reg(id).initial;
    const std::size_t write = last_write_[id.index];
    if (writes_[id.index] != 1 || write >= at_ || write >= straight_) return std::nullopt;
    const auto* compute = std::get_if<Compute>(&code_[write].operation);
    const Value* value =
        compute != nullptr && compute->op == ComputeOp::mov ? std::get_if<Value>(&compute->left) : nullptr;
    if (value == nullptr) return std::nullopt;
    return *value;
  }

  std::optional<std::int64_t> constant(RegisterId id) {
    const std::optional<Value> value = known(id);
    if (!value || value->base) return std::nullopt;
    return value->number;
  }

  void put(Operation operation) { builder_.emit(thread_, std::move(operation), span_); }

  RegisterId compute_temporary(ComputeOp op, Operand left, std::optional<Operand> right, int bits) {
    const RegisterId target = dialect_.temporary(builder_, thread_, bits);
    registers()[target.index].type = bits == 64 ? Type::s64 : Type::s32;
    if (right && dialect_.two_operands()) {
      put(Compute{ComputeOp::mov, target, left, std::nullopt});
      left = target;
    }
    put(Compute{op, target, left, right});
    return target;
  }

  // Replaces an operand by its lower half, as a signed number.
  void narrow(Operand& operand) {
    if (auto* value = std::get_if<Value>(&operand)) {
      if (!value->base) value->number = wrap(value->number, Type::s32);
      return;
    }
    const RegisterId id = std::get<RegisterId>(operand);
    if (never_written(id) && constant(id)) {
      operand = integer(wrap(*constant(id), Type::s32));
    } else if (known(id) && known(id)->base) {
      mistakes_.add(span_, "the lower half of an address is not supported; use the whole register");
    } else if (is_wide(id)) {
      operand = compute_temporary(ComputeOp::mov, operand, std::nullopt, 32);
    }
  }

  // ---- addresses ----

  bool holds_location(RegisterId id) { return never_written(id) && reg(id).initial.base.has_value(); }

  void address(Address& address, const Form& form) {
    if (address.index && form.narrow_index) {
      Operand index = *address.index;
      narrow(index);
      if (const auto* value = std::get_if<Value>(&index)) {
        address.offset = wrapping_sum(address.offset, value->number);
        address.index.reset();
      } else {
        address.index = std::get<RegisterId>(index);
      }
    }
    if (form.base) add_base(address, *form.base);
  }

  void add_base(Address& address, RegisterId base) {
    if (!address.index) {
      address.index = base;
      return;
    }
    if (!address.location && !holds_location(base) && holds_location(*address.index)) std::swap(base, *address.index);
    if (!address.location && holds_location(base)) {
      address.location = reg(base).initial.base;
      address.offset = wrapping_sum(address.offset, reg(base).initial.number);
    } else if (never_written(base) && constant(base) && is_wide(*address.index)) {
      address.offset = wrapping_sum(address.offset, *constant(base));
    } else if (never_written(*address.index) && constant(*address.index)) {
      address.offset = wrapping_sum(address.offset, *constant(*address.index));
      address.index = base;
    } else {
      address.index = compute_temporary(ComputeOp::add, base, Operand(*address.index), 64);
    }
  }

  // ---- instructions ----

  void mask(RegisterId target) { put(Compute{ComputeOp::and_, target, target, Operand(integer(kLowerHalf))}); }

  void lower(Load& load, const Form& form) {
    Type& type = load.access.type;
    const bool wide = is_wide(load.target);
    if (type == Type::s32 && form.bits == 32 && wide) type = Type::u32;
    put(load);
    if (form.bits == 32 && wide && is_signed(type)) mask(load.target);
  }

  // Stores take as much of a register as they need.
  void cut(Operand& operand, Type type) {
    const auto* source = std::get_if<RegisterId>(&operand);
    const std::optional<std::int64_t> value = source != nullptr ? constant(*source) : std::nullopt;
    if (value && !fits(*value, type)) operand = integer(wrap(*value, type));
  }

  void lower(Store& store, const Form&) {
    cut(store.value, store.access.type);
    put(store);
  }

  void lower(Rmw& rmw, const Form& form) {
    if (rmw.access.type == Type::s32 && form.bits == 32 && rmw.target && is_wide(*rmw.target)) {
      if (rmw.op == RmwOp::min || rmw.op == RmwOp::max) {
        mistakes_.add(span_,
                      "a signed minimum or maximum of 32 bits into a register also used with 64 bits is not "
                      "supported");
        return;
      }
      rmw.access.type = Type::u32;
    }
    if (form.complement) {
      const auto* source = std::get_if<RegisterId>(&rmw.operand);
      const std::optional<std::int64_t> value =
          source != nullptr ? constant(*source) : std::get<Value>(rmw.operand).number;
      if (!value) {
        mistakes_.add(span_, "an atomic bit clear is supported only with a constant in its register");
        return;
      }
      rmw.operand = integer(wrap(~*value, rmw.access.type));
    }
    cut(rmw.operand, rmw.access.type);
    if (rmw.expected) cut(*rmw.expected, rmw.access.type);
    put(rmw);
  }

  void lower(Compute& compute, const Form& form) {
    Operand& last = compute.right ? *compute.right : compute.left;
    if (form.narrow_operand) narrow(last);
    const bool narrow_both = form.bits == 32 && (is_comparison(compute.op) || compute.op == ComputeOp::shr);
    if (narrow_both) {
      narrow(compute.left);
      if (compute.right) narrow(*compute.right);
    }
    const bool masked = form.bits == 32 && is_wide(compute.target) && fills_upper_half(compute);
    auto* value = std::get_if<Value>(&compute.left);
    if (masked && compute.op == ComputeOp::mov && value != nullptr && !value->base) {
      value->number &= kLowerHalf;
      put(compute);
    } else if (masked && compute.op != ComputeOp::mov && has_narrow_operand(compute)) {
      const RegisterId result = compute_temporary(compute.op, compute.left, compute.right, 32);
      put(Compute{ComputeOp::mov, compute.target, result, std::nullopt});
      mask(compute.target);
    } else {
      put(compute);
      if (masked) mask(compute.target);
    }
  }

  bool has_narrow_operand(const Compute& compute) {
    auto is_narrow = [&](const Operand& operand) {
      const auto* id = std::get_if<RegisterId>(&operand);
      return id != nullptr && !is_wide(*id);
    };
    return is_narrow(compute.left) || (compute.right && is_narrow(*compute.right));
  }

  void lower(Branch& branch, const Form& form) {
    if (branch.condition && form.bits == 32) {
      narrow(branch.condition->left);
      narrow(branch.condition->right);
    }
    put(branch);
  }

  void lower(Select& select, const Form& form) {
    if (form.comparison_bits == 32) {
      narrow(select.condition.left);
      narrow(select.condition.right);
    }
    const bool cleared = form.bits == 32 && is_wide(select.target);
    bool masked = false;
    for (Operand* choice : {&select.yes, &select.no}) {
      auto* value = std::get_if<Value>(choice);
      if (value == nullptr || value->base) {
        masked = cleared;
      } else if (cleared) {
        value->number &= kLowerHalf;
      }
    }
    put(select);
    if (masked) mask(select.target);
  }

  template <typename Other>
  void lower(Other& other, const Form&) {
    put(other);
  }

  AssemblyDialect& dialect_;
  TestBuilder& builder_;
  ThreadId thread_;
  AssemblyDialect::ThreadState& state_;
  Mistakes& mistakes_;
  std::vector<Instruction> code_;
  std::vector<std::size_t> writes_;
  std::vector<std::size_t> last_write_;  // meaningful for registers that are written once
  std::size_t straight_ = 0;             // the first branch or label
  std::size_t at_ = 0;
  base::Span span_;
};

AssemblyDialect::ThreadState& AssemblyDialect::state(ThreadId thread) {
  if (states_.size() <= thread.index) states_.resize(thread.index + 1);
  return states_[thread.index];
}

void AssemblyDialect::use(ThreadId thread, RegisterId reg, int bits) {
  if (bits == 64) state(thread).wide.insert(reg);
}

RegisterId AssemblyDialect::temporary(TestBuilder& builder, ThreadId thread, int bits) {
  // No word of a text has a '%' in it.
  const RegisterId reg = builder.reg(thread, fmt::format("%{}", state(thread).temporaries++));
  use(thread, reg, bits);
  return reg;
}

void AssemblyDialect::emit(TestBuilder& builder, ThreadId thread, Operation operation, base::Span span, Form form) {
  ThreadState& now = state(thread);
  const Instruction& emitted = builder.emit(thread, std::move(operation), span);
  if (now.forms.empty()) now.forms.reserve(8);
  now.forms.push_back(form);
  if (std::holds_alternative<Label>(emitted.operation)) forget_flags(thread);
  for_each_written(emitted, [&](RegisterId reg) {
    if (now.flags && (now.flags->left == Operand(reg) || now.flags->right == Operand(reg))) {
      now.flags.reset();
      now.flags_overwritten = true;
    }
  });
}

void AssemblyDialect::set_flags(ThreadId thread, Flags flags) {
  state(thread).flags = std::move(flags);
  state(thread).flags_overwritten = false;
}

void AssemblyDialect::forget_flags(ThreadId thread) {
  state(thread).flags.reset();
  state(thread).flags_overwritten = false;
}

std::optional<AssemblyDialect::Question> AssemblyDialect::ask_flags(Cursor& cursor, TestBuilder& builder,
                                                                    ThreadId thread, CompareOp op, const Token& word) {
  const ThreadState& now = state(thread);
  if (!now.flags) {
    cursor.mistake(word.span,
                   now.flags_overwritten
                       ? fmt::format("the compared registers change before {}; keep them until then", describe(word))
                       : fmt::format("expected a comparison before {}, with no label between", describe(word)));
    return std::nullopt;
  }
  const Flags flags = *now.flags;
  if (flags.equality_only && op != CompareOp::eq && op != CompareOp::ne) {
    cursor.mistake(word.span,
                   fmt::format("{} needs an ordering, but the last instruction that set the flags tells only "
                               "whether its result is zero; compare explicitly",
                               describe(word)));
    return std::nullopt;
  }
  if (!flags.success_of) return Question{Comparison{op, flags.left, flags.right}, flags.bits};
  auto& cas = std::get<Rmw>(builder.test.threads[thread.index].instructions[*flags.success_of].operation);
  if (!cas.success) cas.success = temporary(builder, thread, 32);
  return Question{Comparison{negate(op), *cas.success, integer(0)}, 32};
}

void AssemblyDialect::program_done(TestBuilder& builder, Mistakes& mistakes) {
  for (std::uint32_t t = 0; t < builder.test.threads.size(); ++t) Lowering(*this, builder, ThreadId{t}, mistakes).run();
  name_temporaries(builder, mistakes);
  infer_location_types(builder);
}

void AssemblyDialect::condition_done(TestBuilder& builder, Mistakes& mistakes) {
  std::set<ObservedRegister> ints;
  for (const Observable& item : builder.test.observed()) {
    const auto* id = std::get_if<ObservedRegister>(&item);
    if (id == nullptr || size_in_bytes(builder[*id].type) < 8) continue;
    if (state(id->thread).declared_wide.contains(id->reg)) continue;
    if (!ends_as_int(builder.test[id->thread], id->reg)) extend_sign(builder, id->thread, id->reg);
    ints.insert(*id);
  }
  if (ints.empty()) return;
  name_temporaries(builder, mistakes);
  auto type_of = [&](const Observable& item) {
    const auto* id = std::get_if<ObservedRegister>(&item);
    return id != nullptr && ints.contains(*id) ? std::optional(Type::s32) : std::nullopt;
  };
  wrap_numbers(builder.test.condition.proposition, type_of);
  if (builder.test.filter) wrap_numbers(*builder.test.filter, type_of);
}

// Through a register of 32 bits, which leaves addresses as they are.
void AssemblyDialect::extend_sign(TestBuilder& builder, ThreadId thread, RegisterId reg) {
  const RegisterId half = temporary(builder, thread, 32);
  builder.emit(thread, Compute{ComputeOp::mov, half, reg, std::nullopt}, {});
  builder.emit(thread, Compute{ComputeOp::mov, reg, half, std::nullopt}, {});
}

void AssemblyDialect::name_temporaries(TestBuilder& builder, Mistakes& mistakes) {
  for (std::uint32_t t = 0; t < builder.test.threads.size(); ++t) {
    if (state(ThreadId{t}).temporaries == 0) continue;
    std::vector<Register>& registers = builder.test.threads[t].registers;
    std::set<std::string> used;
    for (const Register& reg : registers) used.insert(reg.name);
    const std::vector<std::string> spares = spare_registers();
    auto spare = spares.begin();
    for (Register& reg : registers) {
      if (reg.name[0] != '%') continue;
      spare = std::find_if(spare, spares.end(), [&](const std::string& name) { return !used.contains(name); });
      if (spare == spares.end()) {
        mistakes.add(builder.test.span, fmt::format("thread {} needs more registers than there are", t));
        return;
      }
      reg.name = *spare++;
    }
  }
}

}  // namespace weakspot::litmus
