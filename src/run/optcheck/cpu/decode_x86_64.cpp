// SPDX-License-Identifier: MIT
// x86-64 bytes. Opcodes are those of the Intel manual, volume 2, appendix A.
#include <fmt/format.h>

#include "optcheck/cpu/decoded.h"

namespace weakspot::optcheck {
namespace {

using litmus::Order;
using litmus::RmwOp;

constexpr Register kRax = 0;
constexpr Register kRcx = 1;
constexpr Register kRsp = 4;

std::string register_name(Register number, int bytes) {
  static constexpr std::string_view kNames[] = {"ax", "cx", "dx", "bx", "sp", "bp", "si", "di"};
  const std::string_view suffix = bytes == 8 ? "" : bytes == 4 ? "d" : bytes == 2 ? "w" : "b";
  if (number >= 8) return fmt::format("r{}{}", number, suffix);
  if (bytes == 1) return number < 4 ? fmt::format("{}l", kNames[number][0]) : fmt::format("{}l", kNames[number]);
  return fmt::format("{}{}", bytes == 8 ? "r" : bytes == 4 ? "e" : "", kNames[number]);
}

std::string_view condition_suffix(std::uint8_t code) {
  static constexpr std::string_view kNames[] = {"o", "no", "b", "ae", "e", "ne", "be", "a",
                                                "s", "ns", "p", "np", "l", "ge", "le", "g"};
  return kNames[code & 15];
}

class X86Instruction {
 public:
  X86Instruction(std::span<const std::uint8_t> bytes, std::uint64_t at) : bytes_(bytes), next_(at) { out_.at = at; }

  std::optional<CpuDecoded> decode() {
    prefixes();
    const std::uint8_t opcode = byte();
    const bool known = opcode == 0x0f ? two_bytes(byte()) : one_byte(opcode);
    if (!known || truncated_) return std::nullopt;
    out_.length = static_cast<std::uint32_t>(next_ - out_.at);
    if (relative_) out_.jump = next_ + static_cast<std::uint64_t>(*relative_);
    if (relative_) out_.text += fmt::format(" {:#x}", *out_.jump);
    return std::move(out_);
  }

 private:
  // ---- bytes ----

  std::uint8_t byte() {
    if (next_ < bytes_.size()) return bytes_[next_++];
    truncated_ = true;
    return 0;
  }
  std::int64_t number(int size) {
    std::uint64_t value = 0;
    for (int i = 0; i < size; ++i) value |= std::uint64_t{byte()} << (8 * i);
    return size == 8 ? static_cast<std::int64_t>(value)
                     : static_cast<std::int64_t>(value << (64 - 8 * size)) >> (64 - 8 * size);
  }

  void prefixes() {
    while (next_ < bytes_.size()) {
      const std::uint8_t prefix = bytes_[next_];
      if (prefix == 0x66) {
        bytes_of_operand_ = 2;
      } else if (prefix == 0xf0) {
        locked_ = true;
      } else if ((prefix & 0xf0) == 0x40) {
        rex_ = prefix;
        if ((rex_ & 8) != 0) bytes_of_operand_ = 8;
      } else {
        return;
      }
      ++next_;
    }
  }

  // The register or memory operand, and the register beside it.
  struct Operands {
    Register reg = 0;
    std::optional<Register> other;  // without it, out_.address is the operand
  };
  Operands operands() {
    const std::uint8_t modrm = byte();
    Operands found;
    found.reg = static_cast<Register>((modrm >> 3 & 7) | ((rex_ & 4) << 1));
    const std::uint8_t mode = modrm >> 6;
    const auto low = static_cast<Register>(modrm & 7);
    if (mode == 3) {
      found.other = static_cast<Register>(low | ((rex_ & 1) << 3));
      return found;
    }
    CpuAddress address;
    if (low == 4) {
      const std::uint8_t sib = byte();
      const auto index = static_cast<Register>((sib >> 3 & 7) | ((rex_ & 2) << 2));
      address.base = static_cast<Register>((sib & 7) | ((rex_ & 1) << 3));
      if (index != kRsp) address.index = index;
      if ((sib >> 6) != 0 || (mode == 0 && (sib & 7) == 5)) truncated_ = true;  // scaled, or without a base
    } else {
      if (mode == 0 && low == 5) truncated_ = true;  // relative to the instruction
      address.base = static_cast<Register>(low | ((rex_ & 1) << 3));
    }
    if (mode == 1) address.displacement = number(1);
    if (mode == 2) address.displacement = number(4);
    out_.address = address;
    return found;
  }

