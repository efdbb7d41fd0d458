// SPDX-License-Identifier: MIT
// x86-64 assembly of compilers, in AT&T's syntax, rewritten as the X86_64 dialect.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "compile/read/thread_text.h"

namespace weakspot::compile {
namespace from_x86_64 {
namespace {

constexpr std::string_view kNames[] = {"ax", "bx", "cx", "dx", "si", "di", "bp", "sp"};

// The name of a register of this many bits; `stem` is ax, si, r8, ...
std::string spell(const std::string& stem, int bits) {
  if (stem[0] == 'r') return "%" + stem + (bits == 64 ? "" : bits == 32 ? "d" : bits == 16 ? "w" : "b");
  if (bits == 64) return "%r" + stem;
  if (bits == 32) return "%e" + stem;
  if (bits == 16) return "%" + stem;
  return stem[1] == 'x' ? fmt::format("%{}l", stem[0]) : fmt::format("%{}l", stem);
}

std::vector<std::string> stems() {
  std::vector<std::string> all(std::begin(kNames), std::end(kNames));
  for (int i = 8; i < 16; ++i) all.push_back(fmt::format("r{}", i));
  return all;
}

// The stem of a register by one of its names; empty if it is not one.
std::string stem_of(std::string_view name) {
  static const std::map<std::string, std::string, std::less<>> names = [] {
    std::map<std::string, std::string, std::less<>> spelled;
    for (const std::string& stem : stems()) {
      for (const int bits : {8, 16, 32, 64}) spelled[spell(stem, bits)] = stem;
    }
    return spelled;
  }();
  const auto found = names.find(name);
  return found == names.end() ? std::string() : found->second;
}

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
  using Symbols = std::map<std::string, std::string>;  // registers that hold the address of a symbol

  void find_spares() {
    std::set<std::string> used = {"sp", "ax"};
    for (const std::string& one : function_.lines) {
      for (std::size_t at = one.find('%'); at != std::string::npos; at = one.find('%', at + 1)) {
        std::size_t end = at + 1;
        while (end < one.size() && std::isalnum(static_cast<unsigned char>(one[end])) != 0) ++end;
        used.insert(stem_of(one.substr(at, end - at)));
      }
    }
    for (const std::string& stem : stems()) {
      if (!used.contains(stem)) spares_.push_back(stem);
    }
  }

  std::string spare() {
    if (spares_.empty()) {
      misunderstood("the code needs too many registers");
      return "ax";
    }
    std::string stem = spares_.back();
    spares_.pop_back();
    return stem;
  }

  void misunderstood(const std::string& what) {
    if (text_.error.empty()) text_.error = what;
  }
  void put(std::string cell) { text_.cells.push_back(std::move(cell)); }

  // ---- lines ----

  void line(const std::string& text) {
    if (const std::string label = label_in(text); !label.empty()) return at_label(label);
    std::string rest = text;
    const bool locked = rest.starts_with("lock ");
    if (locked) rest = rest.substr(5);
    Words words = words_of(rest);
    const std::string& m = words.mnemonic;
    if (starts_with_any(m, {"endbr", "nop", "cfi"})) return;
    if (m == "ret" || m == "retq") {
      if (!last_) {
        put("JMP WS_END");
        end_used_ = true;
      }
      reachable_ = false;
      return;
    }
    if (m.starts_with('j')) return jump(words);
    if (moves_stack(words)) return;
    if (locked && touches_stack(words)) return put("MFENCE");
    instruction(std::move(words), locked);
  }

  void at_label(const std::string& label) {
    const auto coming = at_labels_.find(label);
    if (coming != at_labels_.end()) {
      if (!reachable_) symbols_ = coming->second;
      std::erase_if(symbols_, [&](const auto& entry) {
        const auto found = coming->second.find(entry.first);
        return found == coming->second.end() || found->second != entry.second;
      });
    }
    reachable_ = true;
    seen_.insert(label);
    put(label_name(label) + ":");
  }

