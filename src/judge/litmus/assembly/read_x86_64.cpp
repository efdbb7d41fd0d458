// SPDX-License-Identifier: MIT
// x86-64 assembly, and its 32-bit predecessor, which differs in names only.
#include <fmt/format.h>

#include <map>

#include "litmus/assembly/assembly.h"
#include "litmus/assembly/x86_64.h"
#include "litmus/assembly/x86_64_operands.h"
#include "litmus/text/cell_reader.h"
#include "litmus/text/readers.h"

namespace weakspot::litmus {
namespace {

using namespace x86_64;

struct Unsupported {
  std::string_view prefix;
  std::string_view reason;
};
constexpr Unsupported kUnsupported[] = {
    {"MOVNT", "non-temporal stores"},
    {"CLFLUSH", "cache maintenance"},
    {"CLWB", "cache maintenance"},
    {"PREFETCH", "cache maintenance"},
    {"MOVDQ", "vector instructions"},
    {"MOVAP", "vector instructions"},
    {"MOVUP", "vector instructions"},
    {"CALL", "calls and returns"},
    {"RET", "calls and returns"},
    {"PUSH", "the stack"},
    {"POP", "the stack"},
    {"REP", "string instructions"},
    {"CMOVA", "unsigned comparisons"},
    {"CMOVB", "unsigned comparisons"},
    {"CMOVS", "compare with zero instead"},
    {"XBEGIN", "transactions"},
    {"XEND", "transactions"},
    {"JA", "unsigned comparisons"},
    {"JB", "unsigned comparisons"},
    {"JS", "compare with zero instead"},
    {"JNS", "compare with zero instead"},
    {"SHR", "shift with SAR or mask"},
};

// An extending load: the widths that its name gives, of what it loads and of its target.
struct Extension {
  std::string_view name;
  int from;
  int to;
  bool sign;
};
constexpr Extension kExtensions[] = {
    {"MOVZBL", 8, 32, false}, {"MOVZWL", 16, 32, false}, {"MOVZBQ", 8, 64, false}, {"MOVZWQ", 16, 64, false},
    {"MOVSBL", 8, 32, true},  {"MOVSWL", 16, 32, true},  {"MOVSBQ", 8, 64, true},  {"MOVSWQ", 16, 64, true},
    {"MOVSLQ", 32, 64, true}, {"MOVSXD", 32, 64, true},  {"MOVZX", 0, 0, false},   {"MOVSX", 0, 0, true},
};

class X86 : public X86Operands {
 public:
  void instruction(Cursor& cursor, TestBuilder& builder, ThreadId thread) override {
    cursor_ = &cursor;
    builder_ = &builder;
    thread_ = thread;
    read_labels(cursor, [this](Label label, base::Span span) { put(std::move(label), span); });
    if (cursor.at_end()) return;
    begin_ = cursor.position();
    std::optional<Token> word = cursor.word("an instruction");
    if (!word) return;
    locked_ = upper(word->text) == "LOCK";
    if (locked_) {
      word = cursor.word("an instruction after LOCK");
      if (!word) return;
    }
    word_ = *word;
    mnemonic_ = upper(word->text);
    bits_ = 0;
    dispatch();
  }

  void program_done(TestBuilder& builder, Mistakes& mistakes) override {
    for (const auto& [thread, set] : half_set_) mistakes.add(set.span, kWantsExtension);
    AssemblyDialect::program_done(builder, mistakes);
  }

 private:
  static constexpr const char* kWantsExtension =
      "expected MOVZX of the same register next, such as 'MOVZX EAX,AL' after 'SETE AL'";

  // A SETcc that waits for the extension of its byte.
  struct HalfSet {
    RegisterId reg;
    CompareOp op = CompareOp::eq;
    base::Span span;
    Token word;
  };

  // ---- emitting ----

