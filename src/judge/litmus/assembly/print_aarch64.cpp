// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "litmus/assembly/aarch64.h"
#include "litmus/assembly/assembly.h"
#include "litmus/assembly/assembly_printer.h"
#include "litmus/text/printers.h"

namespace weakspot::litmus {
namespace {

using namespace aarch64;

constexpr std::string_view kDialect = "AArch64";

const std::vector<std::string>& all_registers() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> made;
    for (int i = 0; i < kRegisters; ++i) made.push_back(aarch64::spell(i, 64));
    return made;
  }();
  return names;
}

class Aarch64Printer : public AssemblyPrinter {
 public:
  explicit Aarch64Printer(const LitmusTest& test) : AssemblyPrinter(test, all_registers()) {}

 protected:
  std::string spell(const std::string& name, int bits) const override {
    return aarch64::spell(number_of(name).value_or(0), bits);
  }

  void cells(const Instruction& instruction) override {
    const Access* access = access_of(instruction);
    const Access* next = next_ != nullptr ? access_of(*next_) : nullptr;
    if (access != nullptr && access->tags.has(Tag::vector)) return;  // written with the element before it
    if (next != nullptr && next->tags.has(Tag::vector)) return write_pair(instruction, *next_);
    std::visit([this](const auto& operation) { write(operation); }, instruction.operation);
  }

 private:
  using AssemblyPrinter::write;

  // A register that holds the operand.
  std::string in_register(const Operand& operand, int bits) override {
    if (const auto* id = std::get_if<RegisterId>(&operand)) return name(*id, bits);
    const Value& value = std::get<Value>(operand);
    if (value == Value{}) return aarch64::spell(kRegisters, bits);
    return constant(value, bits);
  }

  std::string operand(const Operand& operand, int bits) override {
    const auto* value = std::get_if<Value>(&operand);
    if (value != nullptr && !value->base) return fmt::format("#{}", value->number);
    const auto* id = std::get_if<RegisterId>(&operand);
    if (id != nullptr && bits == 64 && this->bits(*id) == 32) return name(*id, 32) + ",SXTW";
    return in_register(operand, bits);
  }

  // ---- accesses ----

  static std::string_view size_suffix(Type type) {
    switch (size_in_bytes(type)) {
      case 1:
        return "B";
      case 2:
        return "H";
      default:
        return "";
    }
  }

  // `folded`: the instruction has no room for an offset.
  std::string address(const Address& address, bool folded) {
    if (!address.location) {
      const std::string base = name(*address.index, 64);
      return address.offset == 0 ? fmt::format("[{}]", base) : fmt::format("[{},#{}]", base, address.offset);
    }
    Value base = address_of(*address.location);
    if (address.index || folded) base.number = address.offset;
    const std::string from = constant(base, 64);
    if (address.index) {
      const int index_bits = bits(*address.index);
      return fmt::format("[{},{}{}]", from, name(*address.index, index_bits), index_bits == 32 ? ",SXTW" : "");
    }
    return folded || address.offset == 0 ? fmt::format("[{}]", from) : fmt::format("[{},#{}]", from, address.offset);
  }

  // The form of an access with an order that takes an offset.
  static bool has_offset(const Access& access) { return !access.address.location && access.address.offset != 0; }

  void write(const Load& load) {
    const Access& access = load.access;
    const AccessWord word{access.order, access.tags.has(Tag::exclusive)};
    const bool sign = is_signed(access.type) &&
                      (size_in_bytes(access.type) < 4 || (access.type == Type::s32 && bits(load.target) == 64));
    std::string mnemonic(base::name_of(kLoads, word));
    if (word.order == Order::acquire_pc && has_offset(access)) mnemonic = "LDAPUR";
    mnemonic += sign ? "S" : "";
    mnemonic += sign && access.type == Type::s32 ? "W" : size_suffix(access.type);
    const int width = access.type == Type::s64 || sign ? bits(load.target) : 32;
    cell("{} {},{}", mnemonic, name(load.target, width), address(access.address, word != AccessWord{}));
  }

