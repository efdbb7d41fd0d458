// SPDX-License-Identifier: MIT
#include "litmus/herd/spelling.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <vector>

#include "litmus/herd/herd_text.h"
#include "litmus/riscv/riscv.h"
#include "litmus/text/cursor.h"

namespace weakspot::litmus::herd {
namespace {

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

std::string decimal(std::string_view token) {
  const bool negative = token.starts_with('-');
  if (negative) token.remove_prefix(1);
  const std::optional<std::int64_t> value = parse_integer(token, negative);
  return value ? fmt::format("{}", *value) : std::string(token);
}

bool one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// ---- AArch64 ----

bool is_aarch64_jump(std::string_view mnemonic) {
  return mnemonic.starts_with("B.") || one_of(mnemonic, {"B", "BL", "CBZ", "CBNZ", "TBZ", "TBNZ", "ADR"});
}

// BEQ is B.EQ.
std::string aarch64_mnemonic(std::string word) {
  static constexpr std::string_view kConditions[] = {"EQ", "NE", "GE", "LT", "GT", "LE", "CS", "CC",
                                                     "MI", "PL", "VS", "VC", "HI", "LS", "AL"};
  if (word.size() == 3 && word[0] == 'B' &&
      std::find(std::begin(kConditions), std::end(kConditions), word.substr(1)) != std::end(kConditions)) {
    return "B." + word.substr(1);
  }
  return word;
}

bool takes_amount(std::string_view word) {
  return one_of(word, {"LSL", "LSR", "ASR", "ROR", "SXTW", "UXTW", "SXTX", "UXTX", "SXTB", "SXTH", "UXTB", "UXTH"});
}

void replace_first(std::string& text, std::string_view from, std::string_view to) {
  if (const std::size_t at = text.find(from); at != std::string::npos) text.replace(at, from.size(), to);
}

// Applies the peculiarities of herd7's printer.
void adjust_aarch64(std::string& mnemonic, std::string& operands) {
  const bool to_zero = operands.starts_with("XZR,") || operands.starts_with("WZR,");
  if (to_zero && (mnemonic == "SUBS" || mnemonic == "ANDS")) {
    mnemonic = mnemonic == "SUBS" ? "CMP" : "TST";
    operands.erase(0, 4);
  } else if (mnemonic == "ADR") {
    mnemonic = "ADDR";
  } else if (mnemonic == "LDP" || mnemonic == "STP") {
    replace_first(operands, ",[", operands.find("],#") == std::string::npos ? ",[" : ", [");
  }
  if (one_of(mnemonic, {"LDUR", "UBFM", "SBFM"})) {
    for (char& c : operands) c = c == 'W' ? 'X' : c;
    if (mnemonic == "LDUR") replace_first(operands, ",[", ", [");
  } else if (one_of(mnemonic, {"MOVZ", "MOVN", "MOVK"})) {
    replace_first(operands, ",LSL", ",,LSL");
  } else {
    for (std::string_view nothing : {",LSL #0", ",LSR #0", ",ASR #0", ",ROR #0"}) {
      if (operands.ends_with(nothing)) operands.erase(operands.size() - nothing.size());
    }
  }
}

}  // namespace

std::string spell_aarch64(std::string_view instruction, const LabelName& label) {
  const std::vector<std::string_view> tokens = tokens_of(instruction);
  std::string mnemonic = aarch64_mnemonic(upper_case(tokens[0]));
  std::string operands;
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    const std::string_view token = tokens[i];
    const bool last = i + 1 == tokens.size();
    if (token == "#") continue;
    if (is_number(token)) {
      const bool amount = i > 1 && takes_amount(upper_case(tokens[tokens[i - 1] == "#" ? i - 2 : i - 1]));
      operands += fmt::format("{}#{}", amount ? " " : "", decimal(token));
    } else if (is_name(token)) {
      operands += last && is_aarch64_jump(mnemonic) ? label(token) : upper_case(token);
    } else {
      operands += token;
    }
  }
  adjust_aarch64(mnemonic, operands);
  // A shift of an index by 0 is left out, and so is the comma before a post-index.
  for (const std::string_view nothing : {",LSL #0]", " #0]", ",#0]"}) replace_first(operands, nothing, "]");
  replace_first(operands, "],#", "]#");
  return operands.empty() ? mnemonic : fmt::format("{} {}", mnemonic, operands);
}

