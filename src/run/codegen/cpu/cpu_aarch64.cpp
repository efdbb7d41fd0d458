// SPDX-License-Identifier: MIT
// AArch64. Tests for other languages are mapped as by C11 compilers: acquire to LDAPR if the machine has it and to LDAR
// otherwise, release to STLR, acquire fences to DMB ISHLD, all other fences to DMB ISH. Tests for AArch64 run as
// written.
#include <array>

#include "base/check.h"
#include "codegen/cpu/cpu_instructions.h"

namespace weakspot::codegen {
namespace {

using namespace litmus;

constexpr std::uint8_t kFrame = 0;
constexpr std::uint8_t kFirst = 1;
constexpr std::uint8_t kCount = 2;
constexpr std::uint8_t kStatus = 3;  // status of store-exclusives in loops; a last scratch register
constexpr std::uint8_t kZeroRegister = 31;
constexpr std::uint8_t kStack = 31;

std::string_view condition_word(CompareOp op) { return to_string(op); }

std::string_view size_suffix(int bytes) { return bytes == 1 ? "b" : bytes == 2 ? "h" : ""; }

class AArch64Writer final : public CpuInstructionWriter {
 public:
  using CpuInstructionWriter::CpuInstructionWriter;

 private:
  static CpuRegister reg(Reg number, int bytes) { return {number, static_cast<std::uint8_t>(bytes)}; }
  static CpuMemory at(Reg base, std::int64_t displacement = 0) {
    return {base, CpuMemory::kNoIndex, static_cast<std::int32_t>(displacement), 0};
  }
  static CpuImmediate imm(std::int64_t value) { return {value}; }

