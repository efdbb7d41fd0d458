// SPDX-License-Identifier: MIT
// AArch64 assembly, in the form of the Arm memory model's own tests.
#include <fmt/format.h>

#include <algorithm>

#include "litmus/assembly/aarch64.h"
#include "litmus/assembly/aarch64_computing.h"
#include "litmus/assembly/assembly.h"
#include "litmus/text/cell_reader.h"
#include "litmus/text/readers.h"

namespace weakspot::litmus {
namespace {

using namespace aarch64;

// Known instructions that the IR cannot hold, and why.
struct Unsupported {
  std::string_view prefix;
  std::string_view reason;
};
constexpr Unsupported kUnsupported[] = {
    {"LDNP", "non-temporal pairs"},
    {"STNP", "non-temporal pairs"},
    {"LDIAPP", "ordered pairs"},
    {"STILP", "ordered pairs"},
    {"LDXP", "exclusive pairs"},
    {"LDAXP", "exclusive pairs"},
    {"STXP", "exclusive pairs"},
    {"STLXP", "exclusive pairs"},
    {"LDAP", "ordered pairs"},
    {"STLP", "ordered pairs"},
    {"CASP", "compare-and-swap of a pair"},
    {"TLBI", "address translation"},
    {"AT", "address translation"},
    {"DC", "cache maintenance"},
    {"IC", "cache maintenance"},
    {"STG", "memory tagging"},
    {"LDG", "memory tagging"},
    {"STZG", "memory tagging"},
    {"ST2G", "memory tagging"},
    {"PAC", "pointer authentication"},
    {"AUT", "pointer authentication"},
    {"XPAC", "pointer authentication"},
    {"GCS", "guarded control stacks"},
    {"MRS", "system registers"},
    {"MSR", "system registers"},
    {"SVC", "exceptions"},
    {"HVC", "exceptions"},
    {"SMC", "exceptions"},
    {"ERET", "exceptions"},
    {"UDF", "exceptions"},
    {"BL", "calls and computed jumps"},
    {"BR", "calls and computed jumps"},
    {"RET", "calls and computed jumps"},
    {"ADR", "addresses of instructions"},
    {"LD1", "vector instructions"},
    {"ST1", "vector instructions"},
    {"PTRUE", "vector instructions"},
    {"WHILE", "vector instructions"},
    {"INDEX", "vector instructions"},
};

class AArch64 : public AArch64Computing {
 public:
  void instruction(Cursor& cursor, TestBuilder& builder, ThreadId thread) override {
    start(cursor, builder, thread);
    read_labels(cursor, [this](Label label, base::Span span) { put(std::move(label), span); });
    if (cursor.at_end()) return;
    begin_ = cursor.position();
    std::optional<Token> word = cursor.dotted_word("an instruction");
    if (!word) return;
    word_ = *word;
    mnemonic_ = upper(word->text);
    dispatch();
  }

 private:
  // ---- dispatch ----

  void dispatch() {
    if (access(kLoads, [this](const AccessWord& word, std::string_view size) { load(word, size); })) return;
    if (access(kStores, [this](const AccessWord& word, std::string_view size) { store(word, size); })) return;
    if (pair() || read_modify_write() || barrier() || arithmetic() || comparison() || jump()) return;
    for (const Unsupported& entry : kUnsupported) {
      if (mnemonic_.starts_with(entry.prefix)) {
        cursor_->mistake(word_.span, fmt::format("{} is not supported: {}", describe(word_), entry.reason));
        return;
      }
    }
    cursor_->mistake(word_.span, fmt::format("unknown instruction {}", describe(word_)));
  }

  template <std::size_t N, typename Read>
  bool access(const base::Named<AccessWord> (&table)[N], Read read) {
    for (std::string_view size : {"SB", "SH", "SW", "B", "H", ""}) {
      if (!std::string_view(mnemonic_).ends_with(size)) continue;
      const std::string_view head = std::string_view(mnemonic_).substr(0, mnemonic_.size() - size.size());
      if (std::optional<AccessWord> word = base::value_of(table, head)) {
        if (size.starts_with('S') && (word->order != Order::relaxed || word->exclusive)) continue;
        read(*word, size);
        return true;
      }
    }
    return false;
  }

