// SPDX-License-Identifier: MIT
// PTX of compilers, rewritten as the PTX dialect.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "compile/read/thread_text.h"

namespace weakspot::compile {
namespace from_ptx {
namespace {

// Suffixes in the order of the manual, "atom.acq_rel.gpu.global.add.u32": libcu++ writes "atom.add.acq_rel.gpu.u32".
std::string in_order(std::string_view mnemonic) {
  const std::set<std::string_view> orders = {"relaxed", "acquire", "release", "acq_rel"};
  const std::set<std::string_view> scopes = {"cta", "cluster", "gpu", "sys"};
  std::string head, order, scope, rest;
  for (std::size_t at = 0; at < mnemonic.size();) {
    const std::size_t end = std::min(mnemonic.find('.', at), mnemonic.size());
    const std::string_view word = mnemonic.substr(at, end - at);
    std::string& part = at == 0 ? head : orders.contains(word) ? order : scopes.contains(word) ? scope : rest;
    part += (at == 0 ? "" : ".") + std::string(word);
    at = end + 1;
  }
  if (order.empty() && !scope.empty()) order = ".relaxed";
  return head + order + scope + rest;
}

class Reader {
 public:
  explicit Reader(const MachineFunction& function) : function_(function) {}

  ThreadText read() {
    for (std::size_t i = 0; i < function_.lines.size() && text_.error.empty(); ++i) {
      last_ = i + 1 == function_.lines.size();
      line(function_.lines[i]);
    }
    if (end_used_) text_.cells.push_back("WS_END:");
    return std::move(text_);
  }

 private:
  void misunderstood(const std::string& what) {
    if (text_.error.empty()) text_.error = what;
  }
  void put(const std::string& cell) { text_.cells.push_back(guard_ + cell); }

  // "%r1" and "%rd1": registers of the dialect have letters, digits and underscores.
  static std::string name_of(std::string_view text) {
    std::string name;
    for (const char c : text) {
      if (c != '%' && c != '$') name += c;
    }
    return name;
  }

  void line(std::string text) {
    if (const std::string label = label_in(text); !label.empty()) {
      text_.cells.push_back(label_name(label) + ":");
      return;
    }
    guard_.clear();
    if (text.starts_with('@')) {
      const std::size_t blank = text.find(' ');
      guard_ = name_of(text.substr(0, blank)) + " ";
      text = text.substr(blank + 1);
    }
    const Words words = words_of(text);
    const std::string& m = words.mnemonic;
    if (m == "ret" || m == "exit") {
      if (last_ && guard_.empty()) return;
      put("bra WS_END");
      end_used_ = true;
    } else if (m.starts_with("bra")) {
      put(fmt::format("bra {}", words.operands.empty() ? "" : label_name(words.operands[0])));
    } else if (starts_with_any(m, {"cvta", "mov.u64", "mov.b64"}) && words.operands.size() == 2) {
      move_address(words);
    } else if (starts_with_any(m, {"ld.", "st.", "atom.", "red."})) {
      access(words);
    } else if (m.starts_with("selp.")) {
      select(words);
    } else {
      compute(words);
    }
  }

  // ---- addresses ----

  static std::string symbol_in(std::string_view text) {
    const bool known = !result_of_symbol(text).empty() || !location_of_symbol(text).empty();
    return known ? std::string(text) : std::string();
  }

  // mov.u64 %rd1, ws_x; cvta.global.u64 %rd2, %rd1
  void move_address(const Words& words) {
    const std::string& target = words.operands[0];
    std::string symbol = symbol_in(words.operands[1]);
    if (symbol.empty() && symbols_.contains(words.operands[1])) symbol = symbols_[words.operands[1]];
    if (symbol.empty()) return compute(words);
    symbols_[target] = symbol;
    if (!result_of_symbol(symbol).empty()) return;
    // An address in a register is one that the register holds at first: PTX writes each register once.
    text_.addresses.emplace_back(name_of(target), location_of_symbol(symbol));
  }

  void access(const Words& words) {
    const bool update = starts_with_any(words.mnemonic, {"atom.", "red."});
    std::string cell = update ? in_order(words.mnemonic) : words.mnemonic;
    const bool store = words.mnemonic.starts_with("st.");
    for (std::size_t i = 0; i < words.operands.size(); ++i) {
      std::string operand = words.operands[i];
      if (operand.starts_with('[')) {
        const std::string inner = operand.substr(1, operand.size() - 2);
        std::string symbol = symbol_in(inner);
        if (symbol.empty() && symbols_.contains(inner)) symbol = symbols_[inner];
        if (!result_of_symbol(symbol).empty()) {
          if (!store || words.operands.size() != 2 || starts_with_any(words.mnemonic, {"st.v2", "st.v4"})) {
            return misunderstood(fmt::format("the result is reached by '{}'", words.mnemonic));
          }
          return store_result(symbol, words.operands[1], words.mnemonic);
        }
        operand =
            symbol.empty() ? fmt::format("[{}]", name_of(inner)) : fmt::format("[{}]", location_of_symbol(symbol));
      }
      cell += (i > 0 ? ", " : " ") + name_of(operand);
    }
    put(cell);
  }

  void store_result(const std::string& symbol, const std::string& value, const std::string& mnemonic) {
    const std::string name = result_of_symbol(symbol);
    const std::string reg = "result_" + name;
    text_.results[name] = reg;
    const bool wide = mnemonic.ends_with("64");
    put(fmt::format("mov.{} {}, {}", wide ? "s64" : "s32", reg, name_of(value)));
  }

  // ---- computing ----

  // selp.u32 %r2, 1, 0, %p1 is two guarded moves: the dialect has no select.
  void select(const Words& words) {
    if (words.operands.size() != 4 || !guard_.empty()) return misunderstood(fmt::format("'{}'", words.mnemonic));
    const std::string type = words.mnemonic.substr(5);
    const std::string target = name_of(words.operands[0]);
    const std::string predicate = name_of(words.operands[3]);
    put(fmt::format("mov.{} {}, {}", type, target, name_of(words.operands[2])));
    text_.cells.push_back(fmt::format("@{} mov.{} {}, {}", predicate, type, target, name_of(words.operands[1])));
  }

  void compute(const Words& words) {
    std::string cell = words.mnemonic;
    for (std::size_t i = 0; i < words.operands.size(); ++i) {
      const auto held = symbols_.find(words.operands[i]);
      if (i > 0 && held != symbols_.end() && !result_of_symbol(held->second).empty()) {
        return misunderstood("the address of a result is used in an unknown way");
      }
      cell += (i > 0 ? ", " : " ") + name_of(words.operands[i]);
    }
    put(cell);
  }

  const MachineFunction& function_;
  ThreadText text_;
  std::map<std::string, std::string> symbols_;  // registers that hold the address of a symbol
  std::string guard_;                           // the current instruction's, with a blank
  bool last_ = false;
  bool end_used_ = false;
};

}  // namespace
}  // namespace from_ptx

ThreadText read_ptx(const MachineFunction& function) { return from_ptx::Reader(function).read(); }

}  // namespace weakspot::compile