std::string spell_x86(std::string_view instruction, const LabelName& label) {
  const std::vector<std::string_view> tokens = tokens_of(instruction);
  std::string mnemonic = upper_case(tokens[0]);
  if (one_of(mnemonic, {"MOVB", "MOVW", "MOVL", "MOVQ", "MOVT"})) mnemonic = "MOV";
  if (mnemonic == "LOCK" && tokens.size() > 1) {
    const std::size_t rest = static_cast<std::size_t>(tokens[1].data() - instruction.data());
    return "LOCK; " + spell_x86(instruction.substr(rest), label);
  }
  std::string operands;
  bool memory = false;
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    std::string_view token = tokens[i];
    if (token.starts_with('$')) token.remove_prefix(1);
    if (token.empty()) continue;
    memory = token == "[" || (memory && token != "]");
    if (is_number(token)) {
      operands += "$" + decimal(token);
    } else if (is_name(token)) {
      operands += mnemonic[0] == 'J' ? label(token) : memory ? std::string(token) : upper_case(token);
    } else {
      operands += token;
    }
  }
  // herd7 prints these with two spaces.
  if (one_of(mnemonic, {"DEC", "CMP", "INC"})) mnemonic += ' ';
  return operands.empty() ? mnemonic : fmt::format("{} {}", mnemonic, operands);
}

std::string spell_x86_64(std::string_view instruction, const LabelName& label) {
  const std::vector<std::string_view> tokens = tokens_of(instruction);
  const std::string mnemonic = lower_case(tokens[0]);
  if (mnemonic == "nop" || mnemonic == "endbr64") return "NOP";
  if (mnemonic == "lock" && tokens.size() > 1) {
    const std::size_t rest = static_cast<std::size_t>(tokens[1].data() - instruction.data());
    return "lock; " + spell_x86_64(instruction.substr(rest), label);
  }
  std::string operands;
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    std::string_view token = tokens[i];
    const bool immediate = token.starts_with('$');
    if (immediate) token.remove_prefix(1);
    if (is_number(token)) {
      operands += (immediate ? "$" : "") + decimal(token);
    } else if (token.starts_with('%')) {
      operands += lower_case(token);
    } else if (is_name(token)) {
      operands += mnemonic[0] == 'j' ? label(token) : std::string(token);
    } else {
      operands += token;
    }
  }
  return operands.empty() ? mnemonic : fmt::format("{} {}", mnemonic, operands);
}

std::string spell_riscv(std::string_view instruction, const LabelName& label) {
  const std::vector<std::string_view> tokens = tokens_of(instruction);
  std::string mnemonic = lower_case(tokens[0]);
  replace_first(mnemonic, ".aq.rl", ".aqrl");
  const bool atomic = mnemonic.starts_with("amo");
  const bool jumps = mnemonic == "j" || (mnemonic[0] == 'b' && mnemonic.size() <= 4);
  std::string operands;
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    const std::string_view token = tokens[i];
    const bool address = i + 1 < tokens.size() && tokens[i + 1] == "(";
    if (is_number(token)) {
      // Atomic operations have no offset, whatever the text says.
      if (!(address && atomic)) operands += decimal(token);
    } else if (token == "(" && !is_number(tokens[i - 1]) && !atomic) {
      operands += "0(";
    } else if (const std::optional<int> reg = riscv::register_number(token)) {
      operands += riscv::register_name(*reg);
    } else {
      operands += jumps ? label(token) : std::string(token);
    }
  }
  if (mnemonic == "fence" && operands.empty()) operands = "rw,rw";
  if (mnemonic == "addi" && operands.ends_with(",0")) {
    mnemonic = "mv";
    operands.erase(operands.size() - 2);
  }
  if (mnemonic == "xori") mnemonic = " xori";  // herd7 prints the blank
  return operands.empty() ? mnemonic : fmt::format("{} {}", mnemonic, operands);
}

}  // namespace weakspot::litmus::herd