  // ---- accesses ----

  // The size in bytes that the mnemonic's suffix gives, else that of the register.
  int size_of_access(std::string_view suffix, const Reg& reg) {
    if (suffix.ends_with('B')) return 1;
    if (suffix.ends_with('H')) return 2;
    return suffix == "SW" ? 4 : reg.bits / 8;
  }

  bool fits_suffix(std::string_view suffix, const Reg& reg) {
    const bool narrow_only = suffix == "B" || suffix == "H";
    if (narrow_only && reg.bits == 64) {
      cursor_->mistake(reg.span, fmt::format("expected a W register for {}", describe(word_)));
      return false;
    }
    if (suffix == "SW" && reg.bits == 32) {
      cursor_->mistake(reg.span, fmt::format("expected an X register for {}", describe(word_)));
      return false;
    }
    return true;
  }

  void load(const AccessWord& word, std::string_view suffix) {
    std::optional<Reg> target = reg();
    if (!target || !fits_suffix(suffix, *target) || !comma()) return;
    std::optional<WrittenAddress> from = address(takes_offset(word));
    if (!from || !done()) return;
    Load load;
    load.access.order = word.order;
    if (word.exclusive) load.access.tags.insert(Tag::exclusive);
    load.access.type = type_of_size(size_of_access(suffix, *target));
    if (suffix == "SB") load.access.type = Type::s8;
    if (suffix == "SH") load.access.type = Type::s16;
    load.target = target_of(*target);
    put_access(*from, load, load.access, Form{.bits = target->bits});
  }

  void store(const AccessWord& word, std::string_view suffix) {
    if (suffix.starts_with('S')) {
      cursor_->mistake(word_.span, fmt::format("unknown instruction {}", describe(word_)));
      return;
    }
    Store store;
    store.access.order = word.order;
    if (word.exclusive) {
      store.access.tags.insert(Tag::exclusive);
      std::optional<Reg> status = reg();
      if (!status || !comma()) return;
      if (status->bits != 32) {
        cursor_->mistake(status->span, "expected a W register for the status");
        return;
      }
      store.status = target_of(*status);
    }
    std::optional<Reg> value = reg();
    if (!value || !fits_suffix(suffix, *value) || !comma()) return;
    std::optional<WrittenAddress> to = address(takes_offset(word));
    if (!to || !done()) return;
    store.access.type = type_of_size(size_of_access(suffix, *value));
    store.value = value->operand();
    put_access(*to, store, store.access, Form{.bits = value->bits});
  }

  // LDP, LDPSW and STP: two accesses, each single-copy atomic, in no order between them.
  bool pair() {
    if (mnemonic_ != "LDP" && mnemonic_ != "LDPSW" && mnemonic_ != "STP") return false;
    const std::string_view suffix = mnemonic_ == "LDPSW" ? "SW" : "";
    std::optional<Reg> first = reg();
    if (!first || !fits_suffix(suffix, *first) || !comma()) return true;
    std::optional<Reg> second = reg_of_width(first->bits);
    if (!second || !comma()) return true;
    std::optional<WrittenAddress> at = address(true);
    if (!at || !done()) return true;
    if (at->index) {
      cursor_->mistake(word_.span, fmt::format("{} takes an address without an index", describe(word_)));
    } else if (mnemonic_ == "STP") {
      put_pair(*at, Store{{}, first->operand(), std::nullopt}, Store{{}, second->operand(), std::nullopt}, suffix,
               *first);
    } else if (first->id && first->id == second->id) {
      cursor_->mistake(second->span, "expected two different registers");
    } else {
      const RegisterId base = at->base;
      const bool overwritten = first->id == base || second->id == base;
      if (overwritten && (at->before || at->after)) {
        cursor_->mistake(word_.span, "the address register is both loaded and moved");
        return true;
      }
      if (overwritten) {
        at->base = temporary(*builder_, thread_, 64);
        put(Compute{ComputeOp::mov, at->base, base, std::nullopt}, Form{.bits = 64});
      }
      put_pair(*at, Load{target_of(*first), {}}, Load{target_of(*second), {}}, suffix, *first);
    }
    return true;
  }

