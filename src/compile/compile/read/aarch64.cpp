// SPDX-License-Identifier: MIT
// AArch64 assembly of compilers, rewritten as the AArch64 dialect.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "compile/read/thread_text.h"

namespace weakspot::compile {
namespace from_aarch64 {
namespace {

constexpr int kZero = 31;
constexpr int kStackPointer = 32;
constexpr int kFramePointer = 29;

struct Register {
  int number = 0;  // 0 to 30, kZero or kStackPointer
  bool wide = false;
};

std::optional<Register> register_named(std::string_view text) {
  if (text == "wzr") return Register{kZero, false};
  if (text == "xzr") return Register{kZero, true};
  if (text == "sp") return Register{kStackPointer, true};
  if (text.size() < 2 || text.size() > 3 || (text[0] != 'w' && text[0] != 'x')) return std::nullopt;
  int number = 0;
  for (const char c : text.substr(1)) {
    if (c < '0' || c > '9') return std::nullopt;
    number = 10 * number + (c - '0');
  }
  return number <= 30 ? std::optional(Register{number, text[0] == 'x'}) : std::nullopt;
}

std::string spell(const Register& reg) {
  if (reg.number == kZero) return reg.wide ? "XZR" : "WZR";
  return fmt::format("{}{}", reg.wide ? 'X' : 'W', reg.number);
}

std::optional<int> number_in(std::string_view text) {
  if (text.starts_with('#')) text.remove_prefix(1);
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  if (text.empty() || text.size() > 6) return std::nullopt;
  int number = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    number = 10 * number + (c - '0');
  }
  return negative ? -number : number;
}

// "[x8]", "[x8, :lo12:ws_x]", "[sp, #-16]!", "[x9, x10, lsl #2]".
struct Memory {
  Register base;
  std::vector<std::string> rest;  // the operands after the base in the brackets
  bool before = false;            // the base moves first
  std::optional<int> after;       // the base moves afterwards
};

// Knowledge about registers and the stack at one place of the control flow.
struct State {
  std::map<int, std::string> symbols;  // registers that hold the address of a symbol
  std::map<int, std::string> pages;    // registers that hold the page of a symbol, or of its entry in the table
  int stack = 0;                       // bytes that the stack pointer has moved by
  std::optional<int> frame;            // the same for the frame pointer
};

class Reader {
 public:
  explicit Reader(const MachineFunction& function) : function_(function) {}

  ThreadText read() {
    find_spares();
    for (std::size_t i = 0; i < function_.lines.size() && text_.error.empty(); ++i) {
      last_ = i + 1 == function_.lines.size();
      line(function_.lines[i]);
    }
    if (end_used_) text_.cells.push_back("WS_END:");
    return std::move(text_);
  }

 private:
  // ---- registers that the code does not use ----

  void find_spares() {
    std::set<int> used = {0, 1, 2};  // used by helpers
    for (const std::string& one : function_.lines) {
      std::string word;
      for (const char c : one + " ") {
        const bool inside = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (inside) {
          word += c;
          continue;
        }
        if (const auto reg = register_named(word)) used.insert(reg->number);
        word.clear();
      }
    }
    for (int i = 3; i <= 30; ++i) {
      if (!used.contains(i)) spares_.push_back(i);
    }
  }

  int spare() {
    if (spares_.empty()) {
      misunderstood("the code needs too many registers");
      return 0;
    }
    const int number = spares_.back();
    spares_.pop_back();
    return number;
  }

  int base_of(const std::string& symbol) {
    const auto found = bases_.find(symbol);
    if (found != bases_.end()) return found->second;
    const int number = spare();
    bases_[symbol] = number;
    text_.addresses.emplace_back(fmt::format("X{}", number), location_of_symbol(symbol));
    return number;
  }

  // ---- emitting ----

  void misunderstood(const std::string& what) {
    if (text_.error.empty()) text_.error = what;
  }
  void put(std::string cell) { text_.cells.push_back(std::move(cell)); }

  void put_move(const Register& target, const Register& source) {
    put(fmt::format("MOV {},{}", spell({target.number, source.wide}), spell(source)));
  }

  // ---- lines ----