  void jump(const Words& words) {
    if (words.operands.size() != 1 || words.operands[0].starts_with('*')) return misunderstood("a computed jump");
    const std::string& label = words.operands[0];
    if (!seen_.contains(label)) at_labels_.emplace(label, symbols_);
    put(fmt::format("{} {}", upper(words.mnemonic), label_name(label)));
    if (words.mnemonic == "jmp") reachable_ = false;
  }

  // ---- the stack ----

  static bool is_stack(std::string_view operand) { return operand.ends_with("(%rsp)") || operand.ends_with("(%rbp)"); }
  static bool touches_stack(const Words& words) {
    return std::any_of(words.operands.begin(), words.operands.end(), is_stack);
  }

  // Whether the instruction sets up or takes down a frame.
  static bool moves_stack(const Words& words) {
    if (starts_with_any(words.mnemonic, {"push", "pop", "leave"})) return true;
    if (words.operands.size() != 2) return false;
    const std::string& target = words.operands[1];
    const bool moved = target == "%rsp" || (target == "%rbp" && words.operands[0] == "%rsp");
    return moved && starts_with_any(words.mnemonic, {"mov", "add", "sub", "and"});
  }

  // ---- operands ----

  static std::string symbol_in(std::string_view operand) {
    const std::size_t end = operand.find_first_of("@(+");
    const std::string_view name = operand.substr(0, end);
    const bool known = !result_of_symbol(name).empty() || !location_of_symbol(name).empty();
    return known ? std::string(name) : std::string();
  }

  static int bits_of(std::string_view mnemonic) {
    switch (mnemonic.back()) {
      case 'b':
        return 8;
      case 'w':
        return 16;
      case 'q':
        return 64;
      default:
        return 32;
    }
  }

  std::string result_register(const std::string& symbol) {
    const std::string name = result_of_symbol(symbol);
    const auto found = results_.find(name);
    if (found != results_.end()) return found->second;
    const std::string stem = spare();
    results_[name] = stem;
    text_.results[name] = upper(spell(stem, 64).substr(1));
    return stem;
  }

  // The stem of the register that stands for this memory: a result or a place in the stack; empty for others.
  std::string stands_for(const std::string& operand) {
    if (is_stack(operand)) {
      if (!slots_.contains(operand)) slots_[operand] = spare();
      return slots_[operand];
    }
    if (operand.ends_with("(%rip)") && operand.find('@') == std::string::npos) {
      const std::string symbol = symbol_in(operand);
      if (!result_of_symbol(symbol).empty()) return result_register(symbol);
    }
    if (operand.starts_with("(%") && operand.find(',') == std::string::npos) {
      const auto held = symbols_.find(stem_of(operand.substr(1, operand.size() - 2)));
      if (held != symbols_.end() && !result_of_symbol(held->second).empty()) return result_register(held->second);
    }
    return {};
  }

  // The operand in the form of the dialect. Locations lose their prefix.
  std::string rewritten(const std::string& operand, int bits) {
    if (const std::string stem = stands_for(operand); !stem.empty()) return spell(stem, bits);
    const std::string symbol = symbol_in(operand);
    if (symbol.empty()) {
      check_registers(operand);
      return operand;
    }
    if (operand.find_first_of("@+") != std::string::npos) misunderstood(fmt::format("the operand '{}'", operand));
    return location_of_symbol(symbol) + operand.substr(symbol.size());
  }

  // The address of a result does not exist in the test.
  void check_registers(const std::string& operand) {
    for (const auto& [stem, symbol] : symbols_) {
      if (result_of_symbol(symbol).empty()) continue;
      if (operand.find(spell(stem, 64)) != std::string::npos) {
        misunderstood("the address of a result is used in an unknown way");
      }
    }
  }

  // ---- instructions ----