  template <typename Op>
  void put_pair(WrittenAddress at, Op first, Op second, std::string_view suffix, const Reg& reg) {
    const int size = size_of_access(suffix, reg);
    const std::optional<std::int64_t> after = std::exchange(at.after, std::nullopt);
    first.access.type = second.access.type = type_of_size(size);
    put_access(at, first, first.access, Form{.bits = reg.bits});
    at.before.reset();
    at.offset = wrapping_sum(at.offset, size);
    at.after = after;
    second.access.tags.insert(Tag::vector);
    put_access(at, second, second.access, Form{.bits = reg.bits});
  }

  bool takes_offset(const AccessWord& word) const {
    return !word.exclusive && (word.order == Order::relaxed || mnemonic_.find("UR") != std::string::npos);
  }

  template <typename Op>
  void put_access(const WrittenAddress& address, Op& operation, Access& access, Form form) {
    access.address.offset = address.offset;
    if (address.index) {
      access.address.index = address.index->id;
      form.base = address.base;
      form.narrow_index = address.index->bits == 32;
    } else {
      access.address.index = address.base;
    }
    if (address.before) move_base(address, *address.before);
    put(operation, form);
    if (address.after) move_base(address, *address.after);
  }

  void move_base(const WrittenAddress& address, std::int64_t by) {
    use(thread_, address.base, 64);
    put(Compute{ComputeOp::add, address.base, address.base, Operand(integer(by))}, Form{.bits = 64});
  }

  // CAS, SWP, LD<op>, ST<op>, then an order, then a size.
  bool read_modify_write() {
    std::string_view rest = mnemonic_;
    Rmw rmw;
    bool returns = true;
    Form form;
    bool is_unsigned = true;
    if (rest.starts_with("CAS") || rest.starts_with("SWP")) {
      rmw.op = rest.starts_with("CAS") ? RmwOp::cas : RmwOp::exch;
      rest.remove_prefix(3);
    } else if (rest.starts_with("LD") || rest.starts_with("ST")) {
      returns = rest.starts_with("LD");
      rest.remove_prefix(2);
      const auto* found = std::find_if(std::begin(kAtomicOps), std::end(kAtomicOps),
                                       [&](const auto& entry) { return rest.starts_with(entry.name); });
      if (found == std::end(kAtomicOps)) return false;
      rmw.op = found->value.op;
      is_unsigned = found->value.is_unsigned || (rmw.op != RmwOp::min && rmw.op != RmwOp::max);
      form.complement = rmw.op == RmwOp::and_;
      rest.remove_prefix(found->name.size());
    } else {
      return false;
    }
    const std::string_view suffix = rest.ends_with('B') ? "B" : rest.ends_with('H') ? "H" : "";
    rest.remove_suffix(suffix.size());
    const std::optional<Order> order = base::value_of(kRmwOrders, rest);
    if (!order || (!returns && is_acquire(*order))) return false;
    rmw.access.order = *order;
    if (!suffix.empty() && !is_unsigned) {
      cursor_->mistake(word_.span, fmt::format("{} is not supported: signed minimum and maximum of less than 32 bits",
                                               describe(word_)));
      return true;
    }
    rmw_operands(rmw, form, suffix, returns, is_unsigned);
    return true;
  }

  void rmw_operands(Rmw& rmw, Form form, std::string_view suffix, bool returns, bool is_unsigned) {
    std::optional<Reg> first = reg();
    if (!first || !fits_suffix(suffix, *first) || !comma()) return;
    std::optional<Reg> second;
    if (returns) {
      second = reg();
      if (!second || !comma()) return;
      if (second->bits != first->bits) {
        cursor_->mistake(second->span, "expected two registers of the same width");
        return;
      }
    }
    std::optional<WrittenAddress> at = address(false);
    if (!at || !done()) return;
    form.bits = first->bits;
    rmw.access.type = type_of_size(size_of_access(suffix, *first));
    if ((rmw.op == RmwOp::min || rmw.op == RmwOp::max) && is_unsigned && suffix.empty()) {
      rmw.access.type = first->bits == 64 ? Type::u64 : Type::u32;
    }
    if (rmw.op == RmwOp::cas) {
      rmw.target = first->id;
      rmw.expected = first->operand();
      rmw.operand = second->operand();
    } else {
      if (second) rmw.target = second->id;
      // "If the destination register is not one of WZR or XZR, LDADDA and LDADDAL load from memory with acquire
      // semantics": Arm ARM, of each of these instructions.
      if (second && !second->id && is_acquire(rmw.access.order)) {
        rmw.access.order = rmw.access.order == Order::acq_rel ? Order::release : Order::relaxed;
      }
      rmw.operand = first->operand();
    }
    put_access(*at, rmw, rmw.access, form);
  }

