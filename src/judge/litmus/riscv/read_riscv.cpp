// SPDX-License-Identifier: MIT
// RISC-V assembly of 64 bits, in the form of the tests of its memory model.
//
// Every register has 64 bits: loads of less extend the sign, or zeros for the forms with a u.
#include <fmt/format.h>

#include <algorithm>

#include "litmus/assembly/assembly_reader.h"
#include "litmus/riscv/riscv.h"
#include "litmus/text/cell_reader.h"
#include "litmus/text/readers.h"
#include "litmus/visit.h"

namespace weakspot::litmus {
namespace {

using namespace riscv;

class Riscv : public AssemblyDialect {
 public:
  Arch arch() const override { return Arch::riscv; }

  std::optional<std::string> register_name(std::string_view text) const override {
    const std::optional<int> number = register_number(text);
    if (!number || *number == 0) return std::nullopt;
    return riscv::register_name(*number);
  }

  void instruction(Cursor& cursor, TestBuilder& builder, ThreadId thread) override {
    cursor_ = &cursor;
    builder_ = &builder;
    thread_ = thread;
    read_labels(cursor, [this](Label label, base::Span span) { emit(*builder_, thread_, std::move(label), span); });
    if (cursor.at_end()) return;
    begin_ = cursor.position();
    std::optional<Token> word = cursor.dotted_word("an instruction");
    if (!word) return;
    word_ = *word;
    const bool known = access() || reserved() || atomic() || fence() || computation() || jump();
    if (!known) cursor.mistake(word_.span, fmt::format("unknown instruction {}", describe(word_)));
  }

 protected:
  std::vector<std::string> spare_registers() const override {
    std::vector<std::string> names;
    for (int i = kRegisters - 1; i > 0; --i) names.push_back(riscv::register_name(i));
    return names;
  }

  // By shifts, which RISC-V has; an address could not be shifted.
  void extend_sign(TestBuilder& builder, ThreadId thread, RegisterId reg) override {
    bool addresses = false;  // as values that a register may get
    for (const Location& location : builder.test.locations) addresses = addresses || location.initial.base;
    for (const Thread& any : builder.test.threads) {
      for (const Instruction& instruction : any.instructions) {
        for_each_operand(instruction, [&](const Operand& operand) {
          const auto* value = std::get_if<Value>(&operand);
          addresses = addresses || (value != nullptr && value->base);
        });
      }
    }
    if (addresses) return AssemblyDialect::extend_sign(builder, thread, reg);
    builder.emit(thread, Compute{ComputeOp::shl, reg, reg, Operand(integer(32))}, {});
    builder.emit(thread, Compute{ComputeOp::shr, reg, reg, Operand(integer(32))}, {});
  }

 private:
  // No register stands for x0, which is zero whatever is written to it.
  using Reg = std::optional<RegisterId>;

  void put(Operation operation) {
    emit(*builder_, thread_, std::move(operation), {begin_, cursor_->last_end()}, Form{.bits = 64});
  }
  bool done() { return cursor_->expect_end("the instruction"); }
  bool comma() { return cursor_->expect(",", "between operands"); }

  bool reg(Reg& into) {
    std::optional<Token> word = cursor_->word("a register");
    if (!word) return false;
    const std::optional<int> number = register_number(word->text);
    if (!number) {
      cursor_->mistake(word->span, fmt::format("expected a register x0 to x31, or by its role such as a0, found {}",
                                               describe(*word)));
      return false;
    }
    if (*number == 0) return true;
    into = builder_->reg(thread_, riscv::register_name(*number));
    use(thread_, *into, 64);
    return true;
  }
  static Operand operand(const Reg& reg) { return reg ? Operand(*reg) : Operand(integer(0)); }
  RegisterId target(const Reg& reg) { return reg ? *reg : temporary(*builder_, thread_, 64); }

  // offset(register) or (register)
  bool address(Address& into, bool takes_offset) {
    const base::Span start = cursor_->peek().span;
    if (!cursor_->peek().is("(")) {
      std::optional<std::int64_t> offset = cursor_->integer("an offset or '(' and the register of the address");
      if (!offset) return false;
      into.offset = *offset;
    }
    if (!takes_offset && into.offset != 0) {
      cursor_->mistake(start, fmt::format("{} takes an address without an offset", describe(word_)));
      return false;
    }
    Reg base;
    if (!cursor_->expect("(", "and the register of the address") || !reg(base)) return false;
    if (!base) {
      cursor_->mistake({start.begin, cursor_->last_end()}, "there is no memory at the address x0");
      return false;
    }
    into.index = *base;
    return cursor_->expect(")", "after the register of the address");
  }

  // The word without its order; .aq.rl is .aqrl.
  std::string_view head(Order& order) {
    std::string_view text = word_.text;
    static constexpr base::Named<Order> kSuffixes[] = {
        {".aq.rl", Order::seq_cst}, {".aqrl", Order::seq_cst}, {".aq", Order::acquire}, {".rl", Order::release}};
    for (const auto& suffix : kSuffixes) {
      if (!text.ends_with(suffix.name)) continue;
      order = suffix.value;
      return text.substr(0, text.size() - suffix.name.size());
    }
    return text;
  }