  void put(Operation operation, base::Span span, Form form = {}) {
    emit(*builder_, thread_, std::move(operation), span, form);
  }
  void put(Operation operation, Form form = {}) { put(std::move(operation), {begin_, cursor_->last_end()}, form); }
  void mistake(base::Span span, std::string message) { cursor_->mistake(span, std::move(message)); }

  // ---- dispatch ----

  void dispatch() {
    if (auto found = half_set_.find(thread_.index); found != half_set_.end() && mnemonic_ != "MOVZX") {
      mistake(found->second.span, kWantsExtension);
      half_set_.erase(found);
    }
    if (without_operands() || jump() || set() || conditional_move() || extension()) return;
    if (known(mnemonic_)) {
      with_operands();
      return;
    }
    static constexpr base::Named<int> kSuffixes[] = {{"B", 8}, {"W", 16}, {"L", 32}, {"Q", 64}};
    const std::string stem = mnemonic_.substr(0, mnemonic_.size() - 1);
    const std::optional<int> bits = base::value_of(kSuffixes, std::string_view(mnemonic_).substr(stem.size()));
    if (bits && known(stem)) {
      bits_ = *bits;
      mnemonic_ = stem;
      with_operands();
      return;
    }
    for (const Unsupported& entry : kUnsupported) {
      if (mnemonic_.starts_with(entry.prefix)) {
        mistake(word_.span, fmt::format("{} is not supported: {}", describe(word_), entry.reason));
        return;
      }
    }
    mistake(word_.span, fmt::format("unknown instruction {}", describe(word_)));
  }

  static bool known(std::string_view mnemonic) {
    for (std::string_view name : {"MOV", "LEA", "XCHG", "XADD", "CMPXCHG", "INC", "DEC", "NEG", "NOT", "CMP", "TEST"}) {
      if (mnemonic == name) return true;
    }
    return base::value_of(kArithmetic, mnemonic).has_value();
  }

  bool without_operands() {
    const std::optional<FenceKind> kind = base::value_of(kFences, mnemonic_);
    if (!kind && mnemonic_ != "NOP") return false;
    if (!not_locked() || !cursor_->expect_end("the instruction") || !kind) return true;
    Fence fence;
    fence.kind = *kind;
    put(fence);
    return true;
  }

  bool not_locked() {
    if (locked_)
      mistake(word_.span, fmt::format("{} cannot have LOCK; expected a read-modify-write of memory", describe(word_)));
    return !locked_;
  }

  void with_operands() {
    std::optional<std::vector<X86Operand>> list = operands(*cursor_, *builder_, thread_);
    if (!list) return;
    const bool one = mnemonic_ == "INC" || mnemonic_ == "DEC" || mnemonic_ == "NEG" || mnemonic_ == "NOT";
    const std::size_t expected = one ? 1 : 2;
    if (list->size() != expected) {
      mistake({word_.span.begin, cursor_->last_end()},
              fmt::format("{} takes {} operand{}", describe(word_), expected, expected == 1 ? "" : "s"));
      return;
    }
    X86Operand& target = list->front();
    X86Operand& source = list->back();
    if (!settle_width(target, source)) return;
    if (target.kind == X86Operand::Kind::immediate && mnemonic_ != "CMP" && mnemonic_ != "TEST") {
      mistake(target.span, "expected a register or a memory operand as the target");
      return;
    }
    if (target.is_memory() && source.is_memory() && !one) {
      mistake(source.span, "an instruction has at most one memory operand");
      return;
    }
    if (mnemonic_ == "XCHG" || mnemonic_ == "XADD" || mnemonic_ == "CMPXCHG") {
      exchange(target, source);
    } else if (locked_) {
      locked(target, source);
    } else if (mnemonic_ == "MOV") {
      move(target, source);
    } else if (mnemonic_ == "LEA") {
      load_address(target, source);
    } else if (mnemonic_ == "CMP" || mnemonic_ == "TEST") {
      compare(target, source);
    } else {
      arithmetic(target, source);
    }
  }