  void write(const Store& store) {
    const Access& access = store.access;
    const AccessWord word{access.order, access.tags.has(Tag::exclusive)};
    std::string mnemonic(base::name_of(kStores, word));
    if (word == AccessWord{Order::release, false} && has_offset(access)) mnemonic = "STLUR";
    const std::string status = store.status ? name(*store.status, 32) + "," : "";
    const std::string value = in_register(store.value, access.type == Type::s64 ? 64 : 32);
    const std::string at = address(access.address, word != AccessWord{});
    cell("{}{} {}{},{}", mnemonic, size_suffix(access.type), status, value, at);
  }

  void write_pair(const Instruction& one, const Instruction& other) {
    const Access& access = *access_of(one);
    const bool wide = size_in_bytes(access.type) == 8;
    if (const auto* load = std::get_if<Load>(&one.operation)) {
      const bool sign = access.type == Type::s32 && bits(load->target) == 64;
      const int width = wide || sign ? 64 : 32;
      const std::string first = name(load->target, width);
      const std::string second = name(std::get<Load>(other.operation).target, width);
      cell("{} {},{},{}", sign ? "LDPSW" : "LDP", first, second, address(access.address, false));
      return;
    }
    const std::string first = in_register(std::get<Store>(one.operation).value, wide ? 64 : 32);
    const std::string second = in_register(std::get<Store>(other.operation).value, wide ? 64 : 32);
    cell("STP {},{},{}", first, second, address(access.address, false));
  }

  void write(const Rmw& rmw) {
    const Access& access = rmw.access;
    const std::string suffix = fmt::format("{}{}", base::name_of(kRmwOrders, access.order), size_suffix(access.type));
    const int width = size_in_bytes(access.type) == 8 ? 64 : 32;
    const std::string target = rmw.target ? name(*rmw.target, width) : aarch64::spell(kRegisters, width);
    const std::string at = address(access.address, true);
    if (rmw.op == RmwOp::cas) {
      cell("CAS{} {},{},{}", suffix, target, in_register(rmw.operand, width), at);
      return;
    }
    Operand operand = rmw.operand;
    if (rmw.op == RmwOp::and_) operand = integer(wrap(~std::get<Value>(operand).number, access.type));
    const std::string source = in_register(operand, width);
    if (rmw.op == RmwOp::exch) {
      cell("SWP{} {},{},{}", suffix, source, target, at);
      return;
    }
    const bool extreme = rmw.op == RmwOp::min || rmw.op == RmwOp::max;
    cell("LD{}{} {},{},{}", base::name_of(kAtomicOps, AtomicOp{rmw.op, extreme && !is_signed(access.type)}), suffix,
         source, target, at);
  }

  // ---- the rest ----

  void write(const Fence& fence) {
    if (fence.kind == FenceKind::isb) {
      cell("ISB");
      return;
    }
    cell("{} {}", fence.kind == FenceKind::dmb ? "DMB" : "DSB",
         base::name_of(kDomains, Domain{fence.shareability, fence.accesses}));
  }

  void write(const Compute& compute) {
    const int width = computing_bits(registers(), compute);
    const std::string target = name(compute.target, width);
    if (compute.op == ComputeOp::mov) {
      move(compute, target, width);
      return;
    }
    static constexpr base::Named<ComputeOp> kNames[] = {
        {"MVN", ComputeOp::not_}, {"NEG", ComputeOp::neg},  {"ADD", ComputeOp::add}, {"SUB", ComputeOp::sub},
        {"MUL", ComputeOp::mul},  {"AND", ComputeOp::and_}, {"ORR", ComputeOp::or_}, {"EOR", ComputeOp::xor_},
        {"LSL", ComputeOp::shl},  {"ASR", ComputeOp::shr},
    };
    std::string line =
        fmt::format("{} {},{}", base::name_of(kNames, compute.op), target, in_register(compute.left, width));
    if (compute.right) {
      line += ",";
      // MUL has no immediate form; the false dependency of a register on itself keeps the register.
      const bool plain =
          compute.op == ComputeOp::mul || (compute.op == ComputeOp::xor_ && compute.left == *compute.right);
      line += plain ? in_register(*compute.right, width) : operand(*compute.right, width);
    }
    cell("{}", line);
  }