  void line(const std::string& text) {
    if (const std::string label = label_in(text); !label.empty()) {
      at_label(label);
      return;
    }
    const Words words = words_of(text);
    if (starts_with_any(words.mnemonic, {"nop", "bti", "hint", "paci", "auti", "clrex"})) return;
    if (words.mnemonic == "ret") {
      if (!last_) {
        put("B WS_END");
        end_used_ = true;
      }
      reachable_ = false;
      return;
    }
    if (words.mnemonic == "bl") return call(words);
    if (is_jump(words.mnemonic)) return jump(words);
    if (words.mnemonic == "adrp" || words.mnemonic == "adr") return page(words);
    if (moves_stack(words)) return;
    if (const auto at = memory_of(words)) return access(words, *at);
    if (symbol_offset(words)) return;
    compute(words);
  }

  void at_label(const std::string& label) {
    const auto coming = at_labels_.find(label);
    if (coming != at_labels_.end()) {
      if (!reachable_) {
        state_ = coming->second;
      } else {
        keep_common(coming->second);
      }
    }
    reachable_ = true;
    seen_.insert(label);
    put(label_name(label) + ":");
  }

  void keep_common(const State& other) {
    std::erase_if(state_.symbols, [&](const auto& entry) {
      const auto found = other.symbols.find(entry.first);
      return found == other.symbols.end() || found->second != entry.second;
    });
    std::erase_if(state_.pages, [&](const auto& entry) {
      const auto found = other.pages.find(entry.first);
      return found == other.pages.end() || found->second != entry.second;
    });
    if (state_.stack != other.stack) misunderstood("the stack differs between the paths to a label");
  }

  void write(int number) {
    state_.symbols.erase(number);
    state_.pages.erase(number);
    written_.insert(number);
    if (status_ == number) status_.reset();
  }

  // ---- control flow ----

  static bool is_jump(std::string_view mnemonic) {
    static constexpr std::string_view kConditions[] = {"eq", "ne", "lt", "le", "gt", "ge", "hi", "ls",
                                                       "cs", "cc", "hs", "lo", "mi", "pl", "vs", "vc"};
    if (mnemonic == "b" || mnemonic == "cbz" || mnemonic == "cbnz" || mnemonic == "tbz" || mnemonic == "tbnz") {
      return true;
    }
    if (mnemonic.starts_with("b.")) return true;
    return mnemonic.size() == 3 && mnemonic[0] == 'b' &&
           std::find(std::begin(kConditions), std::end(kConditions), mnemonic.substr(1)) != std::end(kConditions);
  }

  void jump(const Words& words) {
    if (words.operands.empty()) return misunderstood("a jump without a label");
    const std::string& label = words.operands.back();
    const bool back = seen_.contains(label);
    const auto tested = register_named(words.operands.front());
    // A loop around a store-exclusive: the executions that count are those in which it succeeds at once. One that
    // fails has only read.
    if (back && words.mnemonic == "cbnz" && tested && status_ == tested->number) {
      const int kept = spare();
      put_move({kept, false}, {tested->number, false});
      text_.zeros.push_back(fmt::format("X{}", kept));
      return;
    }
    if (!back) at_labels_.emplace(label, state_);
    std::string cell = upper(words.mnemonic) + " ";
    for (std::size_t i = 0; i + 1 < words.operands.size(); ++i) {
      check_operand(words.operands[i]);
      cell += upper(words.operands[i]) + ",";
    }
    put(cell + label_name(label));
    if (words.mnemonic == "b") reachable_ = false;
  }

  // The helpers that choose between single instructions and loops at run time. They are read as the instruction.
  void call(const Words& words) {
    const std::string name = words.operands.empty() ? "" : words.operands.front();
    constexpr std::string_view kHead = "__aarch64_";
    static constexpr std::pair<std::string_view, std::string_view> kOrders[] = {
        {"_acq_rel", "AL"}, {"_relax", ""}, {"_acq", "A"}, {"_rel", "L"}};
    if (name.starts_with(kHead)) {
      const std::string rest = name.substr(kHead.size());
      for (const auto& [word, suffix] : kOrders) {
        if (!rest.ends_with(word)) continue;
        const std::string head = rest.substr(0, rest.size() - word.size());
        const char size = head.back();
        const std::string op = upper(head.substr(0, head.size() - 1));
        const bool known = op == "CAS" || op == "SWP" || starts_with_any(op, {"LDADD", "LDCLR", "LDEOR", "LDSET"});
        if (!known || (size != '4' && size != '8')) break;
        const char r = size == '8' ? 'X' : 'W';
        put(op == "CAS" ? fmt::format("CAS{} {}0,{}1,[X2]", suffix, r, r)
                        : fmt::format("{}{} {}0,{}0,[X1]", op, suffix, r, r));
        write(0);
        return;
      }
    }
    misunderstood(fmt::format("the code calls '{}'", name));
  }