  // ---- barriers ----

  bool barrier() {
    Fence fence;
    if (mnemonic_ == "ISB") {
      fence.kind = FenceKind::isb;
      if (upper(cursor_->peek().text) == "SY") cursor_->next();
    } else if (mnemonic_ == "DMB" || mnemonic_ == "DSB") {
      fence.kind = mnemonic_ == "DMB" ? FenceKind::dmb : FenceKind::dsb;
      const Token word = cursor_->next();
      const std::optional<Domain> domain = base::value_of(kDomains, upper(word.text));
      if (!domain) {
        cursor_->mistake(word.span, fmt::format("expected one of {} after {}, found {}", base::list_names(kDomains),
                                                describe(word_), describe(word)));
        return true;
      }
      fence.accesses = domain->accesses;
      fence.shareability = domain->shareability;
    } else {
      return false;
    }
    if (done()) put(fence);
    return true;
  }

  // ---- computing ----

  bool arithmetic() {
    static constexpr base::Named<ComputeOp> kThreeOperands[] = {
        {"ADD", ComputeOp::add}, {"SUB", ComputeOp::sub},  {"EOR", ComputeOp::xor_},
        {"ORR", ComputeOp::or_}, {"AND", ComputeOp::and_}, {"MUL", ComputeOp::mul},
    };
    static constexpr base::Named<ComputeOp> kSettingFlags[] = {
        {"ADDS", ComputeOp::add}, {"SUBS", ComputeOp::sub}, {"ANDS", ComputeOp::and_}};
    if (mnemonic_ == "NOP") {
      done();
    } else if (auto op = base::value_of(kThreeOperands, mnemonic_)) {
      compute(*op, false);
    } else if (auto flagging = base::value_of(kSettingFlags, mnemonic_)) {
      compute(*flagging, true);
    } else if (mnemonic_ == "MOV" || mnemonic_ == "UXTW") {
      unary(ComputeOp::mov);
    } else if (mnemonic_ == "MVN") {
      unary(ComputeOp::not_);
    } else if (mnemonic_ == "NEG") {
      unary(ComputeOp::neg);
    } else if (mnemonic_ == "SXTW") {
      extend();
    } else if (mnemonic_ == "LSL" || mnemonic_ == "LSR" || mnemonic_ == "ASR") {
      shift();
    } else if (auto choice = base::value_of(kChoices, mnemonic_)) {
      select(*choice);
    } else {
      return multi_step();
    }
    return true;
  }

  void compute(ComputeOp op, bool flags) {
    std::optional<Reg> target = reg();
    if (!target || !comma()) return;
    std::optional<Reg> left = reg_of_width(target->bits);
    if (!left || !comma()) return;
    Form form;
    std::optional<Operand> right = flexible_operand(target->bits, form);
    if (!right || !done()) return;
    if (!flags) {
      put_compute(op, *target, left->operand(), right, form);
      return;
    }
    const bool keeps_operands =
        !target->id || (left->operand() != Operand(*target->id) && *right != Operand(*target->id));
    if (op == ComputeOp::sub && keeps_operands && !form.narrow_operand) {
      put_compute(op, *target, left->operand(), right, form);
      set_flags(thread_, {left->operand(), *right, target->bits, false, std::nullopt});
      note_flags(Setter::subtract, left->operand(), *right, target->id, target->bits);
      return;
    }
    target->id = target_of(*target);
    put_compute(op, *target, left->operand(), right, form);
    set_flags(thread_, {*target->id, integer(0), target->bits, true, std::nullopt});
    const Setter setter = op == ComputeOp::add ? Setter::add : op == ComputeOp::sub ? Setter::subtract : Setter::logic;
    note_flags(setter, left->operand(), *right, target->id, target->bits);
  }

