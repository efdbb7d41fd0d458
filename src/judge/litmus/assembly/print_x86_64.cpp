// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "litmus/assembly/assembly.h"
#include "litmus/assembly/assembly_printer.h"
#include "litmus/assembly/x86_64.h"
#include "litmus/text/printers.h"

namespace weakspot::litmus {
namespace {

using namespace x86_64;

constexpr std::string_view kDialect = "x86-64";

Type register_type(int bytes) { return bytes == 8 ? Type::s64 : Type::s32; }

// Writes `movl $1,(x)`, target last, as herd7 reads X86_64, or `MOV [x],$1`, target first, as most people read it.
class Printer : public AssemblyPrinter {
 public:
  Printer(const LitmusTest& test, bool target_last)
      : AssemblyPrinter(test, general_registers()), target_last_(target_last) {}

 protected:
  std::string spell(const std::string& name, int bits) const override {
    const std::string spelled = x86_64::spell(name, bits);
    return target_last_ ? "%" + lower(spelled) : spelled;
  }

  void cells(const Instruction& instruction) override {
    std::visit([this](const auto& operation) { write(operation); }, instruction.operation);
  }

 private:
  using AssemblyPrinter::write;

  static std::string lower(std::string_view text) {
    std::string result(text);
    for (char& c : result) {
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return result;
  }

  // The letter of a size at the end of a mnemonic.
  static char letter(int bits) { return bits == 8 ? 'b' : bits == 16 ? 'w' : bits == 32 ? 'l' : 'q'; }

  void one(std::string_view mnemonic, const std::string& operand = {}) {
    const std::string word = target_last_ ? lower(mnemonic) : std::string(mnemonic);
    operand.empty() ? cell("{}", word) : cell("{} {}", word, operand);
  }
  void two(std::string_view mnemonic, const std::string& target, const std::string& source) {
    one(mnemonic, target_last_ ? fmt::format("{},{}", source, target) : fmt::format("{},{}", target, source));
  }
  // With the size as a letter where the target comes last; herd7 knows AND and SHL without it only.
  void two(std::string_view mnemonic, int bits, const std::string& target, const std::string& source) {
    const bool bare = !target_last_ || mnemonic == "AND" || mnemonic == "SHL";
    two(bare ? std::string(mnemonic) : fmt::format("{}{}", mnemonic, letter(bits)), target, source);
  }

  // ---- operands ----

  // An immediate where there is one: addresses have 64 bits, and are immediates only where the target comes first.
  std::string operand(const Operand& operand, int bits) override {
    if (!is_immediate(operand, bits)) return in_register(operand, bits);
    const std::string text = value_text(test_, std::get<Value>(operand));
    return "$" + (text[0] == '&' ? text.substr(1) : text);
  }

  bool is_immediate(const Operand& operand, int bits) const {
    const auto* value = std::get_if<Value>(&operand);
    return value != nullptr && (!value->base || (bits == 64 && !target_last_));
  }

  std::string in_register(const Operand& operand, int bits) override {
    if (const auto* id = std::get_if<RegisterId>(&operand)) return name(*id, bits);
    return constant(std::get<Value>(operand), bits);
  }

  std::string memory(const Address& address) { return target_last_ ? parentheses(address) : brackets(address); }

  std::string brackets(const Address& address) {
    std::string text = address.location ? test_[*address.location].name : name(*address.index, 64);
    if (address.location && address.index) text += "+" + name(*address.index, bits(*address.index));
    if (address.offset < 0) {
      text += fmt::format("-{}", 0 - static_cast<std::uint64_t>(address.offset));
    } else if (address.offset > 0) {
      text += fmt::format("+{}", address.offset);
    }
    return fmt::format("[{}]", text);
  }

  // (x), 4(%rax), 4(%rcx,%rax,1) with the location in a register.
  std::string parentheses(const Address& address) {
    const std::string offset = address.offset == 0 ? "" : std::to_string(address.offset);
    if (!address.location) return fmt::format("{}({})", offset, name(*address.index, 64));
    if (!address.index && address.offset == 0) return fmt::format("({})", test_[*address.location].name);
    const std::string base = constant(address_of(*address.location), 64);
    if (!address.index) return fmt::format("{}({})", offset, base);
    return fmt::format("{}({},{},1)", offset, base, name(*address.index, bits(*address.index)));
  }

  // ---- instructions ----

  void write(const Load& load) {
    const Access& access = load.access;
    const int size = size_in_bytes(access.type) * 8;
    const int target = bits(load.target);
    if (size >= 32 && !(access.type == Type::s32 && target == 64)) {
      const std::string to = name(load.target, size);
      return two("MOV", size, to, memory(access.address));
    }
    // A zero-extending load clears the upper half as well.
    const bool sign = is_signed(access.type);
    const int width = sign ? target : 32;
    const std::string to = name(load.target, width);
    const std::string from = memory(access.address);
    if (target_last_) return two(fmt::format("MOV{}{}{}", sign ? 'S' : 'Z', letter(size), letter(width)), to, from);
    if (size == 32) return two("MOVSXD", to, from);
    two(sign ? "MOVSX" : "MOVZX", to, fmt::format("{} PTR {}", base::name_of(kSizes, size), from));
  }

  void write(const Store& store) { to_memory("MOV", store.access, store.value); }

  void to_memory(std::string_view mnemonic, const Access& access, const Operand& value) {
    const int size = size_in_bytes(access.type) * 8;
    const std::string to = memory(access.address);
    const bool sized = is_immediate(value, size) && size != 32 && !target_last_;
    two(mnemonic, size, sized ? fmt::format("{} PTR {}", base::name_of(kSizes, size), to) : to, operand(value, size));
  }

  void write(const Rmw& rmw) {
    const int size = size_in_bytes(rmw.access.type) * 8;
    if (rmw.op == RmwOp::cas) {
      const std::string at = memory(rmw.access.address);
      // herd7 has the memory first here.
      const std::string word = target_last_ ? fmt::format("LOCK CMPXCHG{}", letter(size)) : "LOCK CMPXCHG";
      one(word, fmt::format("{},{}", at, in_register(rmw.operand, size)));
      // The target has no other mention that would tell its width.
      name(*rmw.target, size);
      if (rmw.success) set("E", *rmw.success);
    } else if (rmw.op == RmwOp::exch || rmw.target) {
      const std::string at = memory(rmw.access.address);
      two(rmw.op == RmwOp::exch ? "XCHG" : "LOCK XADD", size, at, name(*rmw.target, size));
    } else {
      to_memory(fmt::format("LOCK {}", base::name_of(kLocked, rmw.op)), rmw.access, rmw.operand);
    }
  }

  void write(const Fence& fence) { one(base::name_of(kFences, fence.kind)); }

  void write(const Compute& compute) {
    if (is_comparison(compute.op)) {
      const CompareOp op = as_compare(compute.op);
      compare(compute.left, *compute.right);
      set(base::name_of(kConditions, op), compute.target);
      return;
    }
    const int width = computing_bits(registers(), compute);
    const std::string target = name(compute.target, width);
    if (compute.op == ComputeOp::mov) {
      const auto* source = std::get_if<RegisterId>(&compute.left);
      const bool extends = source != nullptr && width == 64 && bits(*source) == 32;
      const std::string from = operand(compute.left, extends ? 32 : width);
      if (extends) return two(target_last_ ? "MOVSLQ" : "MOVSXD", target, from);
      two("MOV", width, target, from);
    } else if (!compute.right) {
      one(compute.op == ComputeOp::neg ? "NEG" : "NOT", target);
    } else {
      two(base::name_of(kArithmetic, compute.op), width, target, operand(*compute.right, width));
    }
  }

  void compare(const Operand& left, const Operand& right) {
    const int width = comparison_bits(registers(), left, right);
    const std::string first = in_register(left, width);
    two("CMP", width, first, operand(right, width));
  }

  // Puts a flag into a register: first into its lowest byte, which is then extended.
  void set(std::string_view condition, RegisterId target) {
    const std::string byte = spell(reg(target).name, 8);
    one(fmt::format("SET{}", condition), byte);
    two("MOVZX", name(target, bits(target)), byte);
  }

  void write(const Select& select) {
    const int width = bits(select.target);
    compare(select.condition.left, select.condition.right);
    const std::string target = name(select.target, width);
    two(fmt::format("CMOV{}", base::name_of(kConditions, select.condition.op)), target, in_register(select.yes, width));
  }

  void write(const Branch& branch) {
    if (!branch.condition) return one("JMP", branch.label);
    compare(branch.condition->left, branch.condition->right);
    const CompareOp op = branch.condition->op;
    // herd7's names for JL and JG.
    const bool strict = op == CompareOp::lt || op == CompareOp::gt;
    one(fmt::format("J{}{}", base::name_of(kConditions, op), target_last_ && strict ? "T" : ""), branch.label);
  }

  const bool target_last_;
};

class X86Adapter : public AssemblyAdapter {
 public:
  explicit X86Adapter(const LitmusTest& test) : AssemblyAdapter(test, kDialect, Arch::x86_64) {}