  std::string place() const {
    std::string sum = register_name(out_.address->base, 8);
    if (out_.address->index) sum += " + " + register_name(*out_.address->index, 8);
    if (out_.address->displacement != 0) sum += fmt::format(" + {}", out_.address->displacement);
    return fmt::format("[{}]", sum);
  }
  std::string other_text(const Operands& found, int bytes) const {
    return found.other ? register_name(*found.other, bytes) : place();
  }

  // ---- effects ----

  Event& access(EventKind kind, int bytes) {
    out_.event = Event{};
    out_.event->kind = kind;
    out_.event->bytes = bytes;
    out_.step.reads = kind != EventKind::store;
    return *out_.event;
  }
  bool fence(const char* name) {
    out_.event = Event{};
    out_.event->kind = EventKind::fence;
    out_.event->fence = name;
    out_.text = name;
    return true;
  }
  void to(Register reg) { out_.step.writes.push_back(reg); }
  void from(Register reg) { out_.step.data.push_back(reg); }
  void flags() { to(kFlagsRegister); }
  template <typename... Args>
  bool text(fmt::format_string<Args...> format, Args&&... args) {
    out_.text = fmt::format(format, std::forward<Args>(args)...);
    return true;
  }

  CpuSum& sum(Register target) {
    out_.sum = CpuSum{};
    out_.sum->target = target;
    return *out_.sum;
  }

  bool move(const Operands& found, bool load, int bytes) {
    const std::string reg = register_name(found.reg, bytes);
    if (!found.other) {
      access(load ? EventKind::load : EventKind::store, bytes);
      load ? to(found.reg) : from(found.reg);
      return load ? text("mov {}, {}", reg, place()) : text("mov {}, {}", place(), reg);
    }
    const Register target = load ? found.reg : *found.other;
    const Register source = load ? *found.other : found.reg;
    to(target);
    from(source);
    sum(target).added = {source};
    return text("mov {}, {}", register_name(target, bytes), register_name(source, bytes));
  }

  bool extend(const char* name, int bytes) {
    const Operands found = operands();
    to(found.reg);
    if (found.other) {
      from(*found.other);
    } else {
      access(EventKind::load, bytes);
    }
    return text("{} {}, {}", name, register_name(found.reg, bytes_of_operand_), other_text(found, bytes));
  }

  // A constant in the width of the operand, of at most 32 bits.
  std::int64_t constant() { return number(bytes_of_operand_ == 2 ? 2 : 4); }

  // add or adc sbb and sub xor cmp, between registers only.
  bool arithmetic(std::uint8_t which, Register target, Register source, int bytes) {
    static constexpr std::string_view kNames[] = {"add", "or", "adc", "sbb", "and", "sub", "xor", "cmp"};
    from(target);
    from(source);
    if (which != 7) to(target);
    flags();
    if (which == 0) sum(target).added = {target, source};
    return which != 2 && which != 3 &&
           text("{} {}, {}", kNames[which], register_name(target, bytes), register_name(source, bytes));
  }
  bool arithmetic_constant(std::uint8_t which, Register target, std::int64_t value, int bytes) {
    static constexpr std::string_view kNames[] = {"add", "or", "adc", "sbb", "and", "sub", "xor", "cmp"};
    from(target);
    if (which != 7) to(target);
    flags();
    if (which == 0 || which == 5) {
      CpuSum& made = sum(target);
      made.added = {target};
      made.constant = which == 0 ? value : -value;
    }
    return which != 2 && which != 3 && text("{} {}, {}", kNames[which], register_name(target, bytes), value);
  }

  bool multiply(bool is_byte) {
    const Operands found = operands();
    if (!found.other) return false;
    const std::int64_t factor = is_byte ? number(1) : constant();
    to(found.reg);
    from(*found.other);
    flags();
    CpuSum& made = sum(found.reg);
    made.left = *found.other;
    made.factor = factor;
    return text("imul {}, {}, {}", register_name(found.reg, bytes_of_operand_),
                register_name(*found.other, bytes_of_operand_), factor);
  }

