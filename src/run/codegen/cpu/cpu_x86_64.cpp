// SPDX-License-Identifier: MIT
// x86-64. Tests for other languages are mapped as by C11 compilers: sequentially consistent stores to XCHG, such fences
// to MFENCE, weaker accesses to plain MOV, weaker fences to nothing.
#include <array>

#include "base/check.h"
#include "codegen/cpu/cpu_instructions.h"

namespace weakspot::codegen {
namespace {

using namespace litmus;

constexpr std::uint8_t kRax = 0;
constexpr std::uint8_t kRcx = 1;
constexpr std::uint8_t kCount = 2;  // rdx
constexpr std::uint8_t kFirst = 6;  // rsi, on entry
constexpr std::uint8_t kFrame = 7;  // rdi, on entry
constexpr std::uint8_t kR10 = 10;
constexpr std::uint8_t kR11 = 11;

std::string_view condition_suffix(CompareOp op) {
  switch (op) {
    case CompareOp::eq:
      return "e";
    case CompareOp::ne:
      return "ne";
    case CompareOp::lt:
      return "l";
    case CompareOp::le:
      return "le";
    case CompareOp::gt:
      return "g";
    case CompareOp::ge:
      break;
  }
  return "ge";
}

class X86Writer final : public CpuInstructionWriter {
 public:
  using CpuInstructionWriter::CpuInstructionWriter;

 private:
  static CpuRegister reg(Reg number, int bytes) { return {number, static_cast<std::uint8_t>(bytes)}; }
  static CpuMemory at(Reg base, std::int64_t displacement, int bytes) {
    return {base, CpuMemory::kNoIndex, static_cast<std::int32_t>(displacement), static_cast<std::uint8_t>(bytes)};
  }
  static CpuMemory memory(const Place& place, int bytes) {
    CpuMemory result = at(place.base, place.offset, bytes);
    if (place.index) result.index = *place.index;
    return result;
  }

  // Frame and first instance move out of the way on entry, so that rdi and rsi are free.
  Pool pool() const override { return {{6, 7, 8, 9}, {3, 5, 12, 13, 14, 15}}; }
  Reg scratch(int number) const override {
    return std::array<Reg, 4>{kR10, kRcx, kRax, kR11}[static_cast<std::size_t>(number)];
  }

  void enter(const std::vector<Reg>& saved) override {
    for (const Reg number : saved) emit("push", {reg(number, 8)});
    move(kR10, kFrame, 8);
    move(kR11, kFirst, 8);
  }
  void leave(const std::vector<Reg>& saved) override {
    for (auto number = saved.rbegin(); number != saved.rend(); ++number) emit("pop", {reg(*number, 8)});
    emit("ret", {});
  }
  void frame_pointer(Reg target, std::int32_t field, std::uint64_t scale, std::uint64_t offset) override {
    emit("mov", {reg(target, 8), at(kR10, field, 8)});
    if (scale != 0) {
      emit("imul", {reg(kRax, 8), reg(kR11, 8), CpuImmediate{static_cast<std::int64_t>(scale)}});
      emit("add", {reg(target, 8), reg(kRax, 8)});
    }
    if (offset != 0) advance(target, offset);
  }
  void row_pointer(Reg target, Reg row, std::int32_t offset, Reg base) override {
    emit("mov", {reg(kRax, 4), at(row, offset, 4)});
    emit("lea", {reg(target, 8), CpuMemory{base, kRax, 0, 8}});
  }
  void advance(Reg pointer, std::uint64_t bytes) override {
    emit("add", {reg(pointer, 8), CpuImmediate{static_cast<std::int64_t>(bytes)}});
  }
  void count_down(std::uint32_t top) override {
    emit("sub", {reg(kCount, 8), CpuImmediate{1}});
    emit("jne", {CpuLabel{top}});
  }
  void store_result(Reg value, int bytes, Reg results, std::uint64_t offset) override {
    emit("mov", {at(results, static_cast<std::int64_t>(offset), bytes), reg(value, bytes)});
  }
  void spend(Reg budget, std::uint32_t again, std::uint32_t out) override {
    emit("sub", {reg(budget, 4), CpuImmediate{1}});
    emit("jne", {CpuLabel{again}});
    emit("jmp", {CpuLabel{out}});
  }

