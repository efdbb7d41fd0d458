// SPDX-License-Identifier: MIT
#include "prove/translate/thread_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "prove/translate/translation.h"

namespace weakspot::prove {
namespace {

constexpr std::string_view kScopes[] = {"wg", "dev", "sys", "cluster"};

// Registers hold numbers without a sign, so that comparisons without one need nothing else.
class ThreadWriter {
 public:
  ThreadWriter(const residual::Thread& thread, const std::vector<TestLocation>& locations, const TestPlaces& places)
      : thread_(thread), locations_(locations), places_(places) {}

  ThreadText run() {
    for (at_ = 0; at_ < thread_.code.size() && text_.problem.empty(); ++at_) write(thread_.code[at_]);
    if (needs_end_ || text_.lines.empty()) line("END:", false);
    return std::move(text_);
  }

 private:
  void line(std::string text, bool own = true) {
    text_.lines.push_back({std::move(text), own ? at_ : Translation::kNoInstruction});
  }
  void refuse(const std::string& problem) {
    if (!text_.problem.empty()) return;
    text_.problem = problem;
    text_.problem_place = thread_.code[at_].place;
  }

  unsigned bytes_of(const residual::Operand& operand) const {
    return operand.known ? 8 : std::max(1, thread_.widths[operand.bits] / 8);
  }
  std::string reg(std::uint64_t number) {
    const std::string name = fmt::format("r{}", number);
    text_.registers[name] = type_word(static_cast<unsigned>(std::max(1, thread_.widths[number] / 8)), false);
    return name;
  }
  std::string temporary(unsigned size, bool is_signed) {
    const std::string name = fmt::format("t{}", temporaries_++);
    text_.registers[name] = type_word(size, is_signed);
    return name;
  }
  std::string operand(const residual::Operand& operand) {
    if (!operand.known) return reg(operand.bits);
    return fmt::format("{}", static_cast<std::int64_t>(operand.bits));
  }
  // As a signed number of the width.
  std::string signed_operand(const residual::Operand& operand, unsigned size) {
    if (operand.known) return fmt::format("{}", as_number(operand.bits, size));
    if (size == 8) return reg(operand.bits);
    const std::string name = temporary(size, true);
    line(fmt::format("mov {}, {}", name, reg(operand.bits)));
    return name;
  }
  // The operand with its top bit flipped: a signed comparison of two of them is the unsigned one of the originals.
  std::string turned_operand(const residual::Operand& operand) {
    if (operand.known) {
      return fmt::format("{}", static_cast<std::int64_t>(operand.bits ^ (std::uint64_t{1} << 63)));
    }
    const std::string name = temporary(8, true);
    line(fmt::format("xor {}, {}, {}", name, reg(operand.bits), std::int64_t{-1} - 0x7fffffffffffffff));
    return name;
  }

  unsigned compared_size(const residual::Instruction& one) const {
    unsigned size = 8;
    for (const residual::Operand& operand : one.operands) {
      if (!operand.known) size = bytes_of(operand);
    }
    return size;
  }

  struct Condition {
    std::string_view word;
    std::string left, right;
  };
  Condition condition(const residual::Instruction& one) {
    const residual::Operand &a = one.operands[0], &b = one.operands[1];
    const unsigned size = compared_size(one);
    auto both = [&](std::string_view word, const auto& make) {
      std::string left = make(a);  // one after the other: they may add lines
      std::string right = make(b);
      return Condition{word, std::move(left), std::move(right)};
    };
    auto plain = [&](const residual::Operand& x) { return operand(x); };
    auto with_sign = [&](const residual::Operand& x) { return signed_operand(x, size); };
    auto turned = [&](const residual::Operand& x) { return turned_operand(x); };
    switch (one.op) {
      case residual::Op::eq:
        return both("eq", plain);
      case residual::Op::ne:
        return both("ne", plain);
      case residual::Op::less:
        return size == 8 ? both("lt", turned) : both("lt", plain);
      case residual::Op::less_equal:
        return size == 8 ? both("le", turned) : both("le", plain);
      case residual::Op::less_signed:
        return both("lt", with_sign);
      default:
        return both("le", with_sign);
    }
  }