  void unary(ComputeOp op) {
    std::optional<Reg> target = reg();
    if (!target || !comma()) return;
    std::optional<Operand> source;
    if (cursor_->peek().kind == Token::Kind::word) {
      std::optional<Reg> from = reg_of_width(target->bits);
      if (from) source = from->operand();
    } else if (op == ComputeOp::mov) {
      source = immediate(target->bits);
    } else {
      cursor_->expected("a register");
    }
    if (source && done()) put_compute(op, *target, *source, std::nullopt);
  }

  void extend() {
    std::optional<Reg> target = reg_of_width(64);
    if (!target || !comma()) return;
    std::optional<Reg> source = reg_of_width(32);
    if (source && done()) {
      put_compute(ComputeOp::mov, *target, source->operand(), std::nullopt, Form{.narrow_operand = true});
    }
  }

  void shift() {
    std::optional<Reg> target = reg();
    if (!target || !comma()) return;
    std::optional<Reg> source = reg_of_width(target->bits);
    if (!source || !comma()) return;
    std::optional<std::int64_t> amount = shift_amount(target->bits);
    if (!amount || !done()) return;
    const ComputeOp op = mnemonic_ == "LSL" ? ComputeOp::shl : ComputeOp::shr;
    put_compute(op, *target, source->operand(), Operand(integer(*amount)));
    // shr copies the sign into the upper bits; a logical shift clears them again.
    if (mnemonic_ == "LSR" && *amount > 0 && target->id) {
      const auto bits = static_cast<std::int64_t>(~std::uint64_t{0} >> (64 - target->bits + *amount));
      put_compute(ComputeOp::and_, *target, *target->id, Operand(integer(bits)));
    }
  }

  // Takes one register, or the other changed. The short forms take the changed one if the condition holds: CINC of one
  // register, CSET of zero.
  struct Choice {
    enum class Change : std::uint8_t { none, increment, invert, negate };
    Change change = Change::none;
    int sources = 2;
  };
  static constexpr base::Named<Choice> kChoices[] = {
      {"CSEL", {Choice::Change::none, 2}},      {"CSINC", {Choice::Change::increment, 2}},
      {"CSINV", {Choice::Change::invert, 2}},   {"CSNEG", {Choice::Change::negate, 2}},
      {"CINC", {Choice::Change::increment, 1}}, {"CINV", {Choice::Change::invert, 1}},
      {"CNEG", {Choice::Change::negate, 1}},    {"CSET", {Choice::Change::increment, 0}},
      {"CSETM", {Choice::Change::invert, 0}},
  };

  void select(const Choice& choice) {
    std::optional<Reg> target = reg();
    if (!target || !comma()) return;
    std::optional<Reg> first = Reg{std::nullopt, target->bits, target->span};
    std::optional<Reg> second = first;
    if (choice.sources > 0) {
      first = second = reg_of_width(target->bits);
      if (!first || !comma()) return;
    }
    if (choice.sources > 1) {
      second = reg_of_width(target->bits);
      if (!second || !comma()) return;
    }
    const Token word = cursor_->next();
    if (!done()) return;
    std::optional<Question> question = question_of(upper(word.text), word);
    if (!question || !target->id) return;
    Operand yes = first->operand();
    Operand no = second->operand();
    Operand& changes = choice.sources > 1 ? no : yes;
    changes = changed(choice.change, choice.sources > 1 ? *second : *first);
    put(Select{*target->id, question->comparison, yes, no},
        Form{.bits = target->bits, .comparison_bits = question->bits});
  }

  Operand changed(Choice::Change change, const Reg& source) {
    if (change == Choice::Change::none) return source.operand();
    if (!source.id) {
      constexpr std::int64_t kOfZero[] = {0, 1, -1, 0};
      return integer(kOfZero[static_cast<std::size_t>(change)]);
    }
    const Reg result{temporary(*builder_, thread_, source.bits), source.bits, source.span};
    if (change == Choice::Change::increment) {
      put_compute(ComputeOp::add, result, *source.id, Operand(integer(1)));
    } else {
      put_compute(change == Choice::Change::invert ? ComputeOp::not_ : ComputeOp::neg, result, *source.id,
                  std::nullopt);
    }
    return *result.id;
  }

  // ---- comparing and branching ----

