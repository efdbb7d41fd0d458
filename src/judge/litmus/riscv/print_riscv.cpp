// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "litmus/assembly/assembly_printer.h"
#include "litmus/instruction.h"
#include "litmus/riscv/riscv.h"
#include "litmus/text/printers.h"
#include "litmus/text/readers.h"

namespace weakspot::litmus {
namespace {

constexpr std::string_view kRiscv = "RISC-V";

const std::vector<std::string>& riscv_registers() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> made;
    for (int i = 5; i < riscv::kRegisters; ++i) made.push_back(riscv::register_name(i));
    for (int i = 1; i < 5; ++i) made.push_back(riscv::register_name(i));
    return made;
  }();
  return names;
}

class RiscvPrinter : public AssemblyPrinter {
 public:
  explicit RiscvPrinter(const LitmusTest& test) : AssemblyPrinter(test, riscv_registers()) {}

 protected:
  std::string spell(const std::string& name, int) const override { return name; }

  void cells(const Instruction& instruction) override {
    std::visit([this](const auto& operation) { write(operation); }, instruction.operation);
  }

  std::string in_register(const Operand& operand, int) override {
    if (const auto* id = std::get_if<RegisterId>(&operand)) return name(*id, 64);
    const Value& value = std::get<Value>(operand);
    return value == Value{} ? "x0" : constant(value, 64);
  }

  std::string operand(const Operand& operand, int bits) override { return in_register(operand, bits); }

 private:
  using AssemblyPrinter::write;

  static std::string_view order(Order order) { return base::name_of(riscv::kOrders, order); }

  // The sum of a location and a register has no form of its own here; the reader makes it only from an `add`.
  std::string address(const Address& address, bool takes_offset) {
    if (!address.location) return fmt::format("{}({})", address.offset, name(*address.index, 64));
    Value base = address_of(*address.location);
    if (!takes_offset) base.number = address.offset;
    return fmt::format("{}({})", takes_offset ? address.offset : 0, constant(base, 64));
  }

  void write(const Load& load) {
    const Access& access = load.access;
    const std::string to = name(load.target, 64);
    if (access.tags.has(Tag::exclusive)) {
      cell("lr.{}{} {},{}", size(access.type), order(access.order), to, address(access.address, false));
      return;
    }
    cell("{}{} {},{}", base::name_of(riscv::kAccesses, riscv::AccessWord{access.type, false}), order(access.order), to,
         address(access.address, true));
  }

  void write(const Store& store) {
    const Access& access = store.access;
    const std::string value = in_register(store.value, 64);
    if (store.status) {
      const std::string status = name(*store.status, 64);
      cell("sc.{}{} {},{},{}", size(access.type), order(access.order), status, value, address(access.address, false));
      return;
    }
    cell("{}{} {},{}", base::name_of(riscv::kAccesses, riscv::AccessWord{access.type, true}), order(access.order),
         value, address(access.address, true));
  }

  void write(const Rmw& rmw) {
    const bool extreme = rmw.op == RmwOp::min || rmw.op == RmwOp::max;
    const riscv::AtomicOp op{rmw.op, extreme && !is_signed(rmw.access.type)};
    const std::string value = in_register(rmw.operand, 64);
    cell("{}.{}{} {},{},{}", base::name_of(riscv::kAtomicOps, op), size(rmw.access.type), order(rmw.access.order),
         rmw.target ? name(*rmw.target, 64) : "x0", value, address(rmw.access.address, false));
  }

  static char size(Type type) { return size_in_bytes(type) == 8 ? 'd' : 'w'; }

  void write(const Fence& fence) {
    if (fence.name == FenceName::riscv_tso || fence.name == FenceName::riscv_i) {
      cell("fence.{}", fence.name == FenceName::riscv_tso ? "tso" : "i");
    } else {
      cell("fence {}", base::name_of(riscv::kFences, fence.name));
    }
  }

  void write(const Compute& compute) {
    const std::string to = name(compute.target, 64);
    const auto* number = std::get_if<Value>(compute.right ? &*compute.right : &compute.left);
    if (compute.op == ComputeOp::mov && number != nullptr) {
      if (number->base) {
        cell("la {},{}", to, test_[*number->base].name);
      } else {
        cell("li {},{}", to, number->number);
      }
      return;
    }
    static constexpr base::Named<ComputeOp> kUnary[] = {
        {"mv", ComputeOp::mov}, {"not", ComputeOp::not_}, {"neg", ComputeOp::neg}};
    const std::string left = in_register(compute.left, 64);
    if (!compute.right) {
      cell("{} {},{}", base::name_of(kUnary, compute.op), to, left);
      return;
    }
    const std::string_view word = base::name_of(riscv::kComputations, compute.op);
    const bool immediate = number != nullptr && !number->base && compute.op != ComputeOp::sub &&
                           compute.op != ComputeOp::mul && std::holds_alternative<RegisterId>(compute.left);
    if (immediate) {
      const bool right_shift = compute.op == ComputeOp::shr;
      cell("{} {},{},{}", right_shift ? "srai" : fmt::format("{}i", word), to, left, number->number);
    } else {
      cell("{} {},{},{}", word, to, left, in_register(*compute.right, 64));
    }
  }

  void write(const Branch& branch) {
    if (!branch.condition) {
      cell("j {}", branch.label);
      return;
    }
    const std::string left = in_register(branch.condition->left, 64);
    const std::string right = in_register(branch.condition->right, 64);
    cell("{} {},{},{}", base::name_of(riscv::kBranches, branch.condition->op), left, right, branch.label);
  }

  void write(const Select&) { cell("select"); }  // read back as a mistake: see adapt_riscv()
};

}  // namespace

// Accepts only tests that were written for RISC-V, which does not have the fences and orders of other machines. A test
// that was written in the canonical form may hold more than RISC-V has; reading the printed text again shows that.
base::Result<LitmusTest> adapt_riscv(const LitmusTest& test) {
  if (test.arch != Arch::riscv) {
    return cannot_express(test, kRiscv, "it was not written for RISC-V, and no other dialect is translated to it");
  }
  const base::Source source(test.name, print_riscv(test));
  Mistakes mistakes(source);
  Cursor cursor(mistakes, {0, static_cast<std::uint32_t>(source.text().size())});
  cursor.next();
  const std::optional<LitmusTest> again = read_riscv(cursor);
  if (again != test) return cannot_express(test, kRiscv, "it has parts that RISC-V does not have");
  return test;
}

std::string print_riscv(const LitmusTest& test) {
  RiscvPrinter printer(test);
  return printer.print("RISCV");
}

}  // namespace weakspot::litmus