  bool jump(std::optional<std::uint8_t> condition, int bytes) {
    relative_ = number(bytes);
    if (condition) {
      out_.step.condition = {kFlagsRegister};
      return text("j{}", condition_suffix(*condition));
    }
    out_.step.falls_through = false;
    return text("jmp");
  }

  bool exchange(int bytes) {
    const Operands found = operands();
    if (found.other) return false;
    Event& event = access(EventKind::rmw, bytes);
    event.op = RmwOp::exch;
    event.order = Order::seq_cst;  // locked without a prefix
    from(found.reg);
    to(found.reg);
    return text("xchg {}, {}", place(), register_name(found.reg, bytes));
  }

  bool one_byte(std::uint8_t opcode) {
    const int bytes = (opcode & 1) != 0 ? bytes_of_operand_ : 1;
    if (opcode == 0x88 || opcode == 0x89 || opcode == 0x8a || opcode == 0x8b) {
      const Operands found = operands();
      return move(found, (opcode & 2) != 0, bytes);
    }
    if (opcode < 0x40 && (opcode & 7) < 4) {
      const Operands found = operands();
      if (!found.other) return false;
      const bool forward = (opcode & 2) != 0;
      return arithmetic(opcode >> 3, forward ? found.reg : *found.other, forward ? *found.other : found.reg, bytes);
    }
    if (opcode < 0x40 && (opcode & 7) < 6) {
      const std::int64_t value = bytes == 1 ? number(1) : constant();
      return arithmetic_constant(opcode >> 3, kRax, value, bytes);
    }
    if ((opcode & 0xf0) == 0x50) {
      const auto reg = static_cast<Register>((opcode & 7) | ((rex_ & 1) << 3));
      const bool push = opcode < 0x58;
      out_.address = CpuAddress{kRsp, std::nullopt, 0};
      access(push ? EventKind::store : EventKind::load, 8);
      push ? from(reg) : to(reg);
      return text("{} {}", push ? "push" : "pop", register_name(reg, 8));
    }
    if ((opcode & 0xf0) == 0x70) return jump(opcode & 15, 1);
    if ((opcode & 0xf8) == 0xb8) {
      const auto reg = static_cast<Register>((opcode & 7) | ((rex_ & 1) << 3));
      const std::int64_t value = number(bytes_of_operand_);
      to(reg);
      sum(reg).constant = bytes_of_operand_ == 4 ? static_cast<std::uint32_t>(value) : value;
      return text("mov {}, {}", register_name(reg, bytes_of_operand_), value);
    }
    switch (opcode) {
      case 0x63:
        return extend("movsxd", 4);
      case 0x69:
        return multiply(false);
      case 0x6b:
        return multiply(true);
      case 0x81:
      case 0x83: {
        const Operands found = operands();
        if (!found.other) return false;
        const std::int64_t value = opcode == 0x83 ? number(1) : constant();
        return arithmetic_constant(static_cast<std::uint8_t>(found.reg & 7), *found.other, value, bytes_of_operand_);
      }
      case 0x85: {
        const Operands found = operands();
        if (!found.other) return false;
        arithmetic(7, *found.other, found.reg, bytes);
        return text("test {}, {}", register_name(*found.other, bytes), register_name(found.reg, bytes));
      }
      case 0x86:
      case 0x87:
        return exchange(bytes);
      case 0x8d: {
        const Operands found = operands();
        if (found.other) return false;
        to(found.reg);
        from(out_.address->base);
        CpuSum& made = sum(found.reg);
        made.added = {out_.address->base};
        made.constant = out_.address->displacement;
        if (out_.address->index) {
          from(*out_.address->index);
          made.added.push_back(*out_.address->index);
        }
        text("lea {}, {}", register_name(found.reg, 8), place());
        out_.address.reset();
        return true;
      }
      case 0xc3:
        out_.step.falls_through = false;
        return text("ret");
      case 0xc7: {
        const Operands found = operands();
        const std::int64_t value = constant();
        if (!found.other) {
          access(EventKind::store, bytes);
          return text("mov {}, {}", place(), value);
        }
        to(*found.other);
        sum(*found.other).constant = value;
        return text("mov {}, {}", register_name(*found.other, bytes), value);
      }
      case 0xc1:
      case 0xd3: {
        const Operands found = operands();
        if (!found.other) return false;
        from(*found.other);
        if (opcode == 0xd3) from(kRcx);
        if (opcode == 0xc1) number(1);
        to(*found.other);
        flags();
        return text("shift {}", register_name(*found.other, bytes));
      }
      case 0xe9:
        return jump(std::nullopt, 4);
      case 0xeb:
        return jump(std::nullopt, 1);
      case 0xf7: {
        const Operands found = operands();
        const int which = found.reg & 7;
        if (!found.other || (which != 2 && which != 3)) return false;
        from(*found.other);
        to(*found.other);
        if (which == 3) flags();
        return text("{} {}", which == 2 ? "not" : "neg", register_name(*found.other, bytes));
      }
      default:
        return false;
    }
  }