  // ---- addresses of symbols ----

  // "ws_x", ":got:ws_x", ":lo12:ws_x", ":got_lo12:ws_x", also with '#' before it.
  static std::string symbol_in(std::string_view text) {
    if (text.starts_with('#')) text.remove_prefix(1);
    const std::size_t colon = text.rfind(':');
    if (colon != std::string_view::npos) text.remove_prefix(colon + 1);
    const bool known = !result_of_symbol(text).empty() || !location_of_symbol(text).empty();
    return known ? std::string(text) : std::string();
  }

  void page(const Words& words) {
    const auto target = register_named(words.operands.front());
    const std::string symbol = words.operands.size() == 2 ? symbol_in(words.operands[1]) : "";
    if (!target || symbol.empty()) return misunderstood(fmt::format("'{}' of something unknown", words.mnemonic));
    write(target->number);
    if (words.mnemonic == "adr") return hold(target->number, symbol);
    state_.pages[target->number] = symbol;
  }

  // From here on the register holds the address. Results are never reached through a register of the test.
  void hold(int number, const std::string& symbol) {
    write(number);
    state_.symbols[number] = symbol;
    if (result_of_symbol(symbol).empty()) put(fmt::format("MOV X{},X{}", number, base_of(symbol)));
  }

  // add x8, x8, :lo12:ws_x
  bool symbol_offset(const Words& words) {
    if (words.mnemonic != "add" || words.operands.size() != 3 ||
        words.operands[2].find(":lo12:") == std::string::npos) {
      return false;
    }
    const auto target = register_named(words.operands[0]);
    const std::string symbol = symbol_in(words.operands[2]);
    if (!target || symbol.empty() || !has_page(words.operands[1], symbol)) {
      misunderstood("an address that is put together in an unknown way");
    } else {
      hold(target->number, symbol);
    }
    return true;
  }

  bool has_page(std::string_view reg, const std::string& symbol) const {
    const auto base = register_named(reg);
    if (!base) return false;
    const auto found = state_.pages.find(base->number);
    return found != state_.pages.end() && found->second == symbol;
  }

  // ---- accesses ----

  std::optional<Memory> memory_of(const Words& words) {
    for (std::size_t i = 0; i < words.operands.size(); ++i) {
      const std::string& operand = words.operands[i];
      if (!operand.starts_with('[')) continue;
      Memory memory;
      memory.before = operand.ends_with('!');
      const std::string inner = operand.substr(1, operand.rfind(']') - 1);
      const Words parts = words_of("- " + inner);
      const auto base = parts.operands.empty() ? std::nullopt : register_named(parts.operands[0]);
      if (!base) {
        misunderstood(fmt::format("the address '{}'", operand));
        return std::nullopt;
      }
      memory.base = *base;
      memory.rest.assign(parts.operands.begin() + 1, parts.operands.end());
      if (i + 1 < words.operands.size()) memory.after = number_in(words.operands[i + 1]);
      return memory;
    }
    return std::nullopt;
  }

  void access(const Words& words, const Memory& at) {
    const bool frame = at.base.number == kFramePointer && state_.frame;
    if (at.base.number == kStackPointer || frame) return stack_access(words, at, frame);
    if (at.rest.size() == 1 && at.rest[0].find("lo12:") != std::string::npos) return symbol_access(words, at);
    const auto held = state_.symbols.find(at.base.number);
    if (held != state_.symbols.end() && !result_of_symbol(held->second).empty()) {
      return store_result(words, held->second, at.rest.empty() && !at.before && !at.after);
    }
    std::string cell = upper(words.mnemonic) + " ";
    for (std::size_t i = 0; i < words.operands.size(); ++i) {
      if (!words.operands[i].starts_with('[')) check_operand(words.operands[i]);
      cell += (i > 0 ? "," : "") + upper(words.operands[i]);
    }
    put(cell);
    note_writes(words);
    if (at.before || at.after) write(at.base.number);
  }