  // The width of the instruction, from its suffix, its registers or what is said of its memory operand.
  bool settle_width(const X86Operand& target, const X86Operand& source) {
    for (const X86Operand* operand : {&target, &source}) {
      if (operand->bits == 0) continue;
      if (bits_ != 0 && operand->bits != bits_) {
        mistake(operand->span, fmt::format("expected an operand of {} bits, like the rest of the instruction", bits_));
        return false;
      }
      bits_ = operand->bits;
    }
    if (bits_ == 0) bits_ = target.value.base || source.value.base ? 64 : 32;
    if (bits_ < 32 && !(mnemonic_ == "MOV" && target.is_memory())) {
      mistake(word_.span, fmt::format("{} of {} bits is not supported", describe(word_), bits_));
      return false;
    }
    for (const X86Operand* operand : {&target, &source}) {
      if (operand->kind == X86Operand::Kind::immediate && bits_ < 64 &&
          (operand->value.base || !fits(operand->value.number, type_of_size(bits_ / 8)))) {
        mistake(operand->span, fmt::format("the operand does not fit {} bits", bits_));
        return false;
      }
    }
    return true;
  }

  // ---- memory ----

  Access access_to(const X86Operand& memory, Form& form, int bits, Order order = Order::relaxed) {
    Access access;
    access.order = order;
    access.type = type_of_size(bits / 8);
    access.address.location = memory.location;
    access.address.offset = memory.offset;
    access.address.index = memory.index ? memory.index : memory.base;
    if (memory.index && memory.base) form.base = memory.base;
    form.narrow_index = memory.index && memory.narrow_index;
    return access;
  }

  void load(RegisterId target, const X86Operand& memory, int bits) {
    Form form;
    form.bits = bits;
    Load load;
    load.target = target;
    load.access = access_to(memory, form, bits);
    put(load, form);
  }

  void store(const X86Operand& memory, Operand value) {
    Form form;
    form.bits = bits_;
    Store store;
    store.access = access_to(memory, form, bits_);
    store.value = value;
    put(store, form);
  }

  // The value of an operand; memory is loaded into a temporary.
  Operand value_of(const X86Operand& operand) {
    if (operand.is_register()) return operand.reg;
    if (!operand.is_memory()) return operand.value;
    const RegisterId loaded = temporary(*builder_, thread_, bits_);
    load(loaded, operand, bits_);
    return loaded;
  }

  // ---- instructions ----

  void move(const X86Operand& target, const X86Operand& source) {
    if (target.is_memory()) {
      store(target, value_of(source));
    } else if (source.is_memory()) {
      load(target.reg, source, bits_);
    } else {
      put(Compute{ComputeOp::mov, target.reg, value_of(source), std::nullopt}, Form{.bits = bits_});
    }
  }

  // The address itself, computed: the flags stay.
  void load_address(const X86Operand& target, const X86Operand& source) {
    if (!target.is_register() || !source.is_memory()) {
      mistake({word_.span.begin, cursor_->last_end()},
              fmt::format("expected a memory operand and a register for {}", describe(word_)));
      return;
    }
    const Form form{.bits = bits_};
    Operand sum = source.location ? Operand(address_of(*source.location)) : Operand(integer(0));
    for (const std::optional<RegisterId>& part : {source.base, source.index}) {
      if (!part) continue;
      if (sum == Operand(integer(0))) {
        sum = *part;
        continue;
      }
      const RegisterId both = temporary(*builder_, thread_, bits_);
      put(Compute{ComputeOp::mov, both, sum, std::nullopt}, form);
      put(Compute{ComputeOp::add, both, both, Operand(*part)}, form);
      sum = both;
    }
    if (sum != Operand(target.reg)) put(Compute{ComputeOp::mov, target.reg, sum, std::nullopt}, form);
    if (source.offset != 0) put(Compute{ComputeOp::add, target.reg, target.reg, Operand(integer(source.offset))}, form);
  }