  void set(Reg target, std::int64_t value, int bytes) override {
    if (bytes == 4) value = wrap(value, Type::s32);
    emit("mov", {reg(target, bytes), CpuImmediate{value}});
  }
  void move(Reg target, Reg source, int bytes) override { emit("mov", {reg(target, bytes), reg(source, bytes)}); }
  void extend(Reg target, Reg source, int bytes, bool is_signed) override {
    if (bytes == 4 && !is_signed) return move(target, source, 4);
    if (bytes == 4) return emit("movsxd", {reg(target, 8), reg(source, 4)});
    emit(is_signed ? "movsx" : "movzx", {reg(target, 4), reg(source, bytes)});
  }

  static std::string_view alu_name(CpuAlu op) {
    static constexpr std::string_view kNames[] = {"add", "sub", "imul", "and", "or", "xor", "shl", "shr", "sar"};
    return kNames[static_cast<std::size_t>(op)];
  }
  void alu(CpuAlu op, Reg target, Reg left, Reg right, int bytes) override {
    const std::string name(alu_name(op));
    if (op == CpuAlu::shl || op == CpuAlu::shr || op == CpuAlu::sar) {
      if (right != kRcx) move(kRcx, right, bytes);
      move(kRax, left, bytes);
      emit(name, {reg(kRax, bytes), reg(kRcx, 1)});
      return move(target, kRax, bytes);
    }
    if (target == left) return emit(name, {reg(target, bytes), reg(right, bytes)});
    const Reg to = target == right ? kRax : target;
    move(to, left, bytes);
    emit(name, {reg(to, bytes), reg(right, bytes)});
    if (to != target) move(target, to, bytes);
  }
  void alu_constant(CpuAlu op, Reg target, Reg left, std::int64_t right, int bytes) override {
    if (target != left) move(target, left, bytes);
    emit(std::string(alu_name(op)), {reg(target, bytes), CpuImmediate{right}});
  }
  void invert(Reg target, Reg source, int bytes) override {
    if (target != source) move(target, source, bytes);
    emit("not", {reg(target, bytes)});
  }
  void negate(Reg target, Reg source, int bytes) override {
    if (target != source) move(target, source, bytes);
    emit("neg", {reg(target, bytes)});
  }
  void compare(Reg left, Reg right, int bytes) override { emit("cmp", {reg(left, bytes), reg(right, bytes)}); }
  void set_if(Reg target, CompareOp op) override {
    emit("set" + std::string(condition_suffix(op)), {reg(target, 1)});
    emit("movzx", {reg(target, 4), reg(target, 1)});
  }
  void select_if(Reg target, CompareOp op, Reg yes, Reg no, int bytes) override {
    if (target == yes) {
      op = litmus::negate(op);
      std::swap(yes, no);
    }
    if (target != no) move(target, no, bytes);
    emit("cmov" + std::string(condition_suffix(op)), {reg(target, bytes), reg(yes, bytes)});
  }
  void branch_if(CompareOp op, std::uint32_t label) override {
    emit("j" + std::string(condition_suffix(op)), {CpuLabel{label}});
  }
  void branch(std::uint32_t label) override { emit("jmp", {CpuLabel{label}}); }

  void load(Reg target, const Access& access, const Place& place) override {
    const int bytes = size_in_bytes(access.type);
    if (bytes >= 4) return emit("mov", {reg(target, bytes), memory(place, bytes)});
    emit(is_signed(access.type) ? "movsx" : "movzx", {reg(target, 4), memory(place, bytes)});
  }
  void store(Reg value, const Access& access, const Place& place, std::optional<Reg>) override {
    const int bytes = size_in_bytes(access.type);
    if (access.order != Order::seq_cst) return emit("mov", {memory(place, bytes), reg(value, bytes)});
    if (value != kRcx) move(kRcx, value, bytes < 4 ? 4 : bytes);
    emit("xchg", {memory(place, bytes), reg(kRcx, bytes)});
  }

