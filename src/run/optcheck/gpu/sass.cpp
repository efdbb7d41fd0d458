// SPDX-License-Identifier: MIT
#include "optcheck/gpu/sass.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

namespace weakspot::optcheck {
namespace {

constexpr Register kUniform = 256;
constexpr Register kPredicate = 384;
constexpr Register kUniformPredicate = 400;

std::string_view trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

std::optional<unsigned> decimal(std::string_view text, std::size_t& used) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  used = static_cast<std::size_t>(end - text.data());
  if (error != std::errc()) return std::nullopt;
  return value;
}

struct Named {
  Register number = 0;
  bool pair = false;  // two registers: "R4.64"
};

// The registers that an operand names; RZ, PT and the like are not registers.
std::vector<Named> registers_in(std::string_view operand) {
  std::vector<Named> found;
  for (std::size_t i = 0; i < operand.size(); ++i) {
    const bool begins =
        i == 0 || !(std::isalnum(static_cast<unsigned char>(operand[i - 1])) != 0 || operand[i - 1] == '_');
    if (!begins) continue;
    std::string_view rest = operand.substr(i);
    Register base = 0;
    std::size_t skip = 1;
    if (rest.starts_with("UR")) {
      base = kUniform;
      skip = 2;
    } else if (rest.starts_with("UP")) {
      base = kUniformPredicate;
      skip = 2;
    } else if (rest.starts_with('P')) {
      base = kPredicate;
    } else if (!rest.starts_with('R')) {
      continue;
    }
    std::size_t used = 0;
    const std::optional<unsigned> number = decimal(rest.substr(skip), used);
    if (!number || *number >= 255) continue;
    rest = rest.substr(skip + used);
    found.push_back({static_cast<Register>(base + *number), rest.starts_with(".64")});
    i += skip + used - 1;
  }
  return found;
}

std::vector<std::string_view> operands_of(std::string_view text) {
  std::vector<std::string_view> operands;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && (text[i] == '[' || text[i] == '(')) ++depth;
    if (i < text.size() && (text[i] == ']' || text[i] == ')')) --depth;
    if (i < text.size() && (text[i] != ',' || depth != 0)) continue;
    if (const std::string_view operand = trim(text.substr(begin, i - begin)); !operand.empty()) {
      operands.push_back(operand);
    }
    begin = i + 1;
  }
  return operands;
}

bool is_predicate(std::string_view operand) {
  if (operand.starts_with('!')) operand.remove_prefix(1);
  if (operand.starts_with('U')) operand.remove_prefix(1);
  return operand == "PT" || (operand.size() >= 2 && operand[0] == 'P' && operand[1] >= '0' && operand[1] <= '9');
}

class SassReader {
 public:
  explicit SassReader(const SassListing& listing)
      : listing_(listing.text), kernel_(listing.kernel), begin_(listing.begin) {}

  base::Result<std::vector<SassInstruction>> run() {
    bool inside = false;
    for (std::size_t at = 0; at < listing_.size();) {
      const std::size_t end = std::min(listing_.find('\n', at), listing_.size());
      const std::string_view line = trim(listing_.substr(at, end - at));
      at = end + 1;
      if (kernel_.empty()) {
        read(line);
      } else if (line == fmt::format(".text.{}:", kernel_) || line == fmt::format("Function : {}", kernel_)) {
        inside = true;
      } else if (line.starts_with(".section") || line.starts_with("Function :") || line.starts_with("//------")) {
        inside = false;
      } else if (inside) {
        read(line);
      }
    }
    if (code_.empty()) return base::error(fmt::format("the listing of the machine code has no kernel '{}'", kernel_));
    return link();
  }