  Pool pool() const override {
    return {{4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {19, 20, 21, 22, 23, 24, 25, 26, 27, 28}};
  }
  Reg scratch(int number) const override { return std::array<Reg, 4>{16, 17, 1, 0}[static_cast<std::size_t>(number)]; }
  std::optional<Reg> zero_register() const override { return kZeroRegister; }

  void enter(const std::vector<Reg>& saved) override {
    if (saved.empty()) return;
    emit("sub",
         {CpuRegister{kStack, kStackPointerBytes}, CpuRegister{kStack, kStackPointerBytes}, imm(stack_bytes(saved))});
    for (std::size_t i = 0; i < saved.size(); ++i) {
      emit("str", {reg(saved[i], 8), at(kStack, static_cast<std::int64_t>(8 * i))});
    }
  }
  void leave(const std::vector<Reg>& saved) override {
    for (std::size_t i = 0; i < saved.size(); ++i) {
      emit("ldr", {reg(saved[i], 8), at(kStack, static_cast<std::int64_t>(8 * i))});
    }
    if (!saved.empty())
      emit("add",
           {CpuRegister{kStack, kStackPointerBytes}, CpuRegister{kStack, kStackPointerBytes}, imm(stack_bytes(saved))});
    emit("ret", {reg(30, 8)});
  }
  static std::int64_t stack_bytes(const std::vector<Reg>& saved) {
    return static_cast<std::int64_t>((saved.size() + 1) / 2 * 16);
  }

  void frame_pointer(Reg target, std::int32_t field, std::uint64_t scale, std::uint64_t offset) override {
    emit("ldr", {reg(target, 8), at(kFrame, field)});
    if (scale != 0) {
      set(scratch(0), static_cast<std::int64_t>(scale), 8);
      emit("madd", {reg(target, 8), reg(kFirst, 8), reg(scratch(0), 8), reg(target, 8)});
    }
    if (offset != 0) alu_constant(CpuAlu::add, target, target, static_cast<std::int64_t>(offset), 8);
  }
  void row_pointer(Reg target, Reg row, std::int32_t offset, Reg base) override {
    emit("ldr", {reg(scratch(0), 4), at(row, offset)});
    emit("add", {reg(target, 8), reg(base, 8), reg(scratch(0), 8)});
  }
  void advance(Reg pointer, std::uint64_t bytes) override {
    alu_constant(CpuAlu::add, pointer, pointer, static_cast<std::int64_t>(bytes), 8);
  }
  void count_down(std::uint32_t top) override {
    emit("sub", {reg(kCount, 8), reg(kCount, 8), imm(1)});
    emit("cbnz", {reg(kCount, 8), CpuLabel{top}});
  }
  void store_result(Reg value, int bytes, Reg results, std::uint64_t offset) override {
    if (offset == 0) return emit("str", {reg(value, bytes), at(results)});
    set(scratch(0), static_cast<std::int64_t>(offset), 8);
    emit("str", {reg(value, bytes), CpuMemory{results, scratch(0), 0, 0}});
  }
  void spend(Reg budget, std::uint32_t again, std::uint32_t out) override {
    emit("sub", {reg(budget, 4), reg(budget, 4), imm(1)});
    emit("cbnz", {reg(budget, 4), CpuLabel{again}});
    emit("b", {CpuLabel{out}});
  }

  void set(Reg target, std::int64_t value, int bytes) override {
    if (bytes == 4) value = wrap(value, Type::s32);
    emit("mov", {reg(target, bytes), imm(value)});
  }
  void move(Reg target, Reg source, int bytes) override { emit("mov", {reg(target, bytes), reg(source, bytes)}); }
  void extend(Reg target, Reg source, int bytes, bool is_signed) override {
    if (bytes == 4 && !is_signed) return emit("mov", {reg(target, 4), reg(source, 4)});
    const std::string_view suffix = bytes == 4 ? "w" : size_suffix(bytes);
    const int to = bytes == 4 ? 8 : 4;
    emit((is_signed ? "sxt" : "uxt") + std::string(suffix), {reg(target, to), reg(source, 4)});
  }
  static std::string_view alu_name(CpuAlu op) {
    static constexpr std::string_view kNames[] = {"add", "sub", "mul", "and", "orr", "eor", "lsl", "lsr", "asr"};
    return kNames[static_cast<std::size_t>(op)];
  }
  void alu(CpuAlu op, Reg target, Reg left, Reg right, int bytes) override {
    emit(std::string(alu_name(op)), {reg(target, bytes), reg(left, bytes), reg(right, bytes)});
  }
  void alu_constant(CpuAlu op, Reg target, Reg left, std::int64_t right, int bytes) override {
    WEAKSPOT_CHECK(op == CpuAlu::add || op == CpuAlu::sub);
    if (right < 0) {
      op = op == CpuAlu::add ? CpuAlu::sub : CpuAlu::add;
      right = -right;
    }
    if (right < 4096) return emit(std::string(alu_name(op)), {reg(target, bytes), reg(left, bytes), imm(right)});
    set(kStatus, right, bytes);
    alu(op, target, left, kStatus, bytes);
  }
  void invert(Reg target, Reg source, int bytes) override { emit("mvn", {reg(target, bytes), reg(source, bytes)}); }
  void negate(Reg target, Reg source, int bytes) override { emit("neg", {reg(target, bytes), reg(source, bytes)}); }
  void compare(Reg left, Reg right, int bytes) override { emit("cmp", {reg(left, bytes), reg(right, bytes)}); }
  void set_if(Reg target, CompareOp op) override { emit("cset", {reg(target, 4), CpuWord{condition_word(op)}}); }
  void select_if(Reg target, CompareOp op, Reg yes, Reg no, int bytes) override {
    emit("csel", {reg(target, bytes), reg(yes, bytes), reg(no, bytes), CpuWord{condition_word(op)}});
  }
  void branch_if(CompareOp op, std::uint32_t label) override {
    emit("b." + std::string(condition_word(op)), {CpuLabel{label}});
  }
  void branch(std::uint32_t label) override { emit("b", {CpuLabel{label}}); }

  // The place as a memory operand; `bare`: a base register only.
  CpuMemory memory(const Place& place, bool bare) {
    if (!place.index && place.offset >= -256 && place.offset < 256 && (!bare || place.offset == 0)) {
      return at(place.base, place.offset);
    }
    if (place.index && place.offset == 0 && !bare) return {place.base, *place.index, 0, 0};
    const Reg sum = scratch(0);
    Reg base = place.base;
    if (place.index) {
      alu(CpuAlu::add, sum, base, *place.index, 8);
      base = sum;
    }
    if (place.offset != 0) alu_constant(CpuAlu::add, sum, base, place.offset, 8);
    return at(sum);
  }

  std::string load_name(const Access& access) const {
    const bool exclusive = access.tags.has(Tag::exclusive);
    const std::string suffix(size_suffix(size_in_bytes(access.type)));
    if (exclusive) return (is_acquire(access.order) ? "ldaxr" : "ldxr") + suffix;
    switch (access.order) {
      case Order::acquire_pc:
        return "ldapr" + suffix;
      case Order::consume:
      case Order::acquire:
        return (!native_order() && features().rcpc ? "ldapr" : "ldar") + suffix;
      case Order::acq_rel:
      case Order::seq_cst:
        return "ldar" + suffix;
      default:
        return "ldr" + suffix;
    }
  }
  void load(Reg target, const Access& access, const Place& place) override {
    const int bytes = size_in_bytes(access.type);
    const std::string name = load_name(access);
    const bool plain = name.starts_with("ldr");
    const bool signed_small = bytes < 4 && is_signed(access.type);
    const CpuMemory from = memory(place, !plain);
    const CpuRegister to = reg(target, bytes == 8 ? 8 : 4);
    if (plain && signed_small) return emit("ldrs" + std::string(size_suffix(bytes)), {to, from});
    emit(name, {to, from});
    if (signed_small) extend(target, target, bytes, true);
  }

  void store(Reg value, const Access& access, const Place& place, std::optional<Reg> status) override {
    const int bytes = size_in_bytes(access.type);
    const std::string suffix(size_suffix(bytes));
    const CpuRegister from = reg(value, bytes == 8 ? 8 : 4);
    if (status) {
      const CpuMemory to = memory(place, true);
      // The status register must differ from the others.
      emit((is_release(access.order) ? "stlxr" : "stxr") + suffix, {reg(kStatus, 4), from, to});
      return move(*status, kStatus, 4);
    }
    const bool release = is_release(access.order);
    emit((release ? "stlr" : "str") + suffix, {from, memory(place, release)});
  }

  static std::string order_suffix(Order order) {
    return std::string(is_acquire(order) || order == Order::consume ? "a" : "") + (is_release(order) ? "l" : "");
  }

  void rmw(const Rmw& rmw, Order order, Reg old, Reg operand, std::optional<Reg> expected,
           const Place& place) override {
    const int bytes = size_in_bytes(rmw.access.type);
    const std::optional<std::string> name = features().lse ? lse_name(rmw, order) : std::nullopt;
    if (!name) return rmw_loop(rmw, order, old, operand, expected, place);
    const CpuMemory where = at(place.base);
    if (rmw.op == RmwOp::cas) {
      emit(*name, {reg(*expected, bytes), reg(operand, bytes), where});
      return move(old, *expected, bytes);
    }
    if (rmw.op == RmwOp::sub) {
      negate(scratch(1), operand, bytes);
      operand = scratch(1);
    } else if (rmw.op == RmwOp::and_) {
      invert(scratch(1), operand, bytes);
      operand = scratch(1);
    }
    emit(*name, {reg(operand, bytes), reg(old, bytes), where});
  }

  static std::optional<std::string> lse_name(const Rmw& rmw, Order order) {
    const bool is_signed_type = is_signed(rmw.access.type);
    switch (rmw.op) {
      case RmwOp::exch:
        return "swp" + order_suffix(order);
      case RmwOp::cas:
        return "cas" + order_suffix(order);
      case RmwOp::add:
      case RmwOp::sub:
        return "ldadd" + order_suffix(order);
      case RmwOp::and_:
        return "ldclr" + order_suffix(order);
      case RmwOp::or_:
        return "ldset" + order_suffix(order);
      case RmwOp::xor_:
        return "ldeor" + order_suffix(order);
      case RmwOp::min:
        return (is_signed_type ? "ldsmin" : "ldumin") + order_suffix(order);
      case RmwOp::max:
        return (is_signed_type ? "ldsmax" : "ldumax") + order_suffix(order);
      default:
        return std::nullopt;
    }
  }

  // Load-exclusive, compute, store-exclusive, repeated until the store succeeds: the architecture guarantees that some
  // thread's does.
  void rmw_loop(const Rmw& rmw, Order order, Reg old, Reg operand, std::optional<Reg> expected, const Place& place) {
    const int bytes = size_in_bytes(rmw.access.type);
    const CpuMemory where = at(place.base);
    const std::uint32_t top = new_label();
    const std::uint32_t out = new_label();
    const Reg result = rmw.op == RmwOp::cas || rmw.op == RmwOp::exch ? operand : scratch(2);
    label(top);
    emit(is_acquire(order) ? "ldaxr" : "ldxr", {reg(old, bytes), where});
    if (rmw.op == RmwOp::cas) {
      compare(old, *expected, bytes);
      branch_if(CompareOp::ne, out);
    } else if (rmw.op != RmwOp::exch) {
      rmw_result(rmw, result, old, operand, bytes);
    }
    emit(is_release(order) ? "stlxr" : "stxr", {reg(kStatus, 4), reg(result, bytes), where});
    emit("cbnz", {reg(kStatus, 4), CpuLabel{top}});
    label(out);
  }

  void rmw_result(const Rmw& rmw, Reg result, Reg old, Reg operand, int bytes) {
    auto select = [&](Reg yes, Reg no, std::string_view condition) {
      emit("csel", {reg(result, bytes), reg(yes, bytes), reg(no, bytes), CpuWord{condition}});
    };
    const bool is_signed_type = is_signed(rmw.access.type);
    switch (rmw.op) {
      case RmwOp::add:
        return alu(CpuAlu::add, result, old, operand, bytes);
      case RmwOp::sub:
        return alu(CpuAlu::sub, result, old, operand, bytes);
      case RmwOp::and_:
        return alu(CpuAlu::and_, result, old, operand, bytes);
      case RmwOp::or_:
        return alu(CpuAlu::or_, result, old, operand, bytes);
      case RmwOp::xor_:
        return alu(CpuAlu::xor_, result, old, operand, bytes);
      case RmwOp::min:
        compare(old, operand, bytes);
        return select(old, operand, is_signed_type ? "lt" : "lo");
      case RmwOp::max:
        compare(old, operand, bytes);
        return select(old, operand, is_signed_type ? "gt" : "hi");
      case RmwOp::inc:
        alu_constant(CpuAlu::add, result, old, 1, bytes);
        compare(old, operand, bytes);
        return select(kZeroRegister, result, "hs");
      case RmwOp::dec:
        alu_constant(CpuAlu::sub, result, old, 1, bytes);
        compare(old, operand, bytes);
        select(operand, result, "hi");
        compare(old, kZeroRegister, bytes);
        return select(operand, result, "eq");
      default:
        WEAKSPOT_CHECK(false);
    }
  }

  void fence(const Fence& fence) override {
    switch (fence.kind) {
      case FenceKind::dmb:
      case FenceKind::dsb:
        return emit(fence.kind == FenceKind::dmb ? "dmb" : "dsb", {CpuWord{domain(fence)}});
      case FenceKind::isb:
        return emit("isb", {});
      case FenceKind::order:
        if (fence.order == Order::plain || fence.order == Order::relaxed) return;
        if (fence.order == Order::acquire || fence.order == Order::consume) {
          return emit("dmb", {CpuWord{"ishld"}});
        }
        return emit("dmb", {CpuWord{"ish"}});
      case FenceKind::membar:
        return emit("dmb", {CpuWord{"ish"}});
      default:
        WEAKSPOT_CHECK(false);
    }
  }

  static std::string_view domain(const Fence& fence) {
    static constexpr std::string_view kDomains[4][3] = {
        {"sy", "ld", "st"},
        {"ish", "ishld", "ishst"},
        {"osh", "oshld", "oshst"},
        {"nsh", "nshld", "nshst"},
    };
    return kDomains[static_cast<std::size_t>(fence.shareability)][static_cast<std::size_t>(fence.accesses)];
  }
};

}  // namespace

std::unique_ptr<CpuInstructionWriter> make_aarch64_writer(const CpuFeatures& features, bool native) {
  return std::make_unique<AArch64Writer>(features, native);
}

}  // namespace weakspot::codegen