 protected:
  const std::vector<std::string>& register_names() const override { return general_registers(); }

  bool is_printable(const LitmusTest& test) const override {
    Printer printer(test, true);
    printer.print("X86_64");
    return printer.complete();
  }

  void begin_thread() override {
    accumulator_.reset();
    const std::vector<Instruction>& code = test_.threads[thread_].instructions;
    in_accumulator_ = std::all_of(code.begin(), code.end(), [&](const Instruction& instruction) {
      const auto* rmw = std::get_if<Rmw>(&instruction.operation);
      return rmw == nullptr || rmw->op != RmwOp::cas || is_in_accumulator(*rmw);
    });
  }

  void rewrite(Load load) override {
    check_location(load.access);
    if (load.access.order != Order::relaxed) {
      lacks("load of order '{}'", to_string(load.access.order));
    }
    if (load.access.tags.has(Tag::exclusive)) lacks("exclusive accesses");
    put(load);
  }

  void rewrite(Store store) override {
    check_location(store.access);
    if (store.access.order != Order::relaxed) {
      lacks("store of order '{}'", to_string(store.access.order));
    }
    if (store.access.tags.has(Tag::exclusive)) lacks("exclusive accesses");
    put(store);
  }

  void rewrite(Rmw rmw) override {
    check_location(rmw.access);
    if (rmw.access.order != Order::seq_cst) {
      refuse("x86-64 read-modify-writes are always sequentially consistent");
    }
    if (size_in_bytes(rmw.access.type) < 4) {
      lacks("read-modify-write of type {}", to_string(rmw.access.type));
    }
    if (rmw.op == RmwOp::cas) {
      compare_and_swap(rmw);
    } else if (rmw.op == RmwOp::exch || (rmw.op == RmwOp::add && rmw.target)) {
      through_register(rmw);
    } else if (rmw.op == RmwOp::sub && rmw.target) {
      negate_operand(rmw);
      through_register(rmw);
    } else if (rmw.target || base::name_of(kLocked, rmw.op).empty()) {
      lacks("atomic '{}'{}", to_string(rmw.op), rmw.target ? " that returns the old value" : "");
    } else {
      put(rmw);
    }
  }