  // ---- accesses ----

  bool access() {
    Order order = Order::relaxed;
    const std::optional<AccessWord> word = base::value_of(kAccesses, head(order));
    if (!word) return false;
    if (order == (word->store ? Order::acquire : Order::release)) return false;
    Reg value;
    Access access;
    access.order = order;
    access.type = word->type;
    if (!reg(value) || !comma() || !address(access.address, true) || !done()) return true;
    if (word->store) {
      put(Store{access, operand(value), std::nullopt});
    } else {
      put(Load{target(value), access});
    }
    return true;
  }

  // lr.w and sc.w. A load has no release in it, nor a store an acquire.
  bool reserved() {
    Order order = Order::relaxed;
    const std::string_view text = head(order);
    const bool load = text == "lr.w" || text == "lr.d";
    if (!load && text != "sc.w" && text != "sc.d") return false;
    if (order == (load ? Order::release : Order::acquire)) order = Order::relaxed;
    Access access;
    access.order = order;
    access.type = text.ends_with('d') ? Type::s64 : Type::s32;
    access.tags.insert(Tag::exclusive);
    Reg first;
    Reg second;
    if (!reg(first) || !comma()) return true;
    if (!load && (!reg(second) || !comma())) return true;
    if (!address(access.address, false) || !done()) return true;
    if (load) {
      put(Load{target(first), access});
    } else {
      put(Store{access, operand(second), target(first)});
    }
    return true;
  }

  bool atomic() {
    Order order = Order::relaxed;
    std::string_view text = head(order);
    if (!text.ends_with(".w") && !text.ends_with(".d")) return false;
    const bool wide = text.ends_with(".d");
    const std::optional<AtomicOp> op = base::value_of(kAtomicOps, text.substr(0, text.size() - 2));
    if (!op) return false;
    Rmw rmw;
    rmw.op = op->op;
    rmw.access.order = order;
    rmw.access.type = wide ? (op->is_unsigned ? Type::u64 : Type::s64) : Type::s32;
    if (op->is_unsigned && !wide) {
      cursor_->mistake(word_.span,
                       fmt::format("{} is not supported: unsigned minimum and maximum of 32 bits", describe(word_)));
      return true;
    }
    Reg old;
    Reg value;
    if (!reg(old) || !comma() || !reg(value) || !comma()) return true;
    if (!address(rmw.access.address, false) || !done()) return true;
    if (old) rmw.target = *old;
    rmw.operand = operand(value);
    put(rmw);
    return true;
  }

  bool fence() {
    Fence fence;
    fence.kind = FenceKind::named;
    if (word_.is("fence.tso")) {
      fence.name = FenceName::riscv_tso;
    } else if (word_.is("fence.i")) {
      fence.name = FenceName::riscv_i;
    } else if (!word_.is("fence")) {
      return false;
    } else if (cursor_->at_end()) {
      fence.name = FenceName::riscv_rw_rw;
    } else {
      std::string sides;
      const base::Span start = cursor_->peek().span;
      if (!side(sides) || !cursor_->expect(",", "between what comes before and after the fence")) return true;
      sides += ',';
      if (!side(sides)) return true;
      const std::optional<FenceName> name = base::value_of(kFences, sides);
      if (!name) {
        cursor_->mistake({start.begin, cursor_->last_end()},
                         fmt::format("expected one of {} after 'fence'", base::list_names(kFences)));
        return true;
      }
      fence.name = *name;
    }
    if (done()) put(fence);
    return true;
  }

  // Input and output, i and o, are not memory: only r and w count.
  bool side(std::string& into) {
    std::optional<Token> word = cursor_->word("r, w or rw");
    if (!word) return false;
    for (const char c : word->text) {
      if (c != 'i' && c != 'o') into += c;
    }
    return true;
  }

  // ---- computing ----

  bool computation() {
    if (word_.is("nop") || word_.is("NOP")) {
      done();
    } else if (std::optional<ComputeOp> half = half_named(word_.text)) {
      binary(*half, word_.text.ends_with("iw"), true);
    } else if (word_.is("li") || word_.is("lui")) {
      constant();
    } else if (word_.is("la")) {
      address_of_location();
    } else if (word_.is("mv") || word_.is("MV") || word_.is("not") || word_.is("neg") || word_.is("sext.w")) {
      unary();
    } else if (std::optional<ComputeOp> op = base::value_of(kComputations, word_.text)) {
      binary(*op, false);
    } else if (word_.text.ends_with('i') &&
               (op = base::value_of(kComputations, word_.text.substr(0, word_.text.size() - 1)))) {
      if (*op == ComputeOp::sub || *op == ComputeOp::mul) return false;
      binary(*op, true);
    } else if (word_.is("srai")) {
      binary(ComputeOp::shr, true);
    } else if (word_.is("slli")) {
      binary(ComputeOp::shl, true);
    } else if (word_.is("srli")) {
      logical_shift();
    } else {
      return false;
    }
    return true;
  }