  void move(const Compute& compute, const std::string& target, int width) {
    const auto* source = std::get_if<RegisterId>(&compute.left);
    if (source != nullptr && width == 64 && bits(*source) == 32) {
      cell("SXTW {},{}", target, name(*source, 32));
    } else {
      cell("MOV {},{}", target, operand(compute.left, width));
    }
  }

  // A number on the left is in a register of its own: CMP takes WZR for the stack pointer where an immediate follows.
  void compare(const Operand& left, const Operand& right) {
    const int width = comparison_bits(registers(), left, right);
    const auto* number = std::get_if<Value>(&left);
    const std::string first = number != nullptr ? constant(*number, width) : in_register(left, width);
    cell("CMP {},{}", first, operand(right, width));
  }

  void write(const Select& select) {
    const int width = bits(select.target);
    compare(select.condition.left, select.condition.right);
    const std::string_view condition = base::name_of(kConditions, select.condition.op);
    const std::string target = name(select.target, width);
    if (select.yes == Operand(integer(1)) && select.no == Operand(integer(0))) {
      cell("CSET {},{}", target, condition);
      return;
    }
    const std::string yes = in_register(select.yes, width);
    const std::string no = in_register(select.no, width);
    cell("CSEL {},{},{},{}", target, yes, no, condition);
  }

  void write(const Branch& branch) {
    if (!branch.condition) {
      cell("B {}", branch.label);
      return;
    }
    const Comparison& condition = *branch.condition;
    const bool equality = condition.op == CompareOp::eq || condition.op == CompareOp::ne;
    if (equality && condition.right == Operand(integer(0))) {
      cell("{} {},{}", condition.op == CompareOp::eq ? "CBZ" : "CBNZ",
           in_register(condition.left, comparison_bits(registers(), condition.left, condition.right)), branch.label);
      return;
    }
    compare(condition.left, condition.right);
    cell("B.{} {}", base::name_of(kConditions, condition.op), branch.label);
  }
};

class Aarch64Adapter : public AssemblyAdapter {
 public:
  explicit Aarch64Adapter(const LitmusTest& test) : AssemblyAdapter(test, kDialect, Arch::aarch64) {}

 protected:
  const std::vector<std::string>& register_names() const override { return all_registers(); }
  bool has_pairs() const override { return true; }

  bool is_printable(const LitmusTest& test) const override {
    Aarch64Printer printer(test);
    printer.print("AArch64");
    return printer.complete();
  }

  void rewrite(Load load) override {
    const Access& access = load.access;
    const bool exclusive = access.tags.has(Tag::exclusive);
    if (base::name_of(kLoads, AccessWord{access.order, exclusive}).empty()) {
      lacks("{}load of order '{}'", exclusive ? "exclusive " : "", to_string(access.order));
      return;
    }
    const bool relaxed = access.order == Order::relaxed && !exclusive;
    const bool sign = is_signed(access.type) && size_in_bytes(access.type) < (bits(load.target) == 64 ? 8 : 4);
    if (sign && !relaxed) lacks("sign-extending load that is ordered or exclusive");
    if (!relaxed) simple_address(load.access, access.order == Order::acquire_pc);
    put(load);
  }

  void rewrite(Store store) override {
    const Access& access = store.access;
    const bool exclusive = access.tags.has(Tag::exclusive);
    if (base::name_of(kStores, AccessWord{access.order, exclusive}).empty()) {
      lacks("{}store of order '{}'", exclusive ? "exclusive " : "", to_string(access.order));
      return;
    }
    const bool relaxed = access.order == Order::relaxed && !exclusive;
    if (!relaxed) simple_address(store.access, access.order == Order::release && !exclusive);
    put(store);
  }