  // Instructions that read and write memory and return what they read. XCHG is always locked.
  void exchange(X86Operand memory, X86Operand reg) {
    // One of them is memory; herd7 has it first in CMPXCHG, whatever the spelling.
    if (memory.is_register()) std::swap(memory, reg);
    if (!memory.is_memory() || !reg.is_register()) {
      mistake({word_.span.begin, cursor_->last_end()},
              fmt::format("expected a memory operand and a register for {}", describe(word_)));
      return;
    }
    if (!locked_ && mnemonic_ != "XCHG") {
      mistake(word_.span,
              fmt::format("expected LOCK before {}; unlocked, it is not atomic and not supported", describe(word_)));
      return;
    }
    Form form;
    form.bits = bits_;
    Rmw rmw;
    rmw.access = access_to(memory, form, bits_, Order::seq_cst);
    rmw.operand = reg.reg;
    rmw.target = reg.reg;
    if (mnemonic_ == "XADD") rmw.op = RmwOp::add;
    if (mnemonic_ != "CMPXCHG") {
      put(rmw, form);
      if (mnemonic_ == "XADD") forget_flags(thread_);
      return;
    }
    rmw.op = RmwOp::cas;
    rmw.target = builder_->reg(thread_, "RAX");
    use(thread_, *rmw.target, bits_);
    rmw.expected = *rmw.target;
    const std::size_t at = builder_->test.threads[thread_.index].instructions.size();
    put(rmw, form);
    set_flags(thread_, {Operand(integer(0)), Operand(integer(0)), 32, true, at});
  }

  void locked(const X86Operand& target, const X86Operand& source) {
    std::optional<RmwOp> op = base::value_of(kLocked, mnemonic_);
    Rmw rmw;
    if (mnemonic_ == "INC" || mnemonic_ == "DEC") {
      op = mnemonic_ == "INC" ? RmwOp::add : RmwOp::sub;
      rmw.operand = integer(1);
    } else if (op) {
      rmw.operand = source.is_register() ? Operand(source.reg) : Operand(source.value);
    }
    if (!op || !target.is_memory()) {
      locked_ = true;
      not_locked();
      return;
    }
    Form form;
    form.bits = bits_;
    rmw.op = *op;
    rmw.access = access_to(target, form, bits_, Order::seq_cst);
    put(rmw, form);
    forget_flags(thread_);
  }

  // Computes in a register; on memory, emits a load, the computation and a store.
  void arithmetic(const X86Operand& target, const X86Operand& source) {
    const RegisterId result = target.is_memory() ? temporary(*builder_, thread_, bits_) : target.reg;
    if (target.is_memory()) load(result, target, bits_);
    Compute compute;
    compute.target = result;
    compute.left = result;
    if (mnemonic_ == "NEG" || mnemonic_ == "NOT") {
      compute.op = mnemonic_ == "NEG" ? ComputeOp::neg : ComputeOp::not_;
    } else if (mnemonic_ == "INC" || mnemonic_ == "DEC") {
      compute.op = mnemonic_ == "INC" ? ComputeOp::add : ComputeOp::sub;
      compute.right = integer(1);
    } else {
      compute.op = *base::value_of(kArithmetic, mnemonic_);
      compute.right = value_of(source);
    }
    if (compute.op == ComputeOp::shl || compute.op == ComputeOp::shr) {
      const auto* amount = std::get_if<Value>(&*compute.right);
      if (amount == nullptr || amount->base || amount->number < 0 || amount->number >= bits_) {
        mistake(source.span, fmt::format("expected a number of bits from 0 to {}", bits_ - 1));
        return;
      }
    }
    put(compute, Form{.bits = bits_});
    if (target.is_memory()) store(target, result);
    if (mnemonic_ == "NOT") return;
    if (mnemonic_ == "IMUL" || compute.op == ComputeOp::shl || compute.op == ComputeOp::shr) {
      forget_flags(thread_);
    } else {
      set_flags(thread_, {result, integer(0), bits_, true, std::nullopt});
    }
  }

