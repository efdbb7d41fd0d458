// SPDX-License-Identifier: MIT
// The lengths and operands of x86-64 instructions, Intel manual, volume 2, chapter 2 and appendix A.
#include <fmt/format.h>

#include "optcheck/cpu/any_code.h"

namespace weakspot::optcheck {
namespace {

using litmus::Order;
using litmus::RmwOp;

constexpr Register kStackPointer = 4;

class AnyX86 {
 public:
  AnyX86(std::span<const std::uint8_t> bytes, std::uint64_t at) : bytes_(bytes), next_(at) { out_.code.at = at; }

  std::optional<AnyInstruction> read() {
    prefixes();
    std::uint8_t opcode = byte();
    if (opcode == 0xc4 || opcode == 0xc5 || opcode == 0x62) {
      opcode = vector_prefix(opcode);
    } else if (opcode == 0x0f) {
      map_ = 1;
      opcode = byte();
      if (opcode == 0x38 || opcode == 0x3a) {
        map_ = opcode == 0x38 ? 2 : 3;
        opcode = byte();
      }
    }
    if (has_modrm(opcode)) modrm();
    const int immediate = immediate_bytes(opcode);
    const std::int64_t value = number(immediate);
    effects(opcode, value);
    out_.code.length = static_cast<std::uint32_t>(next_ - out_.code.at);
    if (!ok_) return std::nullopt;
    return std::move(out_);
  }

 private:
  std::uint8_t byte() {
    if (next_ < bytes_.size()) return bytes_[next_++];
    ok_ = false;
    return 0;
  }
  std::int64_t number(int size) {
    std::uint64_t value = 0;
    for (int i = 0; i < size; ++i) value |= std::uint64_t{byte()} << (8 * i);
    if (size == 0 || size == 8) return static_cast<std::int64_t>(value);
    return static_cast<std::int64_t>(value << (64 - 8 * size)) >> (64 - 8 * size);
  }

  void prefixes() {
    for (; next_ < bytes_.size(); ++next_) {
      const std::uint8_t prefix = bytes_[next_];
      const bool rex = (prefix & 0xf0) == 0x40;
      if (prefix == 0x66) {
        short_ = true;
      } else if (prefix == 0xf0) {
        locked_ = true;
      } else if (prefix == 0xf2 || prefix == 0xf3) {
        repeated_ = true;
      } else if (rex) {
        rex_ = prefix;
      } else if (prefix != 0x67 && prefix != 0x2e && prefix != 0x36 && prefix != 0x3e && prefix != 0x26 &&
                 prefix != 0x64 && prefix != 0x65) {
        return;
      }
      if (prefix == 0x64 || prefix == 0x65) segment_ = true;
    }
  }

  // VEX and EVEX; the opcode follows.
  std::uint8_t vector_prefix(std::uint8_t kind) {
    out_.vector = true;
    const std::uint8_t first = byte();
    map_ = kind == 0xc5 ? 1 : first & (kind == 0x62 ? 7 : 31);
    // The bits that extend registers are inverted.
    if (kind == 0xc5) {
      rex_ = static_cast<std::uint8_t>((~first >> 5) & 4);
    } else {
      rex_ = static_cast<std::uint8_t>((~first >> 5) & 7);
      byte();
      if (kind == 0x62) byte();
    }
    if (map_ < 1 || map_ > 3) ok_ = false;
    return byte();
  }

  bool has_modrm(std::uint8_t opcode) const {
    if (map_ >= 2) return true;
    if (map_ == 1) {
      const bool none = opcode == 0x05 || opcode == 0x0b || (opcode >= 0x30 && opcode <= 0x37) || opcode == 0x77 ||
                        (opcode & 0xf0) == 0x80 || (opcode >= 0xa0 && opcode <= 0xa2) || opcode == 0xa8 ||
                        opcode == 0xa9 || (opcode >= 0xc8 && opcode <= 0xcf);
      return !none;
    }
    if (opcode < 0x40) return (opcode & 7) < 4;
    return opcode == 0x63 || opcode == 0x69 || opcode == 0x6b || (opcode >= 0x80 && opcode <= 0x8f) || opcode == 0xc0 ||
           opcode == 0xc1 || opcode == 0xc6 || opcode == 0xc7 || (opcode >= 0xd0 && opcode <= 0xd3) ||
           (opcode >= 0xd8 && opcode <= 0xdf) || opcode == 0xf6 || opcode == 0xf7 || opcode >= 0xfe;
  }