  void rewrite(Rmw rmw) override {
    if (rmw.access.order != Order::relaxed && base::name_of(kRmwOrders, rmw.access.order).empty()) {
      lacks("read-modify-write of order '{}'", to_string(rmw.access.order));
    }
    if (rmw.op == RmwOp::and_) {
      auto* constant = std::get_if<Value>(&rmw.operand);
      if (constant == nullptr || constant->base) {
        refuse("AArch64 takes the complement of the operand of an atomic 'and', which must be a constant");
      } else {
        constant->number = wrap(constant->number, rmw.access.type);
      }
    }
    simple_address(rmw.access, false);
    if (rmw.op == RmwOp::sub) add_negated(rmw);
    if (rmw.op == RmwOp::cas) {
      compare_and_swap(rmw);
    } else {
      // An atomic operation whose target is the zero register does not acquire.
      if (!rmw.target && is_acquire(rmw.access.order))
        rmw.target = fresh(type_of_size(std::max(4, size_in_bytes(rmw.access.type))));
      put(rmw);
    }
  }

  void rewrite(const Fence& fence) override {
    if (fence.kind != FenceKind::dmb && fence.kind != FenceKind::dsb && fence.kind != FenceKind::isb) {
      lacks("fences other than dmb, dsb and isb");
    }
    put(fence);
  }

  void rewrite(Compute compute) override {
    if (is_comparison(compute.op)) {
      truth(as_compare(compute.op), compute.target, compute.left, *compute.right);
      return;
    }
    const bool wide = computing_bits(registers(), compute) == 64;
    if (wide && compute.right) {
      widen(compute.left);
      // ADD and SUB extend their last operand.
      if (compute.op != ComputeOp::add && compute.op != ComputeOp::sub) widen(*compute.right);
    } else if (wide && compute.op != ComputeOp::mov) {
      widen(compute.left);
    }
    put(compute);
  }

  void rewrite(Select select) override { put(select); }

 private:
  // 1 if the comparison holds, else 0.
  void truth(CompareOp op, RegisterId target, const Operand& left, const Operand& right) {
    put(Select{target, Comparison{op, left, right}, integer(1), integer(0)});
  }

  // Instructions with an order take a register alone as address, some with an offset.
  void simple_address(Access& access, bool takes_offset) {
    Address& address = access.address;
    if (!address.index || (!address.location && (address.offset == 0 || takes_offset))) return;
    const RegisterId whole = fresh(Type::s64);
    if (address.location) {
      put(Compute{ComputeOp::add, whole, Value{address.offset, address.location}, Operand(*address.index)});
    } else {
      put(Compute{ComputeOp::add, whole, *address.index, Operand(integer(address.offset))});
    }
    address = Address{std::nullopt, whole, 0};
  }

  void add_negated(Rmw& rmw) {
    rmw.op = RmwOp::add;
    if (auto* value = std::get_if<Value>(&rmw.operand); value != nullptr && !value->base) {
      value->number = wrap(static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(value->number)),
                           type_of_size(size_in_bytes(rmw.access.type)));
      return;
    }
    const RegisterId negated = fresh(size_in_bytes(rmw.access.type) == 8 ? Type::s64 : Type::s32);
    put(Compute{ComputeOp::neg, negated, rmw.operand, std::nullopt});
    rmw.operand = negated;
  }

  // CAS takes the expected value from the register that receives the old one.
  void compare_and_swap(Rmw rmw) {
    const Operand expected = *rmw.expected;
    const std::optional<RegisterId> success = std::exchange(rmw.success, std::nullopt);
    const bool in_place = rmw.target && expected == Operand(*rmw.target);
    const bool against_zero = !rmw.target && expected == Operand(integer(0));
    if (success && in_place) refuse("a compare-and-swap that reports success overwrites the value it expects");
    if (!in_place && !(against_zero && !success)) {
      if (!rmw.target) rmw.target = fresh(size_in_bytes(rmw.access.type) == 8 ? Type::s64 : Type::s32);
      keep_apart(rmw.operand, *rmw.target);
      keep_apart(rmw.access.address, *rmw.target);
      move(*rmw.target, expected);
      rmw.expected = *rmw.target;
    }
    put(rmw);
    if (!success) return;
    Operand old = *rmw.target;
    Operand wanted = expected;
    settle_comparison(old, wanted);
    truth(CompareOp::eq, *success, old, wanted);
  }
};

}  // namespace

base::Result<LitmusTest> adapt_aarch64(const LitmusTest& test) { return Aarch64Adapter(test).adapt(); }

std::string print_aarch64(const LitmusTest& test) { return Aarch64Printer(test).print("AArch64"); }

}  // namespace weakspot::litmus