  void compare(const X86Operand& left, const X86Operand& right) {
    const Operand first = value_of(left);
    const Operand second = value_of(right);
    if (mnemonic_ == "CMP") {
      set_flags(thread_, {first, second, bits_, false, std::nullopt});
    } else if (first == second) {
      set_flags(thread_, {first, integer(0), bits_, false, std::nullopt});
    } else {
      const RegisterId result = temporary(*builder_, thread_, bits_);
      put(Compute{ComputeOp::mov, result, first, std::nullopt}, Form{.bits = bits_});
      put(Compute{ComputeOp::and_, result, result, second}, Form{.bits = bits_});
      set_flags(thread_, {result, integer(0), bits_, true, std::nullopt});
    }
  }

  // ---- branches and flags ----

  bool jump() {
    if (!mnemonic_.starts_with('J')) return false;
    std::optional<Question> question;
    if (mnemonic_ != "JMP") {
      const std::optional<CompareOp> op = base::value_of(kConditions, std::string_view(mnemonic_).substr(1));
      if (!op) return false;
      question = ask_flags(*cursor_, *builder_, thread_, *op, word_);
      if (!question) return true;
    }
    if (!not_locked()) return true;
    std::optional<Token> label = cursor_->word("a label");
    if (!label || !cursor_->expect_end("the label")) return true;
    Branch branch;
    branch.label = label->text;
    if (question) branch.condition = question->comparison;
    put(branch, Form{.bits = question ? question->bits : 32});
    return true;
  }

  // Memory is read whether or not the condition holds; the upper half of the target is cleared likewise.
  bool conditional_move() {
    if (!mnemonic_.starts_with("CMOV")) return false;
    const std::optional<CompareOp> op = base::value_of(kConditions, std::string_view(mnemonic_).substr(4));
    if (!op) return false;
    std::optional<std::vector<X86Operand>> list = operands(*cursor_, *builder_, thread_);
    if (!list || !not_locked()) return true;
    if (list->size() != 2 || !list->front().is_register() || list->back().kind == X86Operand::Kind::immediate) {
      mistake(word_.span,
              fmt::format("expected a register, and a register or memory operand, for {}", describe(word_)));
      return true;
    }
    if (!settle_width(list->front(), list->back())) return true;
    std::optional<Question> question = ask_flags(*cursor_, *builder_, thread_, *op, word_);
    if (!question) return true;
    const RegisterId target = list->front().reg;
    const Operand source = value_of(list->back());
    put(Select{target, question->comparison, source, target}, Form{.bits = bits_, .comparison_bits = question->bits});
    return true;
  }

  bool set() {
    if (!mnemonic_.starts_with("SET")) return false;
    const std::optional<CompareOp> op = base::value_of(kConditions, std::string_view(mnemonic_).substr(3));
    if (!op) return false;
    std::optional<std::vector<X86Operand>> list = operands(*cursor_, *builder_, thread_);
    if (!list || !not_locked()) return true;
    if (list->size() != 1 || !list->front().is_register() || list->front().bits != 8) {
      mistake(word_.span, fmt::format("expected a register of 8 bits after {}", describe(word_)));
      return true;
    }
    half_set_[thread_.index] = {list->front().reg, *op, {begin_, cursor_->last_end()}, word_};
    return true;
  }

  void finish_set(const HalfSet& set, int bits) {
    use(thread_, set.reg, bits);
    if (success_becomes(set)) return;
    std::optional<Question> question = ask_flags(*cursor_, *builder_, thread_, set.op, set.word);
    if (!question) return;
    const Comparison& asked = question->comparison;
    put(Compute{as_compute(asked.op), set.reg, asked.left, asked.right}, Form{.bits = question->bits});
  }