  bool two_bytes(std::uint8_t opcode) {
    const int bytes = (opcode & 1) != 0 ? bytes_of_operand_ : 1;
    if ((opcode & 0xf0) == 0x80) return jump(opcode & 15, 4);
    if ((opcode & 0xf0) == 0x40) {
      const Operands found = operands();
      if (!found.other) return false;
      from(found.reg);
      from(*found.other);
      from(kFlagsRegister);
      to(found.reg);
      return text("cmov{} {}, {}", condition_suffix(opcode), register_name(found.reg, bytes_of_operand_),
                  register_name(*found.other, bytes_of_operand_));
    }
    if ((opcode & 0xf0) == 0x90) {
      const Operands found = operands();
      if (!found.other) return false;
      from(kFlagsRegister);
      to(*found.other);
      return text("set{} {}", condition_suffix(opcode), register_name(*found.other, 1));
    }
    switch (opcode) {
      case 0xae: {
        const std::uint8_t which = byte();
        return which == 0xf0 ? fence("mfence") : which == 0xe8 ? fence("lfence") : which == 0xf8 && fence("sfence");
      }
      case 0xaf: {
        const Operands found = operands();
        if (!found.other) return false;
        from(found.reg);
        from(*found.other);
        to(found.reg);
        flags();
        return text("imul {}, {}", register_name(found.reg, bytes), register_name(*found.other, bytes));
      }
      case 0xb0:
      case 0xb1:
      case 0xc0:
      case 0xc1: {
        const Operands found = operands();
        if (found.other || !locked_) return false;
        const bool swap = opcode < 0xc0;
        Event& event = access(EventKind::rmw, bytes);
        event.op = swap ? RmwOp::cas : RmwOp::add;
        event.order = Order::seq_cst;
        from(found.reg);
        if (swap) from(kRax);
        to(swap ? kRax : found.reg);
        flags();
        return text("lock {} {}, {}", swap ? "cmpxchg" : "xadd", place(), register_name(found.reg, bytes));
      }
      case 0xb6:
        return extend("movzx", 1);
      case 0xb7:
        return extend("movzx", 2);
      case 0xbe:
        return extend("movsx", 1);
      case 0xbf:
        return extend("movsx", 2);
      default:
        return false;
    }
  }

  std::span<const std::uint8_t> bytes_;
  std::uint64_t next_;
  std::uint8_t rex_ = 0;
  int bytes_of_operand_ = 4;
  bool locked_ = false;
  bool truncated_ = false;  // or in a form that is not known
  std::optional<std::int64_t> relative_;
  CpuDecoded out_;
};

}  // namespace

base::Result<std::vector<CpuDecoded>> decode_x86_64(std::span<const std::uint8_t> bytes) {
  std::vector<CpuDecoded> code;
  for (std::uint64_t at = 0; at < bytes.size();) {
    std::optional<CpuDecoded> decoded = X86Instruction(bytes, at).decode();
    if (!decoded) {
      return base::error(
          fmt::format("the x86-64 instruction that begins with {:#04x} at {:#x} is not known", bytes[at], at));
    }
    at += decoded->length;
    code.push_back(*std::move(decoded));
  }
  return code;
}

}  // namespace weakspot::optcheck