  bool comparison() {
    if (mnemonic_ != "CMP" && mnemonic_ != "CMN" && mnemonic_ != "TST") return false;
    std::optional<Reg> left = reg();
    if (!left || !comma()) return true;
    Form form;
    std::optional<Operand> right = flexible_operand(left->bits, form);
    if (!right || !done()) return true;
    if (mnemonic_ == "CMP" && !form.narrow_operand) {
      set_flags(thread_, {left->operand(), *right, left->bits, false, std::nullopt});
      note_flags(Setter::subtract, left->operand(), *right, std::nullopt, left->bits);
      return true;
    }
    const ComputeOp op = mnemonic_ == "CMP" ? ComputeOp::sub : mnemonic_ == "CMN" ? ComputeOp::add : ComputeOp::and_;
    const Reg result{temporary(*builder_, thread_, left->bits), left->bits, left->span};
    put_compute(op, result, left->operand(), right, form);
    set_flags(thread_, {*result.id, integer(0), left->bits, true, std::nullopt});
    const Setter setter = mnemonic_ == "CMP" ? Setter::subtract : mnemonic_ == "CMN" ? Setter::add : Setter::logic;
    if (!form.narrow_operand) note_flags(setter, left->operand(), *right, result.id, left->bits);
    return true;
  }

  std::optional<CompareOp> condition(const std::string& name, const Token& word) {
    std::optional<CompareOp> op = base::value_of(kConditions, name);
    if (!op) {
      cursor_->mistake(
          word.span, fmt::format("expected a condition: {}; found {}", base::list_names(kConditions), describe(word)));
    }
    return op;
  }

  // The question that a condition asks of the flags.
  std::optional<Question> question_of(const std::string& name, const Token& word) {
    if (is_flag_condition(name)) return ask_flag(name, word);
    std::optional<CompareOp> op = condition(name, word);
    if (!op) return std::nullopt;
    return ask_flags(*cursor_, *builder_, thread_, *op, word_);
  }

  bool jump() {
    if (mnemonic_ == "B") {
      branch(std::nullopt);
    } else if (mnemonic_ == "CBZ" || mnemonic_ == "CBNZ") {
      std::optional<Reg> tested = reg();
      if (!tested || !comma()) return true;
      const CompareOp op = mnemonic_ == "CBZ" ? CompareOp::eq : CompareOp::ne;
      branch(Question{Comparison{op, tested->operand(), integer(0)}, tested->bits});
    } else if (mnemonic_ == "TBZ" || mnemonic_ == "TBNZ") {
      branch_on_bit();
    } else if (mnemonic_.starts_with("B.")) {
      branch_on_flags(mnemonic_.substr(2));
    } else if (const std::string name = mnemonic_.substr(1);
               mnemonic_.starts_with("B") && (base::value_of(kConditions, name) || is_flag_condition(name))) {
      branch_on_flags(name);
    } else {
      return false;
    }
    return true;
  }

  void branch_on_flags(const std::string& name) {
    if (std::optional<Question> question = question_of(name, word_)) branch(question);
  }

  void branch_on_bit() {
    std::optional<Reg> tested = reg();
    if (!tested || !comma()) return;
    std::optional<std::int64_t> bit = shift_amount(tested->bits);
    if (!bit || !comma()) return;
    const CompareOp op = mnemonic_ == "TBZ" ? CompareOp::eq : CompareOp::ne;
    const Reg result{temporary(*builder_, thread_, tested->bits), tested->bits, tested->span};
    const auto mask = static_cast<std::int64_t>(std::uint64_t{1} << *bit);
    put_compute(ComputeOp::and_, result, tested->operand(), Operand(integer(mask)));
    branch(Question{Comparison{op, *result.id, integer(0)}, tested->bits});
  }

  void branch(const std::optional<Question>& question) {
    std::optional<Token> label = cursor_->word("a label");
    if (!label || !done()) return;
    Branch branch;
    branch.label = label->text;
    if (question) branch.condition = question->comparison;
    put(branch, Form{.bits = question ? question->bits : 32});
  }
};

}  // namespace

std::optional<LitmusTest> read_aarch64(Cursor& cursor) {
  AArch64 dialect;
  return read_columns(cursor, dialect);
}

}  // namespace weakspot::litmus