  int immediate_bytes(std::uint8_t opcode) const {
    if (map_ == 3) return 1;
    if (map_ == 2) return 0;
    if (map_ == 1) {
      if ((opcode & 0xf0) == 0x80 && !out_.vector) return 4;
      const bool one = (opcode >= 0x70 && opcode <= 0x73) || opcode == 0xa4 || opcode == 0xac || opcode == 0xba ||
                       opcode == 0xc2 || opcode == 0xc4 || opcode == 0xc5 || opcode == 0xc6;
      return one ? 1 : 0;
    }
    const int full = short_ ? 2 : 4;
    if (opcode < 0x40) return (opcode & 7) == 4 ? 1 : (opcode & 7) == 5 ? full : 0;
    if ((opcode & 0xf0) == 0x70 || (opcode & 0xf8) == 0xb0) return 1;
    if ((opcode & 0xf8) == 0xb8) return (rex_ & 8) != 0 ? 8 : full;
    switch (opcode) {
      case 0x68:
      case 0x69:
      case 0x81:
      case 0xa9:
      case 0xc7:
        return full;
      case 0xe8:
      case 0xe9:
        return 4;
      case 0x6a:
      case 0x6b:
      case 0x80:
      case 0x83:
      case 0xa8:
      case 0xc0:
      case 0xc1:
      case 0xc6:
      case 0xcd:
      case 0xeb:
        return 1;
      case 0xc2:
        return 2;
      case 0xa0:
      case 0xa1:
      case 0xa2:
      case 0xa3:
        return 8;
      case 0xf6:
        return (reg_ & 7) < 2 ? 1 : 0;
      case 0xf7:
        return (reg_ & 7) < 2 ? full : 0;
      default:
        return 0;
    }
  }

  void modrm() {
    const std::uint8_t value = byte();
    reg_ = static_cast<Register>((value >> 3 & 7) | ((rex_ & 4) << 1));
    const std::uint8_t mode = value >> 6;
    const auto low = static_cast<Register>(value & 7);
    if (mode == 3) {
      other_ = static_cast<Register>(low | ((rex_ & 1) << 3));
      return;
    }
    CpuAddress address;
    bool based = true;
    if (low == 4) {
      const std::uint8_t sib = byte();
      const auto index = static_cast<Register>((sib >> 3 & 7) | ((rex_ & 2) << 2));
      address.base = static_cast<Register>((sib & 7) | ((rex_ & 1) << 3));
      if (index != kStackPointer) address.index = index;
      based = !(mode == 0 && (sib & 7) == 5);
    } else {
      address.base = static_cast<Register>(low | ((rex_ & 1) << 3));
      based = !(mode == 0 && low == 5);
    }
    if (mode == 1) address.displacement = number(1);
    if (mode == 2 || !based) address.displacement = number(4);
    if (!based) address.base = kZeroRegister;  // beside the code, or at a fixed place
    out_.code.address = address;
  }

  void to(Register reg) { out_.code.step.writes.push_back(reg); }
  void from(Register reg) { out_.code.step.data.push_back(reg); }
  int bytes_of(std::uint8_t opcode) const { return (opcode & 1) == 0 ? 1 : (rex_ & 8) != 0 ? 8 : short_ ? 2 : 4; }

  void effects(std::uint8_t opcode, std::int64_t value) {
    out_.code.text = fmt::format("{}opcode {:#04x}", map_ == 0 ? "" : fmt::format("map {} ", map_), opcode);
    if (map_ == 0 && control(opcode, value)) return;
    if (map_ == 0 && !out_.vector && !segment_ && memory(opcode)) return;
    if (map_ == 1 && !out_.vector && (opcode & 0xf0) == 0x80) {
      out_.code.jump = next_ + static_cast<std::uint64_t>(value);
      out_.code.step.condition = {kFlagsRegister};
      return;
    }
    const bool nop = (map_ == 1 && opcode == 0x1f) || (map_ == 1 && opcode == 0x1e) || (map_ == 0 && opcode == 0x90);
    if (nop) {
      out_.code.address.reset();
      return;
    }
    if (map_ == 0 && opcode == 0x8d) return load_address();
    if (map_ == 0 && opcode >= 0xfe && (reg_ & 7) < 2 && other_) {  // counts a register
      from(*other_);
      to(*other_);
      to(kFlagsRegister);
      return;
    }
    // Whatever it is, it does no more than this.
    out_.exact = false;
    out_.memory = out_.code.address.has_value() || (map_ == 0 && opcode >= 0xa4 && opcode <= 0xaf);
    if (map_ != 0) out_.vector = true;
    from(reg_);
    to(reg_);
    if (other_) from(*other_);
    if (other_) to(*other_);
    for (const Register reg : {Register{0}, Register{1}, Register{2}}) from(reg);
    to(0);
    to(2);
    to(kFlagsRegister);
  }