  // The address of a symbol is in the access itself: in the table of addresses, or the symbol's own.
  void symbol_access(const Words& words, const Memory& at) {
    const std::string symbol = symbol_in(at.rest[0]);
    if (symbol.empty() || !has_page(spell_lower(at.base), symbol)) {
      return misunderstood("an address that is put together in an unknown way");
    }
    const auto target = register_named(words.operands.front());
    if (at.rest[0].find("got_lo12:") != std::string::npos) {
      if (words.mnemonic != "ldr" || !target) return misunderstood("the table of addresses is not only read");
      return hold(target->number, symbol);
    }
    if (!result_of_symbol(symbol).empty()) return store_result(words, symbol, true);
    const int base = base_of(symbol);
    put(fmt::format("{} {},[X{}]", upper(words.mnemonic), upper(words.operands.front()), base));
    note_writes(words);
  }

  static std::string spell_lower(const Register& reg) {
    return reg.number == kStackPointer ? "sp" : fmt::format("x{}", reg.number);
  }

  void store_result(const Words& words, const std::string& symbol, bool plain) {
    const auto value = words.operands.empty() ? std::nullopt : register_named(words.operands.front());
    if (words.mnemonic != "str" || !plain || !value || words.operands.size() != 2) {
      return misunderstood(fmt::format("the result is stored by '{}'", words.mnemonic));
    }
    check_operand(words.operands.front());
    const std::string name = result_of_symbol(symbol);
    auto found = results_.find(name);
    if (found == results_.end()) {
      found = results_.emplace(name, spare()).first;
      text_.results[name] = fmt::format("X{}", found->second);
    }
    put_move({found->second, value->wide}, *value);
  }

  // Notes the registers that an access writes: targets of loads, the status of a store-exclusive, the old value of an
  // atomic operation.
  void note_writes(const Words& words) {
    const std::string& m = words.mnemonic;
    auto written = [&](std::size_t i) {
      const auto reg = i < words.operands.size() ? register_named(words.operands[i]) : std::nullopt;
      if (reg) write(reg->number);
      return reg ? reg->number : kZero;
    };
    if (starts_with_any(m, {"stxr", "stlxr"})) {
      status_ = written(0);
    } else if (starts_with_any(m, {"cas"})) {
      written(0);
    } else if (starts_with_any(m,
                               {"swp", "ldadd", "ldclr", "ldeor", "ldset", "ldsmax", "ldsmin", "ldumax", "ldumin"})) {
      written(1);
    } else if (m.starts_with("ldp")) {
      written(0);
      written(1);
    } else if (m.starts_with("ld")) {
      written(0);
    }
  }

  // ---- the stack: its slots become registers ----

  bool moves_stack(const Words& words) {
    const auto target = words.operands.empty() ? std::nullopt : register_named(words.operands[0]);
    const auto source = words.operands.size() > 1 ? register_named(words.operands[1]) : std::nullopt;
    if (!target || !source) return false;
    const bool from_stack = source->number == kStackPointer;
    if (target->number != kStackPointer && !(target->number == kFramePointer && from_stack)) return false;
    const auto by = words.operands.size() > 2 ? number_in(words.operands[2]) : std::optional(0);
    const int sign = words.mnemonic == "sub" ? -1 : 1;
    if (!by || (words.mnemonic != "add" && words.mnemonic != "sub" && words.mnemonic != "mov") ||
        (!from_stack && !(source->number == kFramePointer && state_.frame))) {
      misunderstood("the stack pointer is moved in an unknown way");
      return true;
    }
    const int value = (from_stack ? state_.stack : *state_.frame) + sign * *by;
    if (target->number == kStackPointer) {
      state_.stack = value;
    } else {
      state_.frame = value;
    }
    return true;
  }