  void rewrite(const Fence& fence) override {
    if (base::name_of(kFences, fence.kind).empty()) lacks("fences other than mfence, sfence and lfence");
    put(fence);
  }

  // Moves the left operand into the target, which x86-64 takes as first operand.
  void rewrite(Compute compute) override {
    if (is_comparison(compute.op) || compute.op == ComputeOp::mov) {
      put(compute);
      return;
    }
    if (computing_bits(registers(), compute) == 64) {
      // The left operand is extended when it is moved into the target.
      if (compute.right) widen(*compute.right);
    }
    const Operand target = compute.target;
    if (compute.left != target && compute.right == target) {
      if (is_commutative(compute.op)) {
        std::swap(compute.left, *compute.right);
        if (computing_bits(registers(), compute) == 64) widen(*compute.right);
      } else {
        keep_apart(*compute.right, compute.target);
      }
    }
    if (compute.left != target) {
      move(compute.target, compute.left);
      // An operation of a register with itself remains one.
      if (std::holds_alternative<RegisterId>(compute.left) && compute.right == compute.left) compute.right = target;
      compute.left = target;
    }
    put(compute);
  }

  // CMOV replaces what its target holds, or leaves it.
  void rewrite(Select select) override {
    const Operand target = select.target;
    if (select.no != target && select.yes == target) {
      select.condition.op = negate(select.condition.op);
      std::swap(select.yes, select.no);
    }
    if (select.no != target) {
      keep_apart(select.condition.left, select.target);
      keep_apart(select.condition.right, select.target);
      move(select.target, select.no);
      select.no = target;
    }
    put(select);
  }