 private:
  void read(std::string_view line) {
    if (line.ends_with(':')) {
      labels_[std::string(line.substr(0, line.size() - 1))] = code_.size();
      return;
    }
    if (!line.starts_with("/*")) return;
    const std::size_t close = line.find("*/");
    const std::size_t semicolon = line.find(';');
    if (close == std::string_view::npos || semicolon == std::string_view::npos) return;
    SassInstruction made;
    const std::string_view digits = line.substr(2, close - 2);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), made.at, 16);
    if (error != std::errc() || end != digits.data() + digits.size() || made.at < begin_) return;
    made.at -= begin_;
    std::string_view text = trim(line.substr(close + 2, semicolon - close - 2));
    if (text.starts_with('@')) {
      const std::size_t space = text.find(' ');
      add_all(registers_in(text.substr(0, space)), made.step.condition);
      made.step.keeps = !made.step.condition.empty();
      text = trim(text.substr(space));
    }
    made.text = text;
    const std::size_t space = std::min(text.find(' '), text.size());
    made.mnemonic = text.substr(0, space);
    fill(made, operands_of(text.substr(space)));
    code_.push_back(std::move(made));
  }

  static void add_all(const std::vector<Named>& from, std::vector<Register>& to) {
    for (const Named& named : from) {
      to.push_back(named.number);
      if (named.pair) to.push_back(static_cast<Register>(named.number + 1));
    }
  }
  static void add_pair(const std::vector<Named>& from, std::vector<Register>& to) {
    for (const Named& named : from) {
      to.push_back(named.number);
      if (named.number < kPredicate) to.push_back(static_cast<Register>(named.number + 1));
    }
  }

  bool has(const SassInstruction& made, std::string_view part) const {
    return ("." + made.mnemonic + ".").find(fmt::format(".{}.", part)) != std::string::npos;
  }

  void fill(SassInstruction& made, const std::vector<std::string_view>& operands) {
    static constexpr std::string_view kSilent[] = {"BSSY",   "BSYNC",         "NOP",   "BAR",   "MEMBAR",
                                                   "ERRBAR", "CGAERRBAR",     "CCTL",  "YIELD", "WARPSYNC",
                                                   "EXIT",   "ENDCOLLECTIVE", "BREAK", "DEPBAR"};
    if (made.is("BRA") || made.is("JMP") || made.is("BRX") || made.is("CALL") || made.is("RET"))
      return branch(made, operands);
    if (made.is("EXIT")) made.step.falls_through = !made.step.condition.empty();
    if (std::any_of(std::begin(kSilent), std::end(kSilent), [&](std::string_view verb) { return made.is(verb); }))
      return;
    static constexpr std::string_view kMemory[] = {"LDG", "STG",   "LD",   "ST",    "LDS",  "STS", "LDL",
                                                   "STL", "ATOMG", "ATOM", "ATOMS", "REDG", "RED"};
    if (std::any_of(std::begin(kMemory), std::end(kMemory), [&](std::string_view verb) { return made.is(verb); })) {
      return memory(made, operands);
    }
    arithmetic(made, operands);
  }

  void branch(SassInstruction& made, const std::vector<std::string_view>& operands) {
    if (!made.is("BRA") || operands.empty()) {
      problem_ = fmt::format("the jump '{}' is not known", made.text);
      return;
    }
    for (std::size_t i = 0; i + 1 < operands.size(); ++i) add_all(registers_in(operands[i]), made.step.condition);
    // BRA.DIV leaves only where the threads of a warp are apart.
    const bool conditional = !made.step.condition.empty() || has(made, "DIV") || operands.size() > 1;
    made.step.falls_through = conditional;
    jumps_.emplace_back(code_.size(), std::string(operands.back()));
  }

  void memory(SassInstruction& made, const std::vector<std::string_view>& operands) {
    const bool store = made.mnemonic.starts_with("ST") || made.mnemonic.starts_with("RED");
    const bool wide = has(made, "64");
    const bool near = made.is("LDS") || made.is("STS") || made.is("ATOMS") || made.is("LDL") || made.is("STL");
    bool address_seen = false;
    for (std::string_view operand : operands) {
      if (operand.find('[') != std::string_view::npos) {
        // The descriptor belongs to no access.
        if (const std::size_t second = operand.find("]["); second != std::string_view::npos)
          operand.remove_prefix(second + 1);
        const std::vector<Named> named = registers_in(operand);
        near ? add_all(named, made.step.address) : add_pair(named, made.step.address);
        address_seen = true;
      } else if (!address_seen && !store) {
        wide ? add_pair(registers_in(operand), made.step.writes) : add_all(registers_in(operand), made.step.writes);
      } else {
        wide ? add_pair(registers_in(operand), made.step.data) : add_all(registers_in(operand), made.step.data);
      }
    }
    made.load = !store;
  }

  void arithmetic(SassInstruction& made, const std::vector<std::string_view>& operands) {
    if (operands.empty()) return;
    const bool wide = has(made, "WIDE") || has(made, "64") || (made.is("CS2R") && !has(made, "32"));
    std::size_t i = 0;
    wide ? add_pair(registers_in(operands[0]), made.step.writes) : add_all(registers_in(operands[0]), made.step.writes);
    ++i;
    // A result beside the predicate that comes first, or carries beside the result.
    if (is_predicate(operands[0]) && operands.size() > 1) {
      add_all(registers_in(operands[1]), made.step.writes);
      ++i;
    } else {
      for (; i < operands.size() && is_predicate(operands[i]) && i + 1 < operands.size(); ++i) {
        add_all(registers_in(operands[i]), made.step.writes);
      }
    }
    for (; i < operands.size(); ++i) {
      const std::vector<Named> named = registers_in(operands[i]);
      // The addend of a wide product is wide, and the last of the three.
      has(made, "WIDE") && i >= 3 ? add_pair(named, made.step.data) : add_all(named, made.step.data);
    }
  }

  base::Result<std::vector<SassInstruction>> link() {
    if (!problem_.empty()) return base::error(problem_);
    for (const auto& [i, text] : jumps_) {
      std::string_view name = text;
      if (name.starts_with("`(")) name = name.substr(2, name.size() - 3);
      const auto label = labels_.find(std::string(name));
      if (label != labels_.end()) {
        code_[i].step.target = label->second;
        continue;
      }
      std::uint64_t at = 0;
      if (name.starts_with("0x")) std::from_chars(name.data() + 2, name.data() + name.size(), at, 16);
      const auto found =
          std::find_if(code_.begin(), code_.end(), [&](const SassInstruction& one) { return one.at + begin_ == at; });
      if (!name.starts_with("0x") || found == code_.end()) {
        return base::error(fmt::format("the jump '{}' leads nowhere", code_[i].text));
      }
      code_[i].step.target = static_cast<std::size_t>(found - code_.begin());
    }
    return std::move(code_);
  }

  std::string_view listing_;
  std::string_view kernel_;
  std::uint64_t begin_;
  std::vector<SassInstruction> code_;
  std::map<std::string, std::size_t> labels_;
  std::vector<std::pair<std::size_t, std::string>> jumps_;
  std::string problem_;
};

}  // namespace

base::Result<std::vector<SassInstruction>> read_sass(const SassListing& listing) { return SassReader(listing).run(); }

}  // namespace weakspot::optcheck