  void stack_access(const Words& words, const Memory& at, bool frame) {
    const auto offset = at.rest.empty() ? std::optional(0) : number_in(at.rest[0]);
    if (!offset || at.rest.size() > 1 || (frame && (at.before || at.after))) {
      return misunderstood("an address in the stack that is not a number");
    }
    if (at.before) state_.stack += *offset;
    int place = (frame ? *state_.frame : state_.stack) + (at.before ? 0 : *offset);
    const bool store = words.mnemonic.starts_with("st");
    const std::string kind = words.mnemonic.substr(2);
    if (kind != "r" && kind != "p" && kind != "ur" && kind != "rb" && kind != "urb" && kind != "rsw" &&
        kind != "ursw") {
      return misunderstood(fmt::format("'{}' in the stack", words.mnemonic));
    }
    for (std::size_t i = 0; i < (kind == "p" ? 2u : 1u); ++i) {
      const auto reg = register_named(words.operands[i]);
      if (!reg) return misunderstood(fmt::format("'{}' in the stack", words.mnemonic));
      if (kind.ends_with("sw")) {
        extend_slot(place, *reg);
      } else {
        slot_access(place, *reg, store, kind.ends_with('b'));
      }
      place += reg->wide ? 8 : 4;
    }
    if (at.after) state_.stack += *at.after;
  }

  void extend_slot(int place, const Register& reg) {
    if (!slots_.contains(place)) return misunderstood("a stack slot is read that was not written");
    put(fmt::format("SXTW X{},W{}", reg.number, slots_[place]));
    write(reg.number);
  }

  void slot_access(int place, const Register& reg, bool store, bool byte) {
    if (store && reg.number != kZero && !written_.contains(reg.number)) {
      saved_.insert(place);  // for the caller
      return;
    }
    if (!store && saved_.contains(place)) return;
    if (store) {
      if (state_.symbols.contains(reg.number)) return misunderstood("an address is kept in the stack");
      saved_.erase(place);
      if (!slots_.contains(place)) slots_[place] = spare();
      if (byte) {
        put(fmt::format("AND W{},{},#255", slots_[place], spell({reg.number, false})));
      } else {
        put_move({slots_[place], reg.wide}, reg);
      }
      return;
    }
    if (!slots_.contains(place)) return misunderstood("a stack slot is read that was not written");
    put_move(reg, {slots_[place], reg.wide});
    write(reg.number);
  }

  // ---- the rest ----

  // An address of a result, or half of an address, does not exist in the test.
  void check_operand(const std::string& operand) {
    const auto reg = register_named(operand);
    if (!reg) return;
    const auto held = state_.symbols.find(reg->number);
    if (state_.pages.contains(reg->number) ||
        (held != state_.symbols.end() && !result_of_symbol(held->second).empty())) {
      misunderstood("the address of a result is used in an unknown way");
    }
  }

  void compute(const Words& words) {
    const bool compares = starts_with_any(words.mnemonic, {"cmp", "cmn", "tst", "dmb", "dsb", "isb", "ccmp"});
    const auto target = words.operands.empty() ? std::nullopt : register_named(words.operands[0]);
    const auto source = words.operands.size() == 2 ? register_named(words.operands[1]) : std::nullopt;
    if (words.mnemonic == "mov" && target && source && state_.symbols.contains(source->number)) {
      return hold(target->number, std::string(state_.symbols[source->number]));
    }
    std::string cell = upper(words.mnemonic);
    for (std::size_t i = 0; i < words.operands.size(); ++i) {
      if (i > 0 || compares) check_operand(words.operands[i]);
      cell += (i > 0 ? "," : " ") + upper(words.operands[i]);
    }
    put(cell);
    if (target && !compares) write(target->number);
  }

  const MachineFunction& function_;
  ThreadText text_;
  State state_;
  std::map<std::string, State> at_labels_;  // by the jumps that go there
  std::set<std::string> seen_;              // labels
  std::vector<int> spares_;
  std::map<std::string, int> bases_;    // registers with the address of a symbol
  std::map<std::string, int> results_;  // registers with the value of a result
  std::map<int, int> slots_;            // registers that stand for places in the stack
  std::set<int> saved_;                 // places in the stack with registers of the caller
  std::set<int> written_;
  std::optional<int> status_;  // the register that tells of the last store-exclusive
  bool reachable_ = true;
  bool last_ = false;
  bool end_used_ = false;
};

}  // namespace
}  // namespace from_aarch64

ThreadText read_aarch64(const MachineFunction& function) { return from_aarch64::Reader(function).read(); }

}  // namespace weakspot::compile