 private:
  // [al] is an address in a register.
  void check_location(const Access& access) {
    if (!access.address.location) return;
    const std::string& location = test_[*access.address.location].name;
    if (register_named(location)) refuse(fmt::format("location '{}' has the name of a register", location));
  }

  static bool is_commutative(ComputeOp op) {
    return op == ComputeOp::add || op == ComputeOp::mul || op == ComputeOp::and_ || op == ComputeOp::or_ ||
           op == ComputeOp::xor_;
  }

  void negate_operand(Rmw& rmw) {
    rmw.op = RmwOp::add;
    auto* value = std::get_if<Value>(&rmw.operand);
    if (value != nullptr && !value->base) {
      value->number = wrap(static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(value->number)),
                           type_of_size(size_in_bytes(rmw.access.type)));
      return;
    }
    const RegisterId negated = fresh(register_type(size_in_bytes(rmw.access.type)));
    move(negated, rmw.operand);
    put(Compute{ComputeOp::neg, negated, negated, std::nullopt});
    rmw.operand = negated;
  }

  // XCHG and XADD leave the old value in the register of their operand.
  void through_register(Rmw rmw) {
    if (!rmw.target) rmw.target = fresh(register_type(size_in_bytes(rmw.access.type)));
    if (rmw.operand != Operand(*rmw.target)) {
      keep_apart(rmw.access.address, *rmw.target);
      move(*rmw.target, rmw.operand);
      rmw.operand = *rmw.target;
    }
    put(rmw);
  }

  // CMPXCHG expects and returns in RAX.
  bool is_in_accumulator(const Rmw& cas) {
    return cas.target && cas.expected == Operand(*cas.target) && reg(*cas.target).name == "RAX" &&
           cas.success != cas.target;
  }

  void compare_and_swap(Rmw rmw) {
    if (in_accumulator_) {
      put(rmw);
      return;
    }
    const std::optional<RegisterId> target = rmw.target;
    const RegisterId accumulator =
        take_accumulator(target ? reg(*target).type : register_type(size_in_bytes(rmw.access.type)));
    move(accumulator, *rmw.expected);
    rmw.expected = accumulator;
    rmw.target = accumulator;
    put(rmw);
    if (target && target != rmw.success) move(*target, accumulator);
  }

  // RAX, for all compare-and-swaps of the thread; a register with that name gets another.
  RegisterId take_accumulator(Type type) {
    if (!accumulator_) {
      for (Register& other : registers()) {
        if (other.name == "RAX") other.name.clear();
      }
      accumulator_ = fresh(type);
      reg(*accumulator_).name = "RAX";
    }
    if (reg(*accumulator_).type != type) refuse("the compare-and-swaps of a thread share RAX, but have 32 and 64 bits");
    return *accumulator_;
  }

  std::optional<RegisterId> accumulator_;
  bool in_accumulator_ = true;  // all compare-and-swaps of the thread already use RAX
};

}  // namespace

base::Result<LitmusTest> adapt_x86_64(const LitmusTest& test) { return X86Adapter(test).adapt(); }

std::string print_x86_64(const LitmusTest& test, bool target_last) {
  return Printer(test, target_last).print("X86_64");
}

}  // namespace weakspot::litmus