  void constant() {
    Reg to;
    if (!reg(to) || !comma()) return;
    std::optional<std::int64_t> number = cursor_->integer("a number");
    if (!number || !done() || !to) return;
    if (word_.is("lui"))
      *number = wrap(static_cast<std::int64_t>(static_cast<std::uint64_t>(*number) << 12), Type::s32);
    put(Compute{ComputeOp::mov, *to, integer(*number), std::nullopt});
  }

  void address_of_location() {
    Reg to;
    if (!reg(to) || !comma()) return;
    std::optional<Token> name = cursor_->word("a location");
    if (!name || !done() || !to) return;
    put(Compute{ComputeOp::mov, *to, address_of(builder_->location(name->text)), std::nullopt});
  }

  void unary() {
    Reg to;
    Reg from;
    if (!reg(to) || !comma() || !reg(from) || !done() || !to) return;
    if (word_.is("sext.w")) {
      put(Compute{ComputeOp::mov, *to, operand(from), std::nullopt});
      extend_half(*to);
      return;
    }
    const ComputeOp op = word_.is("not") ? ComputeOp::not_ : word_.is("neg") ? ComputeOp::neg : ComputeOp::mov;
    put(Compute{op, *to, operand(from), std::nullopt});
  }

  // addw and the like compute with the lower halves, and extend the sign of the result.
  static std::optional<ComputeOp> half_named(std::string_view word) {
    static constexpr base::Named<ComputeOp> kHalves[] = {
        {"addw", ComputeOp::add}, {"addiw", ComputeOp::add}, {"subw", ComputeOp::sub}, {"slliw", ComputeOp::shl}};
    return base::value_of(kHalves, word);
  }

  void extend_half(RegisterId to) {
    put(Compute{ComputeOp::shl, to, to, Operand(integer(32))});
    put(Compute{ComputeOp::shr, to, to, Operand(integer(32))});
  }

  void binary(ComputeOp op, bool immediate, bool half = false) {
    Reg to;
    Reg left;
    if (!reg(to) || !comma() || !reg(left) || !comma()) return;
    Operand right;
    if (immediate) {
      std::optional<std::int64_t> number = cursor_->integer("a number");
      if (!number) return;
      right = integer(*number);
    } else {
      Reg second;
      if (!reg(second)) return;
      right = operand(second);
    }
    if (!done() || !to) return;
    // x0 and a number make a number.
    const bool move = !left && immediate && (op == ComputeOp::add || op == ComputeOp::or_ || op == ComputeOp::xor_);
    if (move) {
      put(Compute{ComputeOp::mov, *to, right, std::nullopt});
    } else {
      put(Compute{op, *to, operand(left), right});
    }
    if (half) extend_half(*to);
  }

  void logical_shift() {
    Reg to;
    Reg from;
    if (!reg(to) || !comma() || !reg(from) || !comma()) return;
    const base::Span span = cursor_->peek().span;
    std::optional<std::int64_t> amount = cursor_->integer("a number of bits");
    if (!amount || !done() || !to) return;
    if (*amount < 0 || *amount > 63) {
      cursor_->mistake(span, "expected a number of bits from 0 to 63");
      return;
    }
    put(Compute{ComputeOp::shr, *to, operand(from), Operand(integer(*amount))});
    if (*amount == 0) return;
    const auto mask = static_cast<std::int64_t>(~std::uint64_t{0} >> *amount);
    put(Compute{ComputeOp::and_, *to, *to, Operand(integer(mask))});
  }

  // ---- jumping ----

  bool jump() {
    Branch branch;
    if (word_.is("beqz") || word_.is("bnez")) {
      Reg tested;
      if (!reg(tested) || !comma()) return true;
      const CompareOp op = word_.is("beqz") ? CompareOp::eq : CompareOp::ne;
      branch.condition = Comparison{op, operand(tested), integer(0)};
    } else if (std::optional<CompareOp> op = base::value_of(kBranches, word_.text)) {
      Reg left;
      Reg right;
      if (!reg(left) || !comma() || !reg(right) || !comma()) return true;
      branch.condition = Comparison{*op, operand(left), operand(right)};
    } else if (!word_.is("j")) {
      return false;
    }
    std::optional<Token> label = cursor_->word("a label");
    if (!label || !done()) return true;
    branch.label = label->text;
    put(branch);
    return true;
  }

  Cursor* cursor_ = nullptr;
  TestBuilder* builder_ = nullptr;
  ThreadId thread_;
  Token word_;
  std::uint32_t begin_ = 0;
};

}  // namespace

std::optional<LitmusTest> read_riscv(Cursor& cursor) {
  Riscv dialect;
  return read_columns(cursor, dialect);
}

}  // namespace weakspot::litmus