  // SETE right after CMPXCHG makes its register the one that receives the success; false in other cases.
  bool success_becomes(const HalfSet& set) {
    std::vector<Instruction>& code = builder_->test.threads[thread_.index].instructions;
    const std::optional<Flags> now = flags(thread_);
    if (!now || !now->success_of || *now->success_of + 1 != code.size() || set.op != CompareOp::eq) return false;
    auto& cas = std::get<Rmw>(code.back().operation);
    if (cas.success || cas.target == set.reg) return false;
    cas.success = set.reg;
    set_flags(thread_, {set.reg, integer(0), 32, true, now->success_of});
    return true;
  }

  bool extension() {
    const Extension* found = nullptr;
    for (const Extension& entry : kExtensions) {
      if (entry.name == mnemonic_) found = &entry;
    }
    if (found == nullptr) return false;
    std::optional<std::vector<X86Operand>> list = operands(*cursor_, *builder_, thread_);
    auto half = half_set_.find(thread_.index);
    std::optional<HalfSet> set;
    if (half != half_set_.end()) {
      set = half->second;
      half_set_.erase(half);
    }
    if (!list || !not_locked()) return true;
    extend(*found, *list, set);
    return true;
  }

  void extend(const Extension& kind, std::vector<X86Operand>& list, const std::optional<HalfSet>& set) {
    if (list.size() != 2 || !list[0].is_register() || list[1].kind == X86Operand::Kind::immediate) {
      mistake(word_.span,
              fmt::format("expected a register, and a register or memory operand, for {}", describe(word_)));
      return;
    }
    const X86Operand& target = list[0];
    const X86Operand& source = list[1];
    const int from = kind.from != 0 ? kind.from : source.bits;
    if (from == 0 || from >= target.bits || target.bits < 32 || (source.bits != 0 && source.bits != from) ||
        (kind.to != 0 && kind.to != target.bits) || (from == 32 && !kind.sign)) {
      mistake({word_.span.begin, cursor_->last_end()},
              fmt::format("the widths of the operands do not fit {}; write the size of memory as in BYTE PTR [x]",
                          describe(word_)));
      return;
    }
    const bool same =
        set && source.is_register() && source.reg == set->reg && target.reg == set->reg && from == 8 && !kind.sign;
    if (set && !same) {
      mistake(set->span, kWantsExtension);
    } else if (set) {
      finish_set(*set, target.bits);
    } else {
      put_extension(kind, target, source, from);
    }
  }

  void put_extension(const Extension& kind, const X86Operand& target, const X86Operand& source, int from) {
    if (source.is_memory()) {
      Form form;
      form.bits = target.bits;
      Load load;
      load.target = target.reg;
      load.access = access_to(source, form, from);
      if (kind.sign) load.access.type = from == 8 ? Type::s8 : from == 16 ? Type::s16 : Type::s32;
      put(load, form);
    } else if (from == 32) {
      put(Compute{ComputeOp::mov, target.reg, source.reg, std::nullopt}, Form{.bits = 64, .narrow_operand = true});
    } else if (!kind.sign) {
      const std::int64_t mask = from == 8 ? 0xFF : 0xFFFF;
      if (target.reg != source.reg) {
        put(Compute{ComputeOp::mov, target.reg, source.reg, std::nullopt}, Form{.bits = 32});
      }
      put(Compute{ComputeOp::and_, target.reg, target.reg, Operand(integer(mask))}, Form{.bits = 32});
    } else {
      mistake(word_.span, fmt::format("{} of a register of {} bits is not supported", describe(word_), from));
    }
  }

  Cursor* cursor_ = nullptr;
  TestBuilder* builder_ = nullptr;
  ThreadId thread_;
  Token word_;            // the mnemonic as it is written
  std::string mnemonic_;  // in upper case, without its suffix for the width
  int bits_ = 0;          // the width of the instruction; 0: not known yet
  bool locked_ = false;
  std::uint32_t begin_ = 0;
  std::map<std::uint32_t, HalfSet> half_set_;
};

}  // namespace

std::optional<LitmusTest> read_x86_64(Cursor& cursor) {
  X86 dialect;
  return read_columns(cursor, dialect);
}

}  // namespace weakspot::litmus