  void write(const residual::Instruction& one) {
    switch (one.kind) {
      case residual::Kind::load:
        return load(one);
      case residual::Kind::store:
        return line(fmt::format("st{} {}, {}", suffixes(one), address(one), stored(one.operands[0], one.size)));
      case residual::Kind::update:
        return update(one);
      case residual::Kind::fence:
        return line(fmt::format("fence.{}.{}", fence_order(one), kScopes[one.scope]));
      case residual::Kind::barrier:
        return line(one.op == residual::Op::mov ? "bar.sg" : "bar");
      case residual::Kind::compute:
        return compute(one);
      case residual::Kind::branch: {
        const Condition test = condition(one);
        return line(fmt::format("b{} {}, {}, L{}", test.word, test.left, test.right, one.label));
      }
      case residual::Kind::jump:
        return line(fmt::format("b L{}", one.label));
      case residual::Kind::label:
        return line(fmt::format("L{}:", one.label));
      case residual::Kind::stop:
        text_.registers["stop"] = "s32";
        if (std::find(text_.stops.begin(), text_.stops.end(), one.label) == text_.stops.end()) {
          text_.stops.push_back(one.label);
        }
        line(fmt::format("mov stop, {}", one.label + 1));
        return leave();
      case residual::Kind::end:
        return leave();
    }
  }

  void leave() {
    const bool last = at_ + 1 == thread_.code.size();
    if (last) return;
    needs_end_ = true;
    line("b END", false);
  }

  static std::string_view fence_order(const residual::Instruction& one) {
    return (one.order & 4) != 0 ? "sc" : one.order == 1 ? "acq" : one.order == 2 ? "rel" : "acqrel";
  }

  std::string address(const residual::Instruction& one) const {
    const TestPlace& place = places_.at({one.address, one.size});
    const std::string& word = locations_[place.location].word;
    return place.offset == 0 ? word : fmt::format("{}+{}", word, place.offset);
  }

  std::string suffixes(const residual::Instruction& one, std::string_view type = {}) const {
    std::string text;
    if (!one.strong) text += ".na";
    if (one.strong && one.kind == residual::Kind::load && (one.order & 1) != 0) text += ".acq";
    if (one.strong && one.kind == residual::Kind::store && (one.order & 2) != 0) text += ".rel";
    if (one.kind == residual::Kind::update && one.order != 0) {
      text += one.order == 1 ? ".acq" : one.order == 2 ? ".rel" : ".acqrel";
    }
    if (one.strong) text += fmt::format(".{}", kScopes[one.scope]);
    if (one.is_volatile) text += ".vol";
    if (one.more) text += ".vec";
    const TestPlace& place = places_.at({one.address, one.size});
    if (!type.empty()) {
      text += fmt::format(".{}", type);
    } else if (locations_[place.location].size != one.size) {
      text += fmt::format(".{}", type_word(one.size, true));
    }
    return text;
  }

  std::string stored(const residual::Operand& value, unsigned size) {
    return value.known ? fmt::format("{}", as_number(value.bits, size)) : reg(value.bits);
  }

  void load(const residual::Instruction& one) {
    const std::string target = reg(*one.target);
    line(fmt::format("ld{} {}, {}", suffixes(one), target, address(one)));
    check_unset(one, target);
  }

  // Counted beside what the thread does with the value: the memory model must see no dependency that is not there.
  void check_unset(const residual::Instruction& one, const std::string& target) {
    const TestLocation& location = locations_[places_.at({one.address, one.size}).location];
    if (location.initialised) return;
    if (!text_.checks_unset) text_.unset_place = one.place;
    text_.checks_unset = true;
    text_.registers["unset"] = "s32";
    const std::uint64_t pattern = unset_pattern(one.size);
    line(fmt::format("sel.eq unset, {}, {}, 1, unset", target, static_cast<std::int64_t>(pattern)), false);
  }

  void update(const residual::Instruction& one) {
    std::string_view word;
    std::string type;
    switch (one.op) {
      case residual::Op::add:
        word = "add";
        break;
      case residual::Op::sub:
        word = "sub";
        break;
      case residual::Op::and_:
        word = "and";
        break;
      case residual::Op::or_:
        word = "or";
        break;
      case residual::Op::xor_:
        word = "xor";
        break;
      case residual::Op::exchange:
        word = "exch";
        break;
      case residual::Op::cas:
        word = "cas";
        break;
      case residual::Op::increment:
        word = "inc";
        break;
      case residual::Op::decrement:
        word = "dec";
        break;
      case residual::Op::min:
      case residual::Op::min_signed:
        word = "min";
        type = type_word(one.size, one.op == residual::Op::min_signed);
        break;
      case residual::Op::max:
      case residual::Op::max_signed:
        word = "max";
        type = type_word(one.size, one.op == residual::Op::max_signed);
        break;
      default:
        return refuse("an atomic operation that litmus tests do not have");
    }
    const std::string target = reg(*one.target);
    std::string text = fmt::format("atom.{}{} {}, {}", word, suffixes(one, type), target, address(one));
    if (one.op == residual::Op::cas) text += ", " + stored(one.operands[1], one.size);
    line(text + ", " + stored(one.operands[0], one.size));
    check_unset(one, target);
  }