  void instruction(Words words, bool locked) {
    if (holds_address(words)) return;
    std::string m = words.mnemonic;
    if (m.starts_with("set")) return set(words);
    if (m.starts_with("cmov") && m.size() > 5 && (m.back() == 'l' || m.back() == 'q') && m != "cmovl") m.pop_back();
    if (m.starts_with("movz") || m.starts_with("movs")) return extend(words);
    // Instructions on bytes of registers become instructions on whole registers: these were extended when they were
    // set.
    const bool byte = m == "movb" || m == "andb" || m == "testb" || m == "orb" || m == "xorb" || m == "cmpb";
    const int bits = byte ? 32 : bits_of(words.mnemonic);
    if (byte) m.back() = 'l';
    std::string cell = (locked ? "LOCK " : "") + upper(m);
    for (std::size_t i = 0; i < words.operands.size(); ++i) {
      std::string operand = rewritten(words.operands[i], bits);
      if (byte && !stem_of(operand).empty()) operand = spell(stem_of(operand), 32);
      if (byte && (operand.starts_with('(') || operand.ends_with(')'))) misunderstood("a byte of memory is used");
      cell += (i > 0 ? "," : " ") + operand;
    }
    put(cell);
    forget_targets(words);
  }

  void forget_targets(const Words& words) {
    if (words.operands.empty() || starts_with_any(words.mnemonic, {"cmp", "test"})) {
      if (!words.mnemonic.starts_with("cmpxchg")) return;
    }
    for (const std::string& operand : words.operands) {
      const bool exchanged = starts_with_any(words.mnemonic, {"xchg", "xadd"});
      if (exchanged || &operand == &words.operands.back()) symbols_.erase(stem_of(operand));
    }
    if (words.mnemonic.starts_with("cmpxchg")) symbols_.erase("ax");
  }

  // movq ws_x@GOTPCREL(%rip), %rax; leaq ws_x(%rip), %rax; movl $ws_x, %eax; movq %rax, %rcx
  bool holds_address(const Words& words) {
    if (words.operands.size() != 2) return false;
    const std::string& source = words.operands[0];
    const std::string target = stem_of(words.operands[1]);
    if (target.empty()) return false;
    std::string symbol;
    if (source.find("@GOTPCREL") != std::string::npos || words.mnemonic == "leaq") {
      symbol = symbol_in(source);
      if (!symbol.empty() && !source.ends_with("(%rip)")) {
        misunderstood(fmt::format("the operand '{}'", source));
        return true;
      }
    } else if (source.starts_with('$')) {
      symbol = symbol_in(source.substr(1));
    } else if (words.mnemonic == "movq" && symbols_.contains(stem_of(source))) {
      symbol = symbols_[stem_of(source)];
    }
    if (symbol.empty()) return false;
    symbols_[target] = symbol;
    if (result_of_symbol(symbol).empty()) {
      put(fmt::format("MOVQ ${},{}", location_of_symbol(symbol), spell(target, 64)));
    }
    return true;
  }

  // The dialect sets a whole register. What compilers leave in the rest of it is cleared before or right after.
  void set(const Words& words) {
    const std::string stem = words.operands.size() == 1 ? stem_of(words.operands[0]) : "";
    if (stem.empty()) return misunderstood(fmt::format("'{}' of memory", words.mnemonic));
    put(fmt::format("{} {}", upper(words.mnemonic), spell(stem, 8)));
    put(fmt::format("MOVZBL {},{}", spell(stem, 8), spell(stem, 32)));
    symbols_.erase(stem);
  }

  void extend(const Words& words) {
    if (words.operands.size() != 2) return misunderstood(words.mnemonic);
    const std::string& m = words.mnemonic;
    const int from = m.size() > 4 && m[4] == 'b' ? 8 : m.size() > 4 && m[4] == 'w' ? 16 : 32;
    const std::string source = rewritten(words.operands[0], from);
    put(fmt::format("{} {},{}", upper(m), source, words.operands[1]));
    symbols_.erase(stem_of(words.operands[1]));
  }

  const MachineFunction& function_;
  ThreadText text_;
  Symbols symbols_;
  std::map<std::string, Symbols> at_labels_;
  std::set<std::string> seen_;
  std::vector<std::string> spares_;
  std::map<std::string, std::string> results_;  // the stems of registers with the value of a result
  std::map<std::string, std::string> slots_;    // the stems of registers that stand for places in the stack
  bool reachable_ = true;
  bool last_ = false;
  bool end_used_ = false;
};

}  // namespace
}  // namespace from_x86_64

ThreadText read_x86_64(const MachineFunction& function) { return from_x86_64::Reader(function).read(); }

}  // namespace weakspot::compile