  bool control(std::uint8_t opcode, std::int64_t value) {
    const auto target = next_ + static_cast<std::uint64_t>(value);
    if (opcode == 0xe8) {
      out_.call = target;
    } else if (opcode == 0xe9 || opcode == 0xeb) {
      out_.code.jump = target;
      out_.code.step.falls_through = false;
    } else if ((opcode & 0xf0) == 0x70) {
      out_.code.jump = target;
      out_.code.step.condition = {kFlagsRegister};
    } else if (opcode == 0xff && (reg_ & 7) >= 2 && (reg_ & 7) <= 5) {
      out_.leaves = true;
      out_.code.step.falls_through = (reg_ & 7) < 4;
    } else if (opcode == 0xc2 || opcode == 0xc3) {
      out_.code.step.falls_through = false;
      out_.code.text = "ret";
    } else {
      return false;
    }
    return true;
  }

  // Loads, stores and locked operations with any address.
  bool memory(std::uint8_t opcode) {
    if (!out_.code.address || repeated_) return false;
    const int bytes = bytes_of(opcode);
    const bool load = opcode == 0x8a || opcode == 0x8b;
    const bool store = opcode == 0x88 || opcode == 0x89 || opcode == 0xc6 || opcode == 0xc7;
    const bool exchange = opcode == 0x86 || opcode == 0x87;
    const bool counts = opcode >= 0xfe && (reg_ & 7) < 2;
    const bool locked = locked_ && (opcode < 0x40 || opcode == 0x80 || opcode == 0x81 || opcode == 0x83 || counts);
    if (!load && !store && !exchange && !locked) return false;
    Event event;
    event.kind = load ? EventKind::load : store ? EventKind::store : EventKind::rmw;
    event.bytes = bytes;
    out_.code.step.reads = !store;
    if (exchange || locked) event.order = Order::seq_cst;
    if (exchange) event.op = RmwOp::exch;
    if (locked) {
      static constexpr std::optional<RmwOp> kOps[] = {RmwOp::add,  RmwOp::or_, std::nullopt, std::nullopt,
                                                      RmwOp::and_, RmwOp::add, RmwOp::xor_,  std::nullopt};
      event.op = counts ? RmwOp::add : kOps[opcode < 0x40 ? opcode >> 3 : reg_ & 7];
      to(kFlagsRegister);
    }
    if (load || exchange) to(reg_);
    if (!load && (opcode < 0x80 || (opcode > 0x83 && opcode < 0xc0))) from(reg_);
    out_.code.event = event;
    out_.code.text = load ? "mov (load)" : store ? "mov (store)" : exchange ? "xchg" : "lock operation";
    return true;
  }

  void load_address() {
    to(reg_);
    if (out_.code.address->base != kZeroRegister) from(out_.code.address->base);
    if (out_.code.address->index) from(*out_.code.address->index);
    out_.code.address.reset();
  }

  std::span<const std::uint8_t> bytes_;
  std::uint64_t next_;
  std::uint8_t rex_ = 0;
  int map_ = 0;
  bool short_ = false, locked_ = false, repeated_ = false, segment_ = false;
  bool ok_ = true;
  Register reg_ = 0;
  std::optional<Register> other_;
  AnyInstruction out_;
};

}  // namespace

AnyCode read_any_x86_64(std::span<const std::uint8_t> code, std::uint64_t begin, std::uint64_t end) {
  std::vector<AnyInstruction> all;
  for (std::uint64_t at = begin; at < end && at < code.size();) {
    std::optional<AnyInstruction> one;
    // The reader of our own code does not expect constants of two bytes.
    const bool is_short = code[at] == 0x66;
    if (std::optional<CpuDecoded> known = is_short ? std::nullopt : decode_x86_64_at(code, at)) {
      one.emplace();
      one->code = *std::move(known);
    } else {
      one = AnyX86(code, at).read();
    }
    if (!one) {
      return base::error(
          fmt::format("the x86-64 instruction that begins with {:#04x} at {:#x} is not known", code[at], at));
    }
    at += one->code.length;
    all.push_back(*std::move(one));
  }
  return all;
}

}  // namespace weakspot::optcheck