  void compute(const residual::Instruction& one) {
    const unsigned width = thread_.widths[*one.target];
    const std::string target = reg(*one.target);
    auto two = [&](std::string_view word) {
      const std::string left = operand(one.operands[0]);
      const std::string right = operand(one.operands[1]);
      line(fmt::format("{} {}, {}, {}", word, target, left, right));
    };
    switch (one.op) {
      case residual::Op::mov:
        if (width == 1) return line(fmt::format("and {}, {}, 1", target, operand(one.operands[0])));
        return line(fmt::format("mov {}, {}", target, operand(one.operands[0])));
      case residual::Op::add:
      case residual::Op::sub:
        return two(width == 1 ? "xor" : one.op == residual::Op::add ? "add" : "sub");
      case residual::Op::mul:
        return two(width == 1 ? "and" : "mul");
      case residual::Op::and_:
        return two("and");
      case residual::Op::or_:
        return two("or");
      case residual::Op::xor_:
        return two("xor");
      case residual::Op::shl:
        if (width == 1) return refuse("a shift of a truth value");
        return two("shl");
      case residual::Op::shift_right:
        if (width == 1) return refuse("a shift of a truth value");
        return shift(one, target, false);
      case residual::Op::shift_right_signed:
        if (width == 1) return refuse("a shift of a truth value");
        return shift(one, target, true);
      case residual::Op::sign_extend:
        return extend(one, target);
      case residual::Op::select: {
        const std::string chosen = operand(one.operands[0]);
        const std::string yes = operand(one.operands[1]);
        const std::string no = operand(one.operands[2]);
        return line(fmt::format("sel.ne {}, {}, 0, {}, {}", target, chosen, yes, no));
      }
      default: {
        const Condition test = condition(one);
        return line(fmt::format("{} {}, {}, {}", test.word, target, test.left, test.right));
      }
    }
  }

  // A shift looks at the type of its target.
  void shift(const residual::Instruction& one, const std::string& target, bool with_sign) {
    const auto size = static_cast<unsigned>(thread_.widths[*one.target] / 8);
    const std::string from = with_sign ? signed_operand(one.operands[0], size) : operand(one.operands[0]);
    const std::string by = operand(one.operands[1]);
    if (!with_sign) return line(fmt::format("shr {}, {}, {}", target, from, by));
    const std::string shifted = temporary(size, true);
    line(fmt::format("shr {}, {}, {}", shifted, from, by));
    line(fmt::format("mov {}, {}", target, shifted));
  }

  void extend(const residual::Instruction& one, const std::string& target) {
    const residual::Operand& from = one.operands[0];
    if (from.known) return line(fmt::format("mov {}, {}", target, operand(from)));
    if (thread_.widths[from.bits] == 1) return line(fmt::format("neg {}, {}", target, reg(from.bits)));
    line(fmt::format("mov {}, {}", target, signed_operand(from, bytes_of(from))));
  }

  const residual::Thread& thread_;
  const std::vector<TestLocation>& locations_;
  const TestPlaces& places_;
  std::size_t at_ = 0;
  unsigned temporaries_ = 0;
  bool needs_end_ = false;
  ThreadText text_;
};

}  // namespace

std::uint64_t unset_pattern(unsigned size) {
  constexpr std::uint64_t kPattern = 0xa5a5a5a5a5a5a5a5;
  return size >= 8 ? kPattern : kPattern & ((std::uint64_t{1} << (8 * size)) - 1);
}

std::string type_word(unsigned size, bool is_signed) { return fmt::format("{}{}", is_signed ? 's' : 'u', 8 * size); }

std::int64_t as_number(std::uint64_t bits, unsigned size) {
  const unsigned unused = 64 - 8 * size;
  return static_cast<std::int64_t>(bits << unused) >> unused;
}

ThreadText thread_text(const residual::Thread& thread, const std::vector<TestLocation>& locations,
                       const TestPlaces& places) {
  return ThreadWriter(thread, locations, places).run();
}

}  // namespace weakspot::prove