  void rmw(const Rmw& rmw, Order, Reg old, Reg operand, std::optional<Reg> expected, const Place& place) override {
    const int bytes = size_in_bytes(rmw.access.type);
    const CpuMemory where = memory(place, bytes);
    switch (rmw.op) {
      case RmwOp::exch:
        move(old, operand, bytes);
        return emit("xchg", {where, reg(old, bytes)});
      case RmwOp::sub:
        negate(old, operand, bytes);
        return emit("lock xadd", {where, reg(old, bytes)});
      case RmwOp::add:
        move(old, operand, bytes);
        return emit("lock xadd", {where, reg(old, bytes)});
      case RmwOp::cas:
        WEAKSPOT_CHECK(expected == kRax);
        emit("lock cmpxchg", {where, reg(operand, bytes)});
        return move(old, kRax, bytes);
      default:
        break;
    }
    // Read, compute, compare and swap, repeated until no other thread interfered: some thread always succeeds.
    const std::uint32_t top = new_label();
    emit("mov", {reg(kRax, bytes), where});
    label(top);
    rmw_result(rmw, old, operand, bytes);
    emit("lock cmpxchg", {where, reg(old, bytes)});
    branch_if(CompareOp::ne, top);
    move(old, kRax, bytes);
  }

  // Computes the new value from the old one in rax.
  void rmw_result(const Rmw& rmw, Reg result, Reg operand, int bytes) {
    const bool is_signed_type = is_signed(rmw.access.type);
    const std::uint32_t out = new_label();
    auto old_if = [&](const char* condition) {
      compare(kRax, operand, bytes);
      emit(condition, {reg(result, bytes), reg(operand, bytes)});
    };
    switch (rmw.op) {
      case RmwOp::and_:
      case RmwOp::or_:
      case RmwOp::xor_: {
        const CpuAlu op = rmw.op == RmwOp::and_ ? CpuAlu::and_ : rmw.op == RmwOp::or_ ? CpuAlu::or_ : CpuAlu::xor_;
        return alu(op, result, kRax, operand, bytes);
      }
      case RmwOp::min:
        move(result, kRax, bytes);
        return old_if(is_signed_type ? "cmovg" : "cmova");
      case RmwOp::max:
        move(result, kRax, bytes);
        return old_if(is_signed_type ? "cmovl" : "cmovb");
      case RmwOp::inc:
        set(result, 0, bytes);
        compare(kRax, operand, bytes);
        emit("jae", {CpuLabel{out}});
        move(result, kRax, bytes);
        alu_constant(CpuAlu::add, result, result, 1, bytes);
        return label(out);
      case RmwOp::dec:
        move(result, operand, bytes);
        emit("cmp", {reg(kRax, bytes), CpuImmediate{0}});
        emit("je", {CpuLabel{out}});
        compare(kRax, operand, bytes);
        emit("ja", {CpuLabel{out}});
        move(result, kRax, bytes);
        alu_constant(CpuAlu::sub, result, result, 1, bytes);
        return label(out);
      default:
        WEAKSPOT_CHECK(false);
    }
  }

  void fence(const Fence& fence) override {
    switch (fence.kind) {
      case FenceKind::order:
        if (fence.order == Order::seq_cst) emit("mfence", {});
        return;
      case FenceKind::membar:
      case FenceKind::mfence:
        return emit("mfence", {});
      case FenceKind::sfence:
        return emit("sfence", {});
      case FenceKind::lfence:
        return emit("lfence", {});
      default:
        WEAKSPOT_CHECK(false);
    }
  }
};

}  // namespace

std::unique_ptr<CpuInstructionWriter> make_x86_64_writer(const CpuFeatures& features, bool native) {
  return std::make_unique<X86Writer>(features, native);
}

}  // namespace weakspot::codegen
